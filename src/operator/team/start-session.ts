// The shared parts of the routes of users, and the start of a session.
import type { Ground } from "../../ground/ground.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { Caller, SessionUser } from "../../tenant/access/caller.ts";
import { noteAct } from "./audit/audit.ts";
import { Codes } from "./codes/codes.ts";
import { SignInLimits } from "./session/sign-in-limits.ts";
import { deviceCookie, type TokenCookie } from "./session/cookie.ts";
import { noteDevice } from "./session/devices.ts";
import { SignInFailures } from "./session/failures.ts";
import { Providers } from "./oidc/providers.ts";
import { Passkeys } from "./passkeys/passkeys.ts";
import { Passwords } from "./session/password.ts";
import { membershipsOf, ownedWorkspaces, factorState, type User } from "./queries.ts";
import { meRecord } from "./record.ts";
import { sessionsOf, type Session } from "./session/session-queries.ts";
import { newToken, openSession, ownSession, type ProviderSignIn } from "./session/session.ts";
import { mailNewDevice } from "./notices/new-device.ts";
import type { SignInDeps } from "./sign-in.ts";
import type { ResponseHead } from "./open-routes.ts";
import { ownUser } from "./user.ts";

export type AuthDeps = Access &
  SignInDeps &
  Pick<Ground, "config"> & {
    readonly cookie: TokenCookie;
    readonly device: TokenCookie;
    readonly providers: Providers;
  };

export function authDepsOf(ground: Ground, access: Access, cookie: TokenCookie): AuthDeps {
  return {
    ...access,
    config: ground.config,
    cookie,
    device: deviceCookie(ground.config.http),
    passwords: new Passwords(ground.clock),
    passkeys: new Passkeys(ground),
    codes: new Codes(ground),
    providers: new Providers(ground),
    limits: new SignInLimits(ground.clock),
    failures: new SignInFailures(ground),
  };
}

type SessionReply = {
  readonly request: Request;
  readonly set: ResponseHead;
};

export function requestIdIn({ headers }: SessionReply["set"]): string {
  return String(headers["x-request-id"] ?? "");
}

/** The entry of the audit log. */
type SessionStart = {
  readonly action: string;
  readonly workspace?: number;
  readonly reason?: string;
  readonly by?: ProviderSignIn;
};

/**
 * Runs `work` and signs its user in, in one transaction; answers the user. A sign-in in a new browser is mailed to
 * them.
 */
export async function startSession(
  deps: AuthDeps,
  { request, set }: SessionReply,
  { action, workspace, reason, by: provider }: SessionStart,
  work: (tx: Tx) => Promise<User>,
) {
  const { store, clock, cookie, device, config } = deps;
  const browser = device.in(request) ?? newToken();
  const { token, me } = await store.write(async (tx) => {
    const user = await work(tx);
    const opened = await openSession(tx, user.seq, request.headers.get("user-agent"), provider);
    if (await noteDevice(tx, user.seq, browser)) await mailNewDevice(tx, user, config);
    const by = { kind: "PERSON", id: user.id, name: user.name } as const;
    await noteAct(tx, { by, action, workspace: workspace ?? 0, target: user.id, reason, requestId: requestIdIn(set) });
    return { token: opened, me: await mine(tx, user.seq, await newest(tx, user.seq)) };
  });
  set.headers["set-cookie"] = [cookie.set(token), device.set(browser)];
  return meRecord(me, clock.nowMs());
}

async function newest(tx: Tx, person: number): Promise<Session> {
  return (await sessionsOf(tx, person))[0] as Session;
}

/** A longer list would be of no use. */
const MOST_WORKSPACES = 1_000;

async function mine(reader: Reader, person: number, session: Session) {
  const user = await ownUser(reader, person);
  const workspaces = user.isOwner
    ? ownedWorkspaces(reader, MOST_WORKSPACES)
    : membershipsOf(reader, person, MOST_WORKSPACES);
  const factors = await factorState(reader, person);
  return { user, session, factors, workspaces: await workspaces };
}

/** The caller as `GET /me` shows them. */
export async function shownTo(reader: Reader, caller: Caller, nowMs: number) {
  const { user, session } = personIn(caller);
  return meRecord(await mine(reader, user, await ownSession(reader, session)), nowMs);
}

/** The door lets only people in here. */
export function personIn({ person }: Caller): SessionUser {
  if (!person) throw new Error("A route of people was called by a program.");
  return person;
}

/** The signed-in caller of this request, or null. */
export async function signedInCaller({ people }: AuthDeps, request: Request): Promise<Caller | null> {
  return request.headers.has("cookie") ? (await people.enter(request, {})).caller : null;
}
