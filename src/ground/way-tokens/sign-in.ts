// A person signs in at the service, so that a way sends by their right: on another screen, or in the browser, which
// comes back with an answer. The browser alone keeps the sign-in until then, as a ticket that only this installation
// can read: any node may end what another has begun.
import { iso, MINUTE_MS } from "../../base/clock.ts";
import { AppError } from "../../base/errors.ts";
import { sha256Hex } from "../../base/ids.ts";
import { UnreadableError, type Secrets } from "../../base/secrets.ts";
import type { Store } from "../../store/store.ts";
import type { TokenGrant } from "./issuer.ts";
import type { Redirect } from "./redirect.ts";
import { DONE, failed, failedBy, WAITING, type SignInState } from "./sign-in-state.ts";
import { authorizationUrlOf, deviceUrlOf } from "./token-place.ts";
import { settingsOf, usesTokens, type WayTokens, type TokenWay } from "./way-tokens.ts";

type SignInGround = { readonly secrets: Secrets; readonly store: Pick<Store, "clock">; readonly tokens: WayTokens };

/** `session`: of the owner in whose browser it is. `address`: where the browser comes back to. */
type SignInBrowser = { readonly session: number; readonly address: string };
/** `answer`: the query with which the browser came back; null = it has not. */
type SignInAnswer = { readonly session: number; readonly ticket: string; readonly answer: string | null };

/** Shown to the person. */
type SignInPrompt = {
  readonly url: string;
  /** To be entered at `url`; null = the browser comes back from there. */
  readonly code: string | null;
  /** To ask whether the code was entered; null = nothing has to be asked. */
  readonly intervalSeconds: number | null;
};
export type WaySignInStart = SignInPrompt & { readonly ticket: string; readonly expiresAt: string };

type TicketSecret = { readonly deviceCode: string } | { readonly redirect: Redirect };
type Ticket = TicketSecret & { readonly for: string; readonly session: number; readonly endsAtMs: number };

const REDIRECT_MS = 10 * MINUTE_MS;

export function allowsSignIn(way: Pick<TokenWay, "kind" | "relay">): boolean {
  return usesTokens(way) && (deviceUrlOf(way.relay) ?? authorizationUrlOf(way.relay)) !== null;
}

/** @throws AppError CONFLICT if the way has no such sign-in, or the service refuses it */
export async function beginSignIn(
  { secrets, store }: SignInGround,
  way: TokenWay,
  { session, address }: SignInBrowser,
): Promise<WaySignInStart> {
  if (!allowsSignIn(way))
    throw new AppError("CONFLICT", `Nobody can sign in for the sending route ${way.name}.`, {
      reason: "no_sign_in",
      suggestion: "It needs auth oauth2 with a client at Microsoft or Google.",
    });
  const nowMs = store.clock.nowMs();
  const isAtGoogle = authorizationUrlOf(way.relay) !== null;
  const { secret, lastsMs, ...begun } = await (isAtGoogle ? redirected(way, address) : codeFor(way, nowMs));
  const ticket: Ticket = { ...secret, for: settingsOf(way), session, endsAtMs: nowMs + lastsMs };
  return { ...begun, ticket: secrets.encrypt(JSON.stringify(ticket)), expiresAt: iso(ticket.endsAtMs) };
}

type NewSignIn = SignInPrompt & { readonly secret: TicketSecret; readonly lastsMs: number };

async function redirected({ relay }: TokenWay, address: string): Promise<NewSignIn> {
  const { redirectTo } = await import("./redirect.ts");
  const { url, redirect } = await redirectTo(relay, address);
  return { url, code: null, intervalSeconds: null, secret: { redirect }, lastsMs: REDIRECT_MS };
}

/** @throws AppError CONFLICT */
async function codeFor(way: TokenWay, nowMs: number): Promise<NewSignIn> {
  const { askForCode } = await import("./device-code.ts");
  const begun = await askForCode({ ...way, nowMs });
  if (begun.kind !== "begun")
    throw new AppError("CONFLICT", `The service gives no code: ${begun.problem}`, {
      reason: "sign_in_refused",
      values: { problem: begun.problem },
      suggestion: "Allow public client flows for the app at Microsoft, and check tenant and client ID.",
    });
  const { deviceCode, userCode: code, url, lastsMs, intervalSeconds } = begun;
  return { url, code, intervalSeconds, secret: { deviceCode }, lastsMs };
}

/** Whether the person has agreed; if so, the way has its tokens. A ticket that has counted is not used again. */
export async function endSignIn(ground: SignInGround, way: TokenWay, ending: SignInAnswer): Promise<SignInState> {
  const { secrets, store, tokens } = ground;
  const ticket = ticketIn(secrets, ending.ticket);
  if (ticket?.for !== settingsOf(way)) return failed("CHANGED");
  if (ticket.session !== ending.session) return failed("OTHER_SESSION");
  const signIn = sha256Hex(ending.ticket);
  if (await tokens.comeFrom(way, signIn)) return DONE;
  const nowMs = store.clock.nowMs();
  if (nowMs >= ticket.endsAtMs) return failed("EXPIRED");
  const grant = await grantFor(way, ticket, { ...ending, nowMs });
  if (grant === null) return WAITING;
  if (grant.kind !== "granted") return failedBy(grant);
  if (grant.refreshToken === null) return failed("NO_REFRESH_TOKEN");
  await tokens.adopt(way, grant, signIn);
  return DONE;
}

/** Null = the person has not agreed yet. */
async function grantFor(
  way: TokenWay,
  ticket: Ticket,
  { answer, nowMs }: Pick<SignInAnswer, "answer"> & { readonly nowMs: number },
): Promise<TokenGrant | null> {
  if ("redirect" in ticket) {
    if (answer === null) return null;
    const { grantAfter } = await import("./redirect.ts");
    return grantAfter({ ...way, nowMs }, ticket.redirect, answer);
  }
  const { askForGrant, isWaiting } = await import("./device-code.ts");
  const grant = await askForGrant({ ...way, nowMs }, ticket.deviceCode);
  return isWaiting(grant) ? null : grant;
}

function ticketIn(secrets: Secrets, text: string): Ticket | null {
  try {
    return JSON.parse(secrets.decrypt(text)) as Ticket;
  } catch (error) {
    if (error instanceof UnreadableError) return null;
    throw error;
  }
}
