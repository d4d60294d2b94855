// Signing in: by password, with a code or a passkey beside it, by passkey alone, or by a link; and renewing the proof
// of identity.
import { AppError } from "../../base/errors.ts";
import { hostOf } from "../../base/ip-addresses.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { SignInAttempt, SignInLimits } from "./session/sign-in-limits.ts";
import type { SignInFailures } from "./session/failures.ts";
import { areCodesAsked, wrongCode, type Codes } from "./codes/codes.ts";
import type { Passkeys } from "./passkeys/passkeys.ts";
import { firstCodeIn } from "./invitations/first-code.ts";
import { findLink, noLink } from "./invitations/link.ts";
import type { Invitation } from "./invitation-queries.ts";
import { signInFailed, type Passwords } from "./session/password.ts";
import { userByEmail, userBySeq, type User } from "./queries.ts";
import { triedAddress } from "./user.ts";

/** The services that signing in needs. */
export type SignInDeps = {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly passkeys: Passkeys;
  readonly codes: Codes;
  readonly limits: SignInLimits;
  readonly failures: SignInFailures;
};

/** A browser's answer, from which a passkey proof is made. */
export type PasskeyAnswer = { readonly id: string };

/** `record` belongs into the transaction that relies on it. */
export type SignInResult = { readonly user: User; readonly record: (tx: Tx) => Promise<void> };

/** The client that tries, and its request. */
export type SignInClient = {
  readonly client: string | null;
  readonly requestId: string;
  /** The session of the attempt, if any: a signed-in user does not wait behind strangers. */
  readonly session?: number;
};

/** Given beside the password. */
type SecondFactor = {
  readonly passkey?: PasskeyAnswer | null | undefined;
  readonly code?: string | null | undefined;
};

type Credentials = SignInClient & SecondFactor & { readonly email: string; readonly password: string };

const NOTHING_TO_RECORD = async () => {};

/**
 * An unknown address gets the answer of a wrong password, in the same time.
 * @throws AppError SIGN_IN_FAILED, PASSKEY_NEEDED, CODE_NEEDED, RATE_LIMIT_EXCEEDED
 */
export async function byPassword(
  deps: SignInDeps,
  { email, password, passkey, code, ...trying }: Credentials,
): Promise<SignInResult> {
  const user = await compared(deps, triedAddress(email), password, trying);
  if (!user) throw signInFailed();
  return bySecond(deps, user, { passkey, code }, trying);
}

/** A passkey takes the place of a code. @throws AppError as `byPassword` */
async function bySecond(
  deps: SignInDeps,
  user: User,
  { passkey, code }: SecondFactor,
  trying: SignInClient,
): Promise<SignInResult> {
  const isCodeAsked = await deps.store.read((reader) => areCodesAsked(reader, user.seq));
  if (!user.needsPasskey && !isCodeAsked) return { user, record: NOTHING_TO_RECORD };
  if (passkey) return byPasskey(deps, passkey, trying, user);
  if (user.needsPasskey) throw new AppError("PASSKEY_NEEDED", "The password is right. This user also needs a passkey.");
  if (!code) throw new AppError("CODE_NEEDED", "The password is right. This user also needs a code.");
  return byCode(deps, user, code, trying);
}

/**
 * Counted apart from passwords: a right password is known to who comes here. @throws AppError SIGN_IN_FAILED,
 * RATE_LIMIT_EXCEEDED
 */
async function byCode(deps: SignInDeps, user: User, code: string, trying: SignInClient): Promise<SignInResult> {
  const proven = await limited(deps, `codes of ${user.id}`, trying, {
    work: () => deps.codes.proven(user.seq, code),
    tried: () => user,
  });
  if (!proven) throw wrongCode();
  return { user, record: proven.record };
}

/**
 * The code of the first owner can be typed, and so guessed: wrong ones are slowed down like wrong passwords.
 * @throws AppError LINK_NOT_FOUND, RATE_LIMIT_EXCEEDED
 */
export async function byLink(deps: SignInDeps, token: string, trying: SignInClient): Promise<Invitation> {
  const { store } = deps;
  const find = () => store.read((reader) => findLink(reader, token, store.clock.nowMs()));
  const isCode = firstCodeIn(token) !== null;
  const found = await (isCode ? limited(deps, "first owner", trying, { work: find, tried: () => null }) : find());
  if (!found) throw noLink();
  return found;
}

/** Null for a wrong password. @throws AppError RATE_LIMIT_EXCEEDED */
async function compared(
  deps: SignInDeps,
  account: string,
  password: string,
  trying: SignInClient,
): Promise<User | null> {
  const { passwords, store } = deps;
  let tried: User | null = null;
  const compare = async () => {
    tried = await store.read((reader) => userByEmail(reader, account));
    return (await passwords.isRight(password, tried?.passwordHash ?? null, turnOf(trying))) ? tried : null;
  };
  return limited(deps, account, trying, { work: compare, tried: () => tried });
}

/** `work` answers null for a failure; `tried`: whose account it was, once that is known. */
type Attempt<Result> = { readonly work: () => Promise<Result | null>; readonly tried: () => User | null };

/** @throws AppError RATE_LIMIT_EXCEEDED */
async function limited<Result>(
  { limits, failures }: SignInDeps,
  account: string,
  trying: SignInClient,
  { work, tried }: Attempt<Result>,
): Promise<Result | null> {
  const failed = () => failures.note({ ...trying, user: tried() });
  try {
    return await limits.run(attemptOf(account, trying), work, failed);
  } catch (error) {
    if (error instanceof AppError && error.code === "RATE_LIMIT_EXCEEDED") failures.noteRefusal(trying.client);
    throw error;
  }
}

/** Inside a session its own guesses count: guesses of strangers at the account would keep its user from a proof. */
function attemptOf(account: string, { client, session }: SignInClient): SignInAttempt {
  return session === undefined ? { client, account } : { client: null, account: `session ${session}` };
}

function turnOf({ client, session }: SignInClient): string {
  if (session !== undefined) return `session ${session}`;
  return client === null ? "strangers" : hostOf(client);
}

/** `expected`: whose passkey it must be. @throws AppError SIGN_IN_FAILED */
export async function byPasskey(
  { store, passkeys, failures }: SignInDeps,
  answer: PasskeyAnswer,
  trying: SignInClient,
  expected: User | null = null,
): Promise<SignInResult> {
  const proven = await passkeys.proven(answer);
  const user = proven && (await store.read((reader) => userBySeq(reader, proven.passkey.person)));
  if (user && (expected === null || user.seq === expected.seq)) return { user, record: proven.record };
  await failures.note({ ...trying, user: expected });
  throw new AppError("SIGN_IN_FAILED", "This passkey is not known here.");
}
