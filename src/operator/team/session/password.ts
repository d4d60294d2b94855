// Passwords: their rules, their storage, and their comparison.
import type { Clock } from "../../../base/clock.ts";
import { AppError, invalidField } from "../../../base/errors.ts";
import { RequestQueue } from "../../../base/brakes/fair-queue.ts";
import { COMMON } from "./common-passwords.ts";

export const SHORTEST = 10;
export const LONGEST = 1_000;

/** 19 MB and some 60 ms each (OWASP's parameters). */
const ARGON2 = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
const AT_ONCE = 2;
/** Clients that cannot be told apart get half of the turns, and one while another owner has one. */
const AT_ONCE_EACH = 1;
const NOBODYS = "a password that nobody has";

/** @throws AppError VALIDATION_ERROR on `password` */
export function checkPassword(password: string, own: readonly string[]): void {
  if (password.length < SHORTEST)
    throw invalidField("password", `A password has at least ${SHORTEST} characters.`, "too_small");
  if (isGuessable(password.toLowerCase(), own))
    throw invalidField("password", "This password is easy to guess. Choose another one.", "common");
}

/** `own`: the person's name and address, which are guessed first. */
function isGuessable(password: string, own: readonly string[]): boolean {
  if (new Set(password).size < 4 || COMMON.has(password)) return true;
  return own.some((text) => text.toLowerCase() === password);
}

export class Passwords {
  readonly #turns: RequestQueue;
  #nobodys: Promise<string> | null = null;

  constructor(clock: Clock) {
    this.#turns = new RequestQueue(clock, AT_ONCE, "sign-ins", AT_ONCE_EACH);
  }

  /** `owner`: whose turn it takes. @throws AppError STORE_UNAVAILABLE if too many are waiting */
  hash(password: string, owner: string): Promise<string> {
    return this.#turns.run(owner, () => Bun.password.hash(typed(password), ARGON2));
  }

  /** Takes as long without a hash (null) as with one. @throws AppError as `hash` */
  async isRight(password: string, hash: string | null, owner: string): Promise<boolean> {
    this.#nobodys ??= Bun.password.hash(NOBODYS, ARGON2);
    const compared = hash ?? (await this.#nobodys);
    const isEqual = await this.#turns.run(owner, () => Bun.password.verify(typed(password), compared));
    return isEqual && hash !== null;
  }
}

/** One keyboard sends "ü" as one sign, another one as two (NIST SP 800-63B §5.1.1.2). */
function typed(password: string): string {
  return password.normalize("NFKC");
}

/** A wrong password and an unknown address get the same answer. */
export function signInFailed(): AppError {
  return new AppError("SIGN_IN_FAILED", "The address or the password is wrong.");
}
