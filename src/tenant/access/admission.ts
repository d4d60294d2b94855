// Admission of callers: the key or the person of every request, the workspace behind it, and the rate limits.
import type { Clock } from "../../base/clock.ts";
import { AppError } from "../../base/errors.ts";
import type { ClientAddresses } from "../../http/client-address.ts";
import type { BodyRoom } from "../../http/body/body.ts";
import type { Allowance, SlidingLimit } from "../../base/brakes/sliding-limit.ts";
import type { SharedBytes } from "../../base/brakes/shared-bytes.ts";
import type { Store } from "../../store/store.ts";
import type { Callers } from "./key-set.ts";
import type { Caller } from "./caller.ts";
import { refuseBeyond, refuseElsewhere, refuseExpired } from "./key-limits.ts";
import type { Needs, TeamAccess } from "./person.ts";
import { wantsToLeave, type PublicRequest, type PublicRequests } from "./public-requests.ts";

/** The context for checking a caller. */
export type Access = {
  readonly store: Store;
  readonly clock: Clock;
  readonly callers: Callers;
  readonly people: TeamAccess;
  readonly requestLimit: SlidingLimit;
  readonly clients: ClientAddresses;
  readonly publicRequests: PublicRequests;
  /** The largest body with attachments. */
  readonly bodyBytes: number;
  /** Shared by all bodies that are being read. */
  readonly bodyMemory: SharedBytes;
};

/** Room for an address, an event, and as much data as a contact may hold. */
const UNSUBSCRIBE_BYTES = 128 * 1024;

/** A public key is readable by anyone, so bodies that come with one are counted apart. */
export function roomOf({ bodyBytes, bodyMemory }: Access, { workspace, kind }: Caller, limitBytes: number): BodyRoom {
  return { limitBytes: Math.min(limitBytes, bodyBytes), memory: bodyMemory, holder: `${workspace} ${kind}` };
}

type ReplyHeaders = Record<string, string | number>;

export type Context = PublicRequest & { readonly set: { readonly headers: ReplyHeaders } };

/** `key`: the least kind of key that is required; "none" = no key is accepted. */
type AdmissionNeeds = Needs & { readonly key: "secret" | "public" | "none" };

/**
 * A request with a key is a program's, whatever cookies come with it. An `Authorization` of another scheme is not a
 * key: a proxy with a password of its own makes browsers send that along with the cookie.
 */
export function admitted(access: Access, context: Context, entry: AdmissionNeeds): Promise<Caller> {
  const { headers } = context.request;
  const authorization = headers.get("authorization");
  const isPerson = !/^bearer\b/i.test(authorization ?? "") && headers.has("cookie");
  const caller = isPerson
    ? admittedPerson(access, context, entry)
    : admittedProgram(access, context, bearer(authorization), entry);
  // Most requests are programs', and stop here.
  return isPerson || isWatched(entry) ? caller.then((one) => noting(access, context, entry, one)) : caller;
}

/** Programs' changes to records are seen in the records themselves; changes of keys and settings are not. */
function isWatched({ permission, action }: AdmissionNeeds): boolean {
  // People need less for one of the settings.
  if (action === "updateWorkspace") return true;
  return permission === "keys" || permission === "domains" || permission === "workspace";
}

async function noting(
  access: Access,
  { request, set }: Context,
  entry: AdmissionNeeds,
  caller: Caller,
): Promise<Caller> {
  const { action } = entry;
  if (action === undefined) return caller;
  const { people } = access;
  const requestId = String(set.headers["x-request-id"] ?? "");
  const targetName = await people.nameOfTarget(request, caller.workspace);
  const act = { caller, action, request, requestId, targetName };
  return { ...caller, note: (tx, answer, body) => people.note(tx, { ...act, answer, body }) };
}

/**
 * The caller of a page of the face, which is not a route of the interface. Without a need no workspace is named.
 * @throws AppError
 */
export function admittedVisitor(
  access: Access,
  request: Request,
  needs: Needs = { permission: "read" },
): Promise<Caller> {
  return admittedPerson(access, { request, set: { headers: {} } }, needs);
}

type AdmissionRequest = Pick<Context, "request" | "set">;

async function admittedPerson(access: Access, { request, set }: AdmissionRequest, needs: Needs): Promise<Caller> {
  set.headers["cache-control"] = "no-store";
  const { caller, allowance } = await access.people.enter(request, needs);
  count("You have", allowance, set.headers);
  if (caller.disabled) throw disabled();
  return caller;
}

export async function admittedProgram(
  access: Access,
  context: Context,
  key: string,
  entry: AdmissionNeeds,
): Promise<Caller> {
  const found = access.callers.with(key);
  const caller = found instanceof Promise ? await found : found;
  if (!caller) throw new AppError("INVALID_API_KEY", "The API key is unknown or was revoked.");
  const { limits } = caller;
  if (limits !== null) refuseExpired(limits, access.clock.nowMs());
  if (entry.key !== "public" && caller.kind === "public") throw publicKeyRefused();
  if (entry.key === "none") throw keyRefused();
  if (limits !== null) {
    refuseBeyond(limits, entry.enough ?? []);
    if (limits.allowedIps !== null) refuseElsewhere(limits, access.clients.addressIn(context));
  }
  const limit = caller.kind === "secret" ? access.requestLimit : await limitOfPublic(access, caller, context);
  count("The workspace has", limit.take(caller.workspace, access.clock.monotonicMs()), context.set.headers);
  if (caller.disabled) throw disabled();
  return caller;
}

function disabled(): AppError {
  return new AppError("WORKSPACE_DISABLED", "The workspace is disabled.");
}

function bearer(authorization: string | null): string {
  const key = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  if (!key) throw new AppError("MISSING_AUTH", "The request has no API key.");
  return key;
}

function publicKeyRefused(): AppError {
  return new AppError("INVALID_API_KEY", "A public key cannot be used here.", {
    suggestion: "Use the secret key (sk_) of the set; public keys (pk_) are accepted by POST /v1/track only.",
  });
}

function keyRefused(): AppError {
  return new AppError("FORBIDDEN", "A key cannot be used here.", { suggestion: "Sign in: this is for people." });
}

/**
 * The limit that counts a request with a public key. A client over its limit is refused without counting, unless the
 * request unsubscribes a contact.
 * @throws AppError RATE_LIMIT_EXCEEDED
 */
async function limitOfPublic(access: Access, caller: Caller, context: Context): Promise<SlidingLimit> {
  const { publicRequests, requestLimit, clock } = access;
  const retryAfterSeconds = publicRequests.take(context);
  if (retryAfterSeconds === 0) return requestLimit;
  if (caller.mayUnsubscribe && (await wantsToLeave(context, roomOf(access, caller, UNSUBSCRIBE_BYTES))))
    return publicRequests.leaving;
  report(requestLimit.left(caller.workspace, clock.monotonicMs()), context.set.headers);
  const message = "Too many requests with a public key have come from this address within a minute.";
  throw new AppError("RATE_LIMIT_EXCEEDED", message, { retryAfterSeconds });
}

/** @throws AppError RATE_LIMIT_EXCEEDED */
function count(who: "The workspace has" | "You have", allowance: Allowance, reply: ReplyHeaders): void {
  report(allowance, reply);
  if (allowance.allowed) return;
  const message = `${who} made ${allowance.limit} requests in the last minute.`;
  throw new AppError("RATE_LIMIT_EXCEEDED", message, { retryAfterSeconds: allowance.resetSeconds });
}

function report({ limit, remaining, resetSeconds }: Allowance, reply: ReplyHeaders): void {
  if (limit === 0) return;
  reply["ratelimit-limit"] = String(limit);
  reply["ratelimit-remaining"] = String(remaining);
  reply["ratelimit-reset"] = String(resetSeconds);
}
