// /test/clock: the clock of a server for tests, which stands still until it is moved (docs/test-clock.md).
import { t } from "elysia";
import { DAY_MS, iso } from "../../base/clock.ts";
import { secondsIn } from "../../base/config/kinds.ts";
import { AppError, invalidFields } from "../../base/errors.ts";
import type { TestTime } from "../../base/jobs/test-time.ts";
import { emailAddressShape, nullable, timeShape, wrapped } from "../../http/answer-shapes.ts";
import { success } from "../../http/replies.ts";
import { dataShape, optional } from "../../http/schemas.ts";
import type { Store } from "../../store/store.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { route, routes } from "../../tenant/access/route-table.ts";
import { loggedEvents, seqsOfEvents } from "../../tenant/events/queries.ts";
import { keepTestClock } from "../../store/clock-queries.ts";

/** Years of hourly work take minutes. */
const MOST_MS = 1_000 * DAY_MS;
const MOST_EVENTS = 1_000;

const clockShape = t.Object(
  { now: timeShape },
  { title: "TestClock", description: "The time stands still between two calls." },
);
const happenedShape = t.Object(
  {
    now: timeShape,
    happened: t.Array(
      t.Object({ at: timeShape, name: t.String(), email: nullable(emailAddressShape), data: dataShape }),
      { description: "The events of the workspace in order, each at its time; of more than 1,000, the last." },
    ),
    hasMore: t.Boolean({ description: "More than 1,000 events have happened: GET /events lists all." }),
  },
  { title: "TestClockMoved" },
);
const move = t.Object(
  {
    advance: optional(t.String({ maxLength: 12 }), "By how much: `90s`, `15m`, `4h` or `30d`."),
    to: optional(timeShape, "To which moment."),
  },
  { examples: [{ advance: "30d" }] },
);

type ClockMoveResult = { readonly now: string; readonly happened: readonly unknown[]; readonly hasMore: boolean };

export type TestClockOptions = {
  readonly store: Store;
  /** Null: the server goes by the machine's clock. */
  readonly testTime: () => TestTime | null;
};

export function testClockRoutes(access: Access, { store, testTime }: TestClockOptions) {
  return routes(access, [
    route(
      "GET",
      "/test/clock",
      {
        name: "getTestClock",
        summary: "Read the test clock",
        answers: { 200: wrapped(clockShape) },
        permission: "read",
        refuses: ["CONFLICT"],
        description: "Answers when all that is due now has been done.",
      },
      async ({ request, server }) => {
        const time = running(testTime());
        server?.timeout(request, 0);
        await time.settle();
        return success({ now: iso(store.clock.nowMs()) });
      },
    ),
    route(
      "POST",
      "/test/clock",
      {
        name: "advanceTestClock",
        summary: "Move the test clock",
        answers: { 200: wrapped(happenedShape) },
        permission: "workspace",
        body: move,
        harmless: true,
        refuses: ["CONFLICT"],
        description:
          "Takes `advance` or `to`. Answers when all that was due on the way has happened, in order: steps of workflows, scheduled email, retries, webhooks, ends of pauses, retention. Only a server that was started with `--test-clock` has such a clock.",
      },
      async ({ body, caller, request, server }) => {
        const time = running(testTime());
        const toMs = momentIn(body, store.clock.nowMs());
        server?.timeout(request, 0);
        return success(await moved(store, caller.workspace, () => time.advance(toMs)));
      },
    ),
  ]);
}

/** @throws AppError CONFLICT without a test clock */
function running(time: TestTime | null): TestTime {
  if (time !== null) return time;
  throw new AppError("CONFLICT", "This server goes by the machine's clock.", {
    suggestion: "Start a server for tests: posthorn serve --test-clock, with a data directory of its own.",
  });
}

/** @throws AppError VALIDATION_ERROR unless it names one moment from now on, in at most 1,000 days */
function momentIn({ advance, to }: typeof move.static, nowMs: number): number {
  const seconds = advance == null ? 0 : secondsIn(advance);
  const toMs = to == null ? nowMs + (seconds ?? 0) * 1_000 : Date.parse(to);
  const refused =
    ((advance == null) === (to == null) && "Give either advance or to.") ||
    (seconds === null && "This must be a length of time such as 90s, 15m, 4h or 30d.") ||
    (toMs < nowMs && `This is over: the clock says ${iso(nowMs)}.`) ||
    (toMs - nowMs > MOST_MS && "The clock moves by at most 1,000 days at a time.");
  const field = advance == null && to != null ? "to" : "advance";
  if (refused) throw invalidFields([{ field, message: refused, code: "invalid" }]);
  return toMs;
}

async function moved(store: Store, workspace: number, move: () => Promise<void>): Promise<ClockMoveResult> {
  const last = (await store.read((reader) => seqsOfEvents(reader, workspace)))?.last ?? 0;
  await move();
  await store.write(keepTestClock);
  const filter = { workspace, contact: null, name: null };
  const events = await store.read((reader) => loggedEvents(reader, filter, null, MOST_EVENTS + 1));
  const fresh = events.filter(({ seq }) => seq > last);
  const happened = fresh.slice(0, MOST_EVENTS).reverse();
  return {
    now: iso(store.clock.nowMs()),
    happened: happened.map(({ createdAt, name, contactEmail, data }) => ({
      at: createdAt,
      name,
      email: contactEmail,
      data,
    })),
    hasMore: fresh.length > MOST_EVENTS,
  };
}
