// Signing in: by password, by passkey, or by both; and renewing the proof of identity.
import { AppError } from "../../base/errors.ts";
import { hostOf } from "../../base/ip-addresses.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { SignInAttempt, SignInLimits } from "./session/sign-in-limits.ts";
import type { SignInFailures } from "./session/failures.ts";
import type { Passkeys } from "./passkeys/passkeys.ts";
import { signInFailed, type Passwords } from "./session/password.ts";
import { userByEmail, userBySeq, type User } from "./queries.ts";
import { triedAddress } from "./user.ts";

/** The services that signing in needs. */
export type SignInDeps = {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly passkeys: Passkeys;
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

type Credentials = SignInClient & {
  readonly email: string;
  readonly password: string;
  readonly passkey?: PasskeyAnswer | null | undefined;
};

const NOTHING_TO_RECORD = async () => {};

/**
 * An unknown address gets the answer of a wrong password, in the same time.
 * @throws AppError SIGN_IN_FAILED, PASSKEY_NEEDED, RATE_LIMIT_EXCEEDED
 */
export async function byPassword(
  deps: SignInDeps,
  { email, password, passkey, ...trying }: Credentials,
): Promise<SignInResult> {
  const user = await compared(deps, triedAddress(email), password, trying);
  if (!user) throw signInFailed();
  if (!user.needsPasskey) return { user, record: NOTHING_TO_RECORD };
  if (!passkey) throw new AppError("PASSKEY_NEEDED", "The password is right. This user also needs a passkey.");
  return byPasskey(deps, passkey, trying, user);
}

/** Null for a wrong password. @throws AppError RATE_LIMIT_EXCEEDED */
async function compared(
  deps: SignInDeps,
  account: string,
  password: string,
  trying: SignInClient,
): Promise<User | null> {
  const { limits, failures, passwords, store } = deps;
  let tried: User | null = null;
  const compare = async () => {
    tried = await store.read((reader) => userByEmail(reader, account));
    return (await passwords.isRight(password, tried?.passwordHash ?? null, turnOf(trying))) ? tried : null;
  };
  const failed = () => failures.note({ ...trying, user: tried });
  try {
    return await limits.run(attemptOf(account, trying), compare, failed);
  } catch (error) {
    if (error instanceof AppError && error.code === "RATE_LIMIT_EXCEEDED") failures.refused(trying.client);
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
