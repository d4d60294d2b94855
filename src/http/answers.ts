// What a route says of itself besides its shapes: what it does, what it answers, what it refuses. /openapi.json is made of it.
import type { TSchema } from "elysia";
import type { ErrorCode } from "../errors.ts";

/** A body that is not JSON. */
export type Content = { readonly type: string; readonly schema: TSchema };

/** The shape of a JSON body, another kind of content, or null for none. */
export type Answer = TSchema | Content | null;

export type Notes = {
  /** Whose key it takes; a secret one unless said otherwise. */
  readonly key?: "any" | "none";
  /** Codes besides those that follow from its method, its key and its shapes. */
  readonly refuses?: readonly ErrorCode[];
  /** What the summary leaves out, in whole sentences. */
  readonly description?: string;
  /** A POST that makes and sends nothing takes no Idempotency-Key. */
  readonly harmless?: true;
  /** The body, where no `asBody` says it. */
  readonly takes?: Content;
};

type Declaration = Notes & {
  readonly summary: string;
  readonly answers: Readonly<Record<number, Answer>>;
};

/** For the `detail` of a route: `answers("Look at a contact", { 200: contactShape }, { refuses: ["CONTACT_NOT_FOUND"] })`. */
export function answers(summary: string, byStatus: Declaration["answers"], notes: Notes = {}): Declaration {
  return { summary, answers: byStatus, ...notes };
}

/** An answer or a body that is text of some kind. */
export function content(type: string): Content {
  return { type, schema: { type: "string" } as unknown as TSchema };
}

/** A route as the application lists it. */
export type Route = {
  readonly method: string;
  readonly path: string;
  readonly hooks: { readonly detail?: unknown; readonly body?: unknown; readonly query?: unknown };
};

export type Operation = Route & { readonly declared: Declaration };

/** The routes that declare themselves. */
export function operations(routes: readonly Route[]): Operation[] {
  return routes.flatMap((route) => {
    const declared = route.hooks.detail as Declaration | undefined;
    return declared?.answers ? [{ ...route, declared }] : [];
  });
}

/** True for a POST that makes or sends something: it takes an Idempotency-Key. */
export function isAnsweredOnce({ method, declared }: Operation): boolean {
  return method === "POST" && declared.key !== "none" && !declared.harmless;
}
