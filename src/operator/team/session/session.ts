// Sessions: a browser in which a user is signed in. A session ends after 14 days without a visit, and after 90 days at
// the latest; after one day if a provider let the user in, which is then asked again whether it still does.
import { randomBytes } from "node:crypto";
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from "../../../base/clock.ts";
import { AppError } from "../../../base/errors.ts";
import { newId, sha256Hex } from "../../../base/ids.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import {
  deleteOldestSessions,
  deleteSessionById,
  insertSession,
  sessionWith,
  touchSession,
  type Session,
} from "./session-queries.ts";

const IDLE_MS = 14 * DAY_MS;
export const LONGEST_MS = 90 * DAY_MS;
const LONGEST_BY_PROVIDER_MS = DAY_MS;
/** A visit is noted this often: a write for each request would be too many. */
const NOTED_MS = HOUR_MS;
/** How long a password or passkey counts as proof. */
const PROOF_MS = 10 * MINUTE_MS;
const MOST_OF_A_PERSON = 50;
const TOKEN_BYTES = 32;
/** The limit of a user agent, in characters. */
const MOST_OF_CLIENT = 200;

/** How the user signed in. `provenAtMs`: when they entered a password or the like there; null = it does not say. */
export type ProviderSignIn = { readonly issuer: string; readonly provenAtMs: number | null };

/** Answers the session's token, of which only a hash is kept. */
export async function openSession(
  tx: Tx,
  person: number,
  userAgent: string | null,
  by: ProviderSignIn | null = null,
): Promise<string> {
  const token = newToken();
  const provenAtMs = by === null ? tx.nowMs : Math.min(tx.nowMs, by.provenAtMs ?? 0);
  await insertSession(tx, {
    id: newId(tx.nowMs),
    person,
    tokenHash: sha256Hex(token),
    client: userAgent?.slice(0, MOST_OF_CLIENT) ?? null,
    provider: by?.issuer ?? null,
    provenAt: iso(provenAtMs),
    endsAt: iso(tx.nowMs + (by === null ? IDLE_MS : LONGEST_BY_PROVIDER_MS)),
  });
  await deleteOldestSessions(tx, person, MOST_OF_A_PERSON);
  return token;
}

/** 256 random bits, for a cookie or a link. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

export function isOver({ endsAt }: Session, nowMs: number): boolean {
  return endsAt <= iso(nowMs);
}

/** Null for a session without a proof that still counts. */
export function provenUntil({ provenAt }: Session, nowMs: number): string | null {
  const untilMs = Date.parse(provenAt) + PROOF_MS;
  return untilMs > nowMs ? iso(untilMs) : null;
}

export function isToBeNoted({ seenAt }: Session, nowMs: number): boolean {
  return nowMs - Date.parse(seenAt) >= NOTED_MS;
}

/** A visit moves the end. */
export async function noteVisit(tx: Tx, { seq, createdAt, provider }: Session): Promise<void> {
  const longestMs = provider === null ? LONGEST_MS : LONGEST_BY_PROVIDER_MS;
  const endsAtMs = Math.min(tx.nowMs + IDLE_MS, Date.parse(createdAt) + longestMs);
  await touchSession(tx, seq, iso(endsAtMs));
}

export function sessionEnded(): AppError {
  return new AppError("SESSION_ENDED", "The session has ended.");
}

/** The session of a request. @throws AppError SESSION_ENDED if it has just been ended */
export async function ownSession(reader: Reader, seq: number): Promise<Session> {
  const session = await sessionWith(reader, seq);
  if (!session) throw sessionEnded();
  return session;
}

/** @throws AppError SESSION_NOT_FOUND, also for another user's */
export async function endSession(tx: Tx, person: number, id: string): Promise<void> {
  const ended = await deleteSessionById(tx, person, id);
  if (ended === 0) throw new AppError("SESSION_NOT_FOUND", `There is no session ${id}.`);
}
