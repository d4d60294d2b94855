// Signing in: by password, by passkey, or by both; and proving once more who somebody is.
import { AppError } from "../errors.ts";
import type { Store, Tx } from "../store/store.ts";
import type { SignInBrakes } from "./brakes.ts";
import type { Passkeys } from "./passkeys/passkeys.ts";
import { signInFailed, type Passwords } from "./password.ts";
import { userByEmail, userBySeq, type User } from "./queries.ts";
import { triedAddress } from "./user.ts";

/** What signing in stands on. */
export type Locks = {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly passkeys: Passkeys;
  readonly brakes: SignInBrakes;
};

/** A browser's answer, of which a passkey makes something. */
export type PasskeyAnswer = { readonly id: string };

/** `record` belongs into the transaction that relies on it. */
export type Known = { readonly user: User; readonly record: (tx: Tx) => Promise<void> };

type Credentials = {
  readonly email: string;
  readonly password: string;
  readonly passkey?: PasskeyAnswer | null | undefined;
  readonly client: string | null;
};

const NOTHING_TO_RECORD = async () => {};

/**
 * An unknown address is answered as a wrong password is, in the same time.
 * @throws AppError SIGN_IN_FAILED, PASSKEY_NEEDED, RATE_LIMIT_EXCEEDED
 */
export async function byPassword(locks: Locks, { email, password, passkey, client }: Credentials): Promise<Known> {
  const account = triedAddress(email);
  const user = await locks.brakes.run({ client, account }, async () => {
    const found = await locks.store.read((reader) => userByEmail(reader, account));
    return (await locks.passwords.isRight(password, found?.passwordHash ?? null)) ? found : null;
  });
  if (!user) throw signInFailed();
  if (!user.needsPasskey) return { user, record: NOTHING_TO_RECORD };
  if (!passkey) throw new AppError("PASSKEY_NEEDED", "The password is right. This user also needs a passkey.");
  return byPasskey(locks, passkey, user);
}

/** `expected`: whose passkey it must be. @throws AppError SIGN_IN_FAILED */
export async function byPasskey(
  { store, passkeys }: Locks,
  answer: PasskeyAnswer,
  expected: Pick<User, "seq"> | null = null,
): Promise<Known> {
  const proven = await passkeys.proven(answer);
  const user = proven && (await store.read((reader) => userBySeq(reader, proven.passkey.person)));
  if (!user || (expected !== null && user.seq !== expected.seq))
    throw new AppError("SIGN_IN_FAILED", "This passkey is not known here.");
  return { user, record: proven.record };
}
