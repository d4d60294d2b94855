// Who may call: the key of every request, the workspace behind it, and how often it may (interface.md "Authentication").
import { Elysia } from "elysia";
import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";
import { readJson, UNREAD } from "../http/body.ts";
import type { RequestLimit } from "../http/request-limit.ts";
import type { Store } from "../store/store.ts";
import { callerWith, type Caller } from "./key-set.ts";

export type Gate = {
  readonly store: Store;
  readonly clock: Clock;
  readonly requestLimit: RequestLimit;
  /** The largest body that is read. */
  readonly bodyBytes: number;
};

/** For endpoints that need a secret key. Handlers get `caller`. */
export function secretKey(gate: Gate) {
  return new Elysia({ name: "secret-key" })
    .derive({ as: "scoped" }, async ({ request, set }) => ({
      caller: await admitted(gate, request.headers, set.headers, "secret"),
    }))
    .onTransform({ as: "scoped" }, (context) => readBody(gate, context));
}

/** As `secretKey`, for endpoints that read the body themselves, as it comes in. */
export function secretKeyBodyUnread(gate: Gate) {
  return new Elysia({ name: "secret-key-body-unread" }).derive({ as: "scoped" }, async ({ request, set }) => ({
    caller: await admitted(gate, request.headers, set.headers, "secret"),
  }));
}

/** For /v1/track: public keys are let in as well. */
export function anyKey(gate: Gate) {
  return new Elysia({ name: "any-key" })
    .derive({ as: "scoped" }, async ({ request, set }) => ({
      caller: await admitted(gate, request.headers, set.headers, "public"),
    }))
    .onTransform({ as: "scoped" }, (context) => readBody(gate, context));
}

/** Only now, so that a faulty body counts as a request and nobody without a key is read at length. */
async function readBody({ bodyBytes }: Gate, context: { body: unknown; readonly request: Request }): Promise<void> {
  if (context.body === UNREAD) context.body = await readJson(context.request, bodyBytes);
}

type ReplyHeaders = Record<string, string | number>;

async function admitted(gate: Gate, headers: Headers, reply: ReplyHeaders, needs: Caller["kind"]): Promise<Caller> {
  const key = bearer(headers.get("authorization"));
  const caller = await gate.store.read((reader) => callerWith(reader, key));
  if (!caller) throw new AppError("INVALID_API_KEY", "The API key is unknown or was revoked.");
  if (needs === "secret" && caller.kind === "public") throw publicKeyRefused();
  count(gate, caller, reply);
  if (caller.disabled) throw new AppError("WORKSPACE_DISABLED", "The workspace is disabled.");
  return caller;
}

function bearer(authorization: string | null): string {
  const key = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  if (!key) throw new AppError("MISSING_AUTH", "The request carries no API key.");
  return key;
}

function publicKeyRefused(): AppError {
  return new AppError("INVALID_API_KEY", "A public key cannot be used here.", {
    suggestion: "Use the secret key (sk_) of the set; public keys (pk_) are accepted by POST /v1/track only.",
  });
}

function count({ requestLimit, clock }: Gate, caller: Caller, reply: ReplyHeaders): void {
  if (requestLimit.limit === 0) return;
  const { allowed, limit, remaining, resetSeconds } = requestLimit.take(caller.workspace, clock.monotonicMs());
  reply["ratelimit-limit"] = String(limit);
  reply["ratelimit-remaining"] = String(remaining);
  reply["ratelimit-reset"] = String(resetSeconds);
  if (allowed) return;
  const message = `The workspace has made ${limit} requests in the last minute.`;
  throw new AppError("RATE_LIMIT_EXCEEDED", message, { retryAfterSeconds: resetSeconds });
}
