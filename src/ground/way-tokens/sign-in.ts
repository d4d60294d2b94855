// A person signs in at the service on another screen, so that a way sends by their right. What is under way is known to the
// browser alone, as a ticket that only this installation can read: any node may end what another has begun.
import { iso } from "../../base/clock.ts";
import { AppError } from "../../base/errors.ts";
import { UnreadableError, type Secrets } from "../../base/secrets.ts";
import type { Store } from "../../store/store.ts";
import { deviceUrlOf } from "./token-place.ts";
import { settingsOf, usesTokens, type WayTokens, type WithToken } from "./way-tokens.ts";

type SignInGround = { readonly secrets: Secrets; readonly store: Pick<Store, "clock">; readonly tokens: WayTokens };

export type SignInCode = {
  /** To be entered at `url`. */
  readonly code: string;
  readonly url: string;
  readonly ticket: string;
  readonly expiresAt: string;
  readonly intervalSeconds: number;
};
export type SignInState =
  | { readonly state: "WAITING" | "DONE"; readonly problem: null }
  | { readonly state: "FAILED"; readonly problem: string };

type Ticket = { readonly for: string; readonly deviceCode: string; readonly endsAtMs: number };

const WAITING: SignInState = { state: "WAITING", problem: null };
const failed = (problem: string): SignInState => ({ state: "FAILED", problem });

export function allowsSignIn(way: Pick<WithToken, "kind" | "relay">): boolean {
  return usesTokens(way) && deviceUrlOf(way.relay) !== null;
}

/** @throws AppError CONFLICT if the way has no such sign-in, or the service refuses it */
export async function beginSignIn({ secrets, store }: SignInGround, way: WithToken): Promise<SignInCode> {
  if (!allowsSignIn(way))
    throw new AppError("CONFLICT", `Nobody can sign in for the way out ${way.name}.`, {
      reason: "no_sign_in",
      suggestion: "It needs auth oauth2 with a client at Microsoft.",
    });
  const nowMs = store.clock.nowMs();
  const { askForCode } = await import("./device-code.ts");
  const begun = await askForCode({ ...way, nowMs });
  if (begun.kind !== "begun")
    throw new AppError("CONFLICT", `The service gives no code: ${begun.problem}`, {
      reason: "sign_in_refused",
      values: { problem: begun.problem },
      suggestion: "Allow public client flows for the app at Microsoft, and check tenant and client ID.",
    });
  const { deviceCode, userCode: code, url, lastsMs, intervalSeconds } = begun;
  const ticket: Ticket = { for: settingsOf(way), deviceCode, endsAtMs: nowMs + lastsMs };
  return {
    code,
    url,
    ticket: secrets.encrypt(JSON.stringify(ticket)),
    expiresAt: iso(ticket.endsAtMs),
    intervalSeconds,
  };
}

/** Whether the person has agreed; if so, the way has its tokens. */
export async function endSignIn(ground: SignInGround, way: WithToken, text: string): Promise<SignInState> {
  const nowMs = ground.store.clock.nowMs();
  const ticket = ticketIn(ground.secrets, text);
  if (ticket?.for !== settingsOf(way)) return failed("The way out was changed since. Begin again.");
  if (nowMs >= ticket.endsAtMs) return failed("The code has expired. Begin again.");
  const { askForGrant, isWaiting } = await import("./device-code.ts");
  const grant = await askForGrant({ ...way, nowMs }, ticket.deviceCode);
  if (grant.kind !== "granted") return isWaiting(grant) ? WAITING : failed(grant.problem);
  if (grant.refreshToken === null) return failed("The service gave no refresh token: its scope lacks offline_access.");
  await ground.tokens.adopt(way, grant);
  return { state: "DONE", problem: null };
}

function ticketIn(secrets: Secrets, text: string): Ticket | null {
  try {
    return JSON.parse(secrets.decrypt(text)) as Ticket;
  } catch (error) {
    if (error instanceof UnreadableError) return null;
    throw error;
  }
}
