// Saves a record with its call: `save("PATCH /topics/{id}", { id }, { seen, mine })`.
import { ask } from "../calls/query.ts";
import type { AnswerOf, BodyOf, ParametersOf, Route } from "../calls/routes.ts";
import type { SavedVersion } from "./asked-choice.ts";
import { savedOver, type SaveResult } from "./saved-over.ts";

type SaveRoute = Extract<Route, `${"PATCH" | "PUT"} ${string}`>;
type Row<R extends SaveRoute> = AnswerOf<R> & SavedVersion;
type SaveOf<R extends SaveRoute> = {
  /** The record as it was when the form was opened. */
  readonly seen: Row<R>;
  readonly mine: Omit<BodyOf<R>, "ifUpdatedAt">;
  /** For records without a GET at the same path. */
  readonly load?: () => Promise<Row<R>>;
  /** For records that also change elsewhere: see `savedOver`. */
  readonly compares?: "mine";
};

/** The current version is loaded by GET of the same path. @throws Fault */
export function save<R extends SaveRoute>(
  route: R,
  where: ParametersOf<R> & object,
  saving: SaveOf<R>,
): Promise<SaveResult<Row<R>>> {
  return savedOver<Row<R>>({
    send: (ifUpdatedAt) => ask(route, { ...where, body: { ...saving.mine, ifUpdatedAt } }),
    load: () => ask(route.replace(/^\w+/, "GET"), where),
    ...saving,
  });
}
