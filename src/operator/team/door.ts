// The user behind a session cookie, and their permissions: the answers of this room to src/tenant/access/auth.ts.
import { iso, MINUTE_MS } from "../../base/clock.ts";
import { AppError, invalidParameter } from "../../base/errors.ts";
import { sha256Hex } from "../../base/ids.ts";
import { SlidingLimit } from "../../base/brakes/sliding-limit.ts";
import type { Ground } from "../../ground/ground.ts";
import { ROLES, type Permission } from "../../base/roles.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { refuseUnproven, refuseWithout, type Caller, type SessionUser } from "../../tenant/access/caller.ts";
import type { PersonAction, PersonAdmission, Needs, TeamAccess } from "../../tenant/access/person.ts";
import { fieldsIn, noteAct, reasonIn, recordInPath, targetOf } from "./audit/audit.ts";
import { namesOf } from "./audit/naming-queries.ts";
import { sessionCookie, type TokenCookie } from "./session/cookie.ts";
import { memberWithAddress } from "./people-queries.ts";
import { refuseCrossSite } from "./session/same-origin.ts";
import { signedInWith, type UserSession } from "./session/session-queries.ts";
import { isOver, isToBeNoted, noteVisit, provenUntil, sessionEnded } from "./session/session.ts";

/** The call that erases a contact. */
const ERASES = "deleteContact";
/** A page fetches changed data again, many times a minute. */
const REQUESTS_A_MINUTE = 1_200;
const NOTHING: ReadonlySet<Permission> = new Set();

export class TeamDoor implements TeamAccess {
  readonly cookie: TokenCookie;
  readonly #ground: Ground;
  readonly #limit = new SlidingLimit(REQUESTS_A_MINUTE, MINUTE_MS);

  constructor(ground: Ground) {
    this.#ground = ground;
    this.cookie = sessionCookie(ground.config.http);
  }

  async enter(request: Request, needs: Needs): Promise<PersonAdmission> {
    const { clock, config } = this.#ground;
    const token = config.http.face ? this.cookie.in(request) : null;
    if (token === null) throw new AppError("MISSING_AUTH", "The request has no API key, and nobody is signed in.");
    refuseCrossSite(request, config.http.baseUrl);
    const found = await this.#signedIn(token, workspaceNamed(request, needs));
    const allowance = this.#limit.take(found.person, clock.monotonicMs());
    refuseOther(request, found);
    refuseWithoutFactor(found, needs, clock.nowMs());
    const caller = callerOf(found, clock.nowMs());
    refuseUnable(caller, needs);
    return { caller, allowance };
  }

  async isMember(reader: Reader, workspace: number, email: string): Promise<boolean> {
    return (await memberWithAddress(reader, workspace, email)) !== null;
  }

  async nameOfTarget(request: Request, workspace: number): Promise<string | null> {
    const { kind, id } = recordInPath(request);
    if (id === null || workspace === 0) return null;
    const names = await this.#ground.store.read((reader) => namesOf(reader, { workspace, kind }, [id]));
    return names.get(id) ?? null;
  }

  note(tx: Tx, { caller, action, request, requestId, answer, body, targetName }: PersonAction): Promise<void> {
    const { by, workspace } = caller;
    const fields = request.method === "PATCH" || request.method === "PUT" ? fieldsIn(body) : [];
    // An erased contact is named nowhere.
    const target = targetOf(request, answer, action === ERASES ? null : targetName);
    return noteAct(tx, { by, action, workspace, requestId, target, fields, reason: reasonIn(action, body) });
  }

  async #signedIn(token: string, workspace: string | null): Promise<UserSession> {
    const { clock, store } = this.#ground;
    const found = await store.read((reader) => signedInWith(reader, sha256Hex(token), workspace));
    if (!found || isOver(found, clock.nowMs())) throw sessionEnded();
    if (workspace !== null && !isInside(found)) throw unknownWorkspace();
    if (isToBeNoted(found, clock.nowMs())) await store.write((tx) => noteVisit(tx, found));
    return found;
  }
}

/**
 * A page names its user: another user may have signed in in another tab, and a call of the first must not run as the
 * second.
 * @throws AppError SESSION_ENDED
 */
function refuseOther(request: Request, { personId }: UserSession): void {
  const expected = request.headers.get("x-user");
  if (expected === null || expected === personId) return;
  throw new AppError("SESSION_ENDED", "Somebody else is signed in in this browser.", { reason: "other_user" });
}

/** Links and downloads carry no header of ours, so they may name the workspace in their address. */
function workspaceNamed(request: Request, { permission }: Needs): string | null {
  if (permission === undefined || permission === "installation") return null;
  const inHeader = request.headers.get("x-workspace");
  const named = inHeader ?? (request.method === "GET" ? new URL(request.url).searchParams.get("workspace") : null);
  if (!named) throw invalidParameter("X-Workspace", "The header names the workspace by its id.", "required");
  return named;
}

function isInside({ workspace, role, isOwner }: UserSession): boolean {
  return workspace !== null && (isOwner || role !== null);
}

/** As if it did not exist. */
function unknownWorkspace(): AppError {
  return new AppError("WORKSPACE_NOT_FOUND", "You are in no such workspace.");
}

function callerOf(found: UserSession, nowMs: number): Caller {
  return {
    workspace: found.workspace ?? 0,
    workspaceId: found.workspaceId ?? "",
    kind: "person",
    by: { kind: "PERSON", id: found.personId, name: found.personName },
    person: personOf(found, nowMs),
    note: null,
    domains: null,
    disabled: found.disabledAt !== null,
    doubleOptIn: found.doubleOptIn,
    topics: found.topics?.split(" ") ?? [],
    storesSendData: found.sendData === "stored",
    hasPostalAddress: found.postalAddress !== null,
    mayUpdate: true,
    mayUnsubscribe: true,
    limits: null,
    publicEvents: null,
  };
}

function personOf(found: UserSession, nowMs: number): SessionUser {
  const role = found.isOwner ? "OWNER" : found.role;
  return {
    user: found.person,
    session: found.seq,
    isOwner: found.isOwner,
    permissions: role === null ? NOTHING : ROLES[role],
    isProven: provenUntil(found, nowMs) !== null,
  };
}

/**
 * Calls without a permission stay open: they are for the caller's account, where the second factor is set up.
 * @throws AppError FORBIDDEN
 */
function refuseWithoutFactor({ factorDueAt }: UserSession, { permission }: Needs, nowMs: number): void {
  if (permission === undefined || factorDueAt === null || factorDueAt > iso(nowMs)) return;
  throw new AppError("FORBIDDEN", "Everybody on this server needs a second factor to sign in, and you have none yet.", {
    reason: "second_factor",
    suggestion: "Set up an authenticator app, or require a passkey, under your account.",
  });
}

/** @throws AppError FORBIDDEN, PROOF_NEEDED */
function refuseUnable({ person }: Caller, { permission, proof }: Needs): void {
  if (permission !== undefined) refuseWithout(person, permission);
  if (proof) refuseUnproven(person);
}
