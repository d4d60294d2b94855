// The hooks of routes: who may call (admission.ts), and how the body is read.
import { AppError } from "../../base/errors.ts";
import { withBytesAsBase64 } from "../../http/body/byte-lists.ts";
import { readWholeForm } from "../../http/body/whole-form.ts";
import { readForm, readJson, UNREAD, type BodyRoom } from "../../http/body/body.ts";
import { admitted, admittedProgram, roomOf, type Access, type Context } from "./admission.ts";
import type { Caller } from "./caller.ts";
import type { Needs } from "./person.ts";

export { admittedVisitor, type Access } from "./admission.ts";

/** The largest bodies; the configuration may lower them. */
const USUAL_BODY_BYTES = 2 * 1024 * 1024;
const PUBLIC_BODY_BYTES = 512 * 1024;
/** Browsers send no larger beacons. */
const BEACON_BYTES = 64 * 1024;

/*
 * Each of these makes the hook of a route (route-table.ts). They name the parts of a request that they use: for a hook
 * that passes on the whole request, Elysia would prepare every part of it, cookies and headers included.
 */

/** For endpoints that need a secret key, or a person. Handlers get `caller`. */
export function secretKey(access: Access, needs: Needs) {
  const entry = { ...needs, key: "secret" } as const;
  return async ({ request, set, body, server }: Context) => {
    const caller = await admitted(access, { request, set, body, server }, entry);
    const sent = await readBody(request, body, roomOf(access, caller, USUAL_BODY_BYTES));
    return { caller: knowing(caller, sent), body: sent };
  };
}

/** Adds the body to the note of the call, unless the call says another one. */
function knowing(caller: Caller, body: unknown): Caller {
  const { note } = caller;
  return note ? { ...caller, note: (tx, answer, told = body) => note(tx, answer, told) } : caller;
}

/** As `secretKey`, for endpoints whose bodies may carry attachments. */
export function secretKeyWithAttachments(access: Access, needs: Needs) {
  const entry = { ...needs, key: "secret" } as const;
  return async ({ request, set, body, server }: Context) => {
    const caller = await admitted(access, { request, set, body, server }, entry);
    return { caller, body: await readBody(request, body, roomOf(access, caller, access.bodyBytes)) };
  };
}

/** As `secretKeyWithAttachments`, for clients that write files as lists of numbers. */
export function secretKeyWithByteLists(access: Access, needs: Needs) {
  const entry = { ...needs, key: "secret" } as const;
  return async ({ request, set, body, server }: Context) => {
    const caller = await admitted(access, { request, set, body, server }, entry);
    const room = roomOf(access, caller, access.bodyBytes);
    return { caller, body: body === UNREAD ? await readJson(request, room, withBytesAsBase64) : body };
  };
}

/** As `secretKeyWithAttachments`, for clients of another service, which send the key in that service's header. */
export function secretKeyIn(header: string) {
  return (access: Access, needs: Needs) => {
    const entry = { ...needs, key: "secret" } as const;
    return async ({ request, set, body, server }: Context) => {
      const key = request.headers.get(header);
      if (key === null) throw new AppError("MISSING_AUTH", `The request has no ${header}.`);
      const caller = await admittedProgram(access, { request, set, body, server }, key, entry);
      return { caller, body: await readBody(request, body, roomOf(access, caller, access.bodyBytes)) };
    };
  };
}

/** For clients of another service, which send the key as the password of `user` (RFC 7617), and forms. */
export function secretKeyAsPassword(user: string) {
  return (access: Access, needs: Needs) => {
    const entry = { ...needs, key: "secret" } as const;
    return async ({ request, set, body, server }: Context) => {
      const key = passwordOf(user, request.headers.get("authorization"));
      const caller = await admittedProgram(access, { request, set, body, server }, key, entry);
      return { caller, body: await readWholeForm(request, body, roomOf(access, caller, access.bodyBytes)) };
    };
  };
}

/** @throws AppError MISSING_AUTH */
function passwordOf(user: string, authorization: string | null): string {
  const encoded = /^Basic +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "";
  const pair = Buffer.from(encoded, "base64").toString();
  if (pair.startsWith(`${user}:`)) return pair.slice(user.length + 1);
  throw new AppError("MISSING_AUTH", `The request has no key: it is the password of the user ${user}.`);
}

/** As `secretKey`, for endpoints that read the body themselves, as it comes in. */
export function secretKeyBodyUnread(access: Access, needs: Needs) {
  const entry = { ...needs, key: "secret" } as const;
  return async ({ request, set, body, server }: Context) => ({
    caller: await admitted(access, { request, set, body, server }, entry),
    body,
  });
}

/** For /v1/track: public keys are admitted as well, also where no header can be set (`navigator.sendBeacon`). */
export function anyKey(access: Access, needs: Needs) {
  const entry = { ...needs, key: "public" } as const;
  return async ({ request, set, body, server }: Context) => {
    const incoming = { request, set, body, server };
    const key = request.headers.has("authorization") ? null : await keyInBeacon(access, incoming);
    const caller = await (key === null
      ? admitted(access, incoming, entry)
      : admittedProgram(access, incoming, publicOnly(key), entry));
    const limitBytes = caller.kind === "public" ? PUBLIC_BODY_BYTES : USUAL_BODY_BYTES;
    return { caller, body: await readBody(request, incoming.body, roomOf(access, caller, limitBytes)) };
  };
}

/**
 * The key in the query, or in the body, which is read then: no more than a browser's beacon. A person comes with
 * neither.
 */
async function keyInBeacon(access: Access, incoming: Context): Promise<string | null> {
  const { request } = incoming;
  const inQuery = request.url.includes("?") ? new URL(request.url).searchParams.get("key") : null;
  if (inQuery !== null) return inQuery;
  const { bodyMemory: memory } = access;
  const isSmall = Number(request.headers.get("content-length") ?? Infinity) <= BEACON_BYTES;
  if (!isSmall || incoming.body !== UNREAD) return null;
  try {
    incoming.body = await readJson(request, { limitBytes: BEACON_BYTES, memory, holder: "beacons" });
  } catch {
    return null;
  }
  const { key } = incoming.body as { readonly key?: unknown };
  return typeof key === "string" ? key : null;
}

/** @throws AppError INVALID_API_KEY for a secret key: addresses and pages are readable by others */
function publicOnly(key: string): string {
  if (!key.startsWith("sk_")) return key;
  throw new AppError(
    "INVALID_API_KEY",
    "A secret key was sent in the query or the body, where only public keys are taken.",
    {
      suggestion:
        "Others may have read it: revoke this key set and create another. Send secret keys in the header Authorization.",
    },
  );
}

/** For calls of people alone: no key is taken. */
export function personOnly(access: Access, needs: Needs) {
  const entry = { ...needs, key: "none" } as const;
  return async ({ request, set, body }: Context) => {
    const caller = await admitted(access, { request, set, body, server: null }, entry);
    const sent = await readBody(request, body, roomOf(access, caller, USUAL_BODY_BYTES));
    return { caller: knowing(caller, sent), body: sent };
  };
}

/** As `personOnly`, for endpoints that read the body themselves, as it comes in. */
export function personBodyUnread(access: Access, needs: Needs) {
  const entry = { ...needs, key: "none" } as const;
  return async ({ request, set, body }: Context) => ({
    caller: await admitted(access, { request, set, body, server: null }, entry),
    body,
  });
}

/** After the key: a faulty body counts as a request, and no large body is read for a caller without a key. */
function readBody(request: Request, body: unknown, room: BodyRoom): unknown {
  return body === UNREAD ? readJson(request, room) : body;
}

/** The form that a visitor has sent. @throws AppError PAYLOAD_TOO_LARGE, SERVER_BUSY */
export function visitorsForm(
  { bodyBytes, bodyMemory }: Access,
  request: Request,
  { by }: Caller,
): Promise<URLSearchParams> {
  return readForm(request, { limitBytes: bodyBytes, memory: bodyMemory, holder: `person ${by.id}` });
}
