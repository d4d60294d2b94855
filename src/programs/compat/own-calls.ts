// Our own calls, made by calls of another service: with the same needs, the same shapes and the same rules.
import { managersOnly, refuseWithout, type Caller } from "../../tenant/access/caller.ts";
import type { Declaration } from "../../http/answers.ts";
import type { Shape } from "../../http/shape.ts";
import { notedWarnings } from "../../http/body-notes.ts";
import { nameWarnings, type JsonFields } from "./fields.ts";

/** A route as the application lists it. */
export type OwnRoute = {
  readonly handler: unknown;
  readonly hooks: { readonly detail?: unknown; readonly body?: unknown; readonly query?: unknown };
};

/** A call in the shape of another service, after the caller's key was checked. */
export type CompatRequest = {
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly caller: Caller;
  readonly request: Request;
  readonly set: { status?: number | string; headers: Record<string, string | number> };
  readonly server: unknown;
};

type OwnCallRequest = {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: JsonFields;
  readonly query?: JsonFields;
};

export class OwnCalls {
  readonly #byName: ReadonlyMap<string, OwnRoute & { readonly declared: Declaration }>;

  /** `routes`: of the rooms below. */
  constructor(routes: readonly OwnRoute[]) {
    this.#byName = new Map(
      routes.flatMap((route) => {
        const declared = route.hooks.detail as Declaration | undefined;
        return declared?.name && !declared.dialect ? [[declared.name, { ...route, declared }] as const] : [];
      }),
    );
  }

  /** The declaration of a call that maps to ours: the same needs, and our name in the audit log. */
  declared(name: string, as: string): Declaration {
    const { body: _, query: __, takes: ___, ...same } = this.#named(name).declared;
    return { ...same, name: as, aliasOf: same.aliasOf ?? name, answers: { 200: null }, dialect: true };
  }

  /** A body as ours takes it. @throws AppError VALIDATION_ERROR */
  checked<Body>(name: string, body: JsonFields): Body {
    return fitting(this.#named(name).hooks.body, body) as Body;
  }

  /** As ours would. @throws AppError FORBIDDEN */
  refuseWithout(name: string, { caller }: Pick<CompatRequest, "caller">): void {
    const { managers, permission } = this.#named(name).declared;
    if (managers) managersOnly({ caller });
    if (permission) refuseWithout(caller.person, permission);
  }

  /** The answer of our call. @throws AppError as ours does */
  async ask<Answer>(
    name: string,
    asked: CompatRequest,
    { params = {}, body = {}, query = {} }: OwnCallRequest,
  ): Promise<Answer> {
    const { handler, hooks } = this.#named(name);
    const { caller, request, server } = asked;
    this.refuseWithout(name, asked);
    const sent = fitting(hooks.body, body);
    const answer = await (handler as (asked: object) => unknown)({
      ...{ params, caller, request, server },
      body: sent,
      query: fitting(hooks.query, query),
      // The status and the headers of a whole answer are not this call's.
      set: { headers: asked.set.headers },
    });
    nameWarnings(asked.set.headers, notedWarnings(sent));
    return (answer instanceof Response ? await answer.json() : answer) as Answer;
  }

  /** As `ask`, beside the call that an idempotency key stands for. */
  also<Answer>(name: string, asked: CompatRequest, given: OwnCallRequest): Promise<Answer> {
    const { url, method } = asked.request;
    return this.ask(name, { ...asked, request: new Request(url, { method }) }, given);
  }

  #named(name: string) {
    const found = this.#byName.get(name);
    if (!found) throw new Error(`There is no call ${name}.`);
    return found;
  }
}

function fitting(shape: unknown, given: JsonFields): unknown {
  const known = shape as Shape<unknown> | undefined;
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return known ? known["~standard"].validate(sent).value : sent;
}
