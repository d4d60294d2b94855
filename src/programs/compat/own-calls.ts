// Our own calls, made by calls of another service: with the same needs, the same shapes and the same rules.
import { managersOnly, refuseWithout, type Caller } from "../../tenant/access/caller.ts";
import { route } from "../../tenant/access/route-table.ts";
import { operations, type ApiOperation, type Declaration, type Route } from "../../http/answers.ts";
import type { ApiDialect } from "../../http/dialect.ts";
import type { Shape } from "../../http/body/shape.ts";
import { notedWarnings } from "../../http/body/body-notes.ts";
import { nameWarnings, type JsonFields } from "./fields.ts";
import { ANSWERS, BODIES, type OperationAnswer, type OperationBody, type OperationName } from "./operations.ts";

/** A route as the application lists it. */
export type OwnRoute = Route & { readonly handler: unknown };

/** A call in the shape of another service, after the caller's key was checked. */
export type CompatRequest = {
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly caller: Caller;
  readonly request: Request;
  readonly set: { status?: number | string; headers: Record<string, string | number> };
  readonly server: unknown;
};

/** A call of another service. `own`: the operation of ours that it maps to, with the same needs. */
export type CompatCall = {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly own: OperationName;
  readonly work: (asked: CompatRequest) => Promise<unknown>;
};

type OwnCallRequest = {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: JsonFields;
  readonly query?: JsonFields;
};

export class OwnCalls {
  readonly #byName: ReadonlyMap<string, ApiOperation & OwnRoute>;

  /** `routes`: of the rooms below. @throws Error if an operation declares other shapes than operations.ts */
  constructor(routes: readonly OwnRoute[]) {
    this.#byName = new Map(operations(routes).map((one) => [one.declared.name, one]));
    for (const [name, shape] of Object.entries(ANSWERS)) {
      const { answers } = this.#named(name).declared;
      if (shape !== null && Object.values(answers).some((one) => one !== shape))
        throw new Error(`${name} answers otherwise.`);
    }
    for (const [name, shape] of Object.entries(BODIES))
      if (this.#named(name).declared.body !== shape) throw new Error(`${name} takes another body.`);
  }

  /** The routes of calls that map to ours. */
  routes({ at }: ApiDialect, calls: readonly CompatCall[]) {
    return calls.map(({ method, path, own, work }) =>
      route(
        method,
        at + path,
        this.#declared(own, `${method} ${at}${path}`),
        ({ params, body, caller, request, set, server }) => work({ params, body, caller, request, set, server }),
      ),
    );
  }

  /** The declaration of a call that maps to ours: the same needs, and our name in the audit log. */
  #declared(name: OperationName, as: string): Declaration {
    const { body: _, query: __, takes: ___, ...same } = this.#named(name).declared;
    return { ...same, name: as, aliasOf: same.aliasOf ?? name, answers: { 200: null }, dialect: true };
  }

  /** A body as ours takes it. @throws AppError VALIDATION_ERROR */
  checked<Name extends keyof typeof BODIES>(name: Name, body: JsonFields): OperationBody<Name> {
    return fitting(this.#named(name).hooks.body, body) as OperationBody<Name>;
  }

  /** As ours would. @throws AppError FORBIDDEN */
  refuseWithout(name: OperationName, { caller }: Pick<CompatRequest, "caller">): void {
    const { managers, permission } = this.#named(name).declared;
    if (managers) managersOnly({ caller });
    if (permission) refuseWithout(caller.person, permission);
  }

  /** The answer of our call. @throws AppError as ours does */
  async ask<Name extends OperationName>(
    name: Name,
    asked: CompatRequest,
    { params = {}, body = {}, query = {} }: OwnCallRequest,
  ): Promise<OperationAnswer<Name>> {
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
    return (answer instanceof Response ? await answer.json() : answer) as OperationAnswer<Name>;
  }

  /** As `ask`, beside the call that an idempotency key stands for. */
  also<Name extends OperationName>(
    name: Name,
    asked: CompatRequest,
    given: OwnCallRequest,
  ): Promise<OperationAnswer<Name>> {
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
