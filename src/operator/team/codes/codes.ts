// Codes beside the password: those of an authenticator app, and recovery codes in case it is lost.
import { AppError, invalidField } from "../../../base/errors.ts";
import { UnreadableError } from "../../../base/secrets.ts";
import { sha256Hex } from "../../../base/ids.ts";
import type { Ground } from "../../../ground/ground.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import {
  confirmTotpSecret,
  deleteRecoveryCode,
  deleteRecoveryCodes,
  deleteTotpSecret,
  hasRecoveryCode,
  insertRecoveryCodes,
  insertTotpSecret,
  takeStep,
  totpSecretOf,
  type TotpSecret,
} from "./queries.ts";
import { newAppSecret, newRecoveryCode, stepOfCode, type AppSecret } from "./totp.ts";

const RECOVERY_CODES = 10;

/** A right code; recorded in the transaction that relies on it. */
export type CodeProof = { readonly record: (tx: Tx) => Promise<void> };

/** The owner of an app, with the name that it shows. */
type AppOwner = { readonly seq: number; readonly email: string };

/** Secrets are made before the transaction, which keeps them. */
type CodeChange<Answer> = (tx: Tx) => Promise<Answer>;

/** Whether a code is required beside the password of a person. */
export async function areCodesAsked(reader: Reader, person: number): Promise<boolean> {
  return ((await totpSecretOf(reader, person))?.confirmedAt ?? null) !== null;
}

export class Codes {
  readonly #ground: Ground;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /**
   * A secret for the app of a person; codes are required once one of it is confirmed. An earlier one that was not is
   * replaced. The change throws AppError CONFLICT if codes are required already.
   */
  async setUp({ seq, email }: AppOwner): Promise<CodeChange<AppSecret>> {
    const made = await newAppSecret(email);
    const encrypted = this.#ground.secrets.encrypt(made.secret);
    return async (tx) => {
      if ((await insertTotpSecret(tx, seq, encrypted)) > 0) return made;
      throw new AppError("CONFLICT", "An authenticator app is set up already.", {
        reason: "totp_on",
        suggestion: "Remove it first.",
      });
    };
  }

  /**
   * Turns codes on, and answers the recovery codes.
   * @throws AppError VALIDATION_ERROR on `code`, CONFLICT if no set-up was begun, or it is over
   */
  async confirm(person: number, code: string): Promise<CodeChange<string[]>> {
    const { clock, secrets, store } = this.#ground;
    const found = await store.read((reader) => totpSecretOf(reader, person));
    if (!found || found.confirmedAt !== null) throw noSetUp();
    const step = await stepOfCode(secrets.decrypt(found.secret), typed(code), clock.nowMs());
    if (step === null) throw invalidField("code", "This is not the code that the app shows now.", "wrong_code");
    const recoveryCodes = await newRecoveryCodes();
    return async (tx) => {
      if ((await confirmTotpSecret(tx, person, found.secret, step)) === 0) throw noSetUp();
      return replaceRecoveryCodes(tx, person, recoveryCodes);
    };
  }

  /** New recovery codes. The change throws AppError CONFLICT if codes are not required. */
  async renew(person: number): Promise<CodeChange<string[]>> {
    const recoveryCodes = await newRecoveryCodes();
    return async (tx) => {
      if (!(await areCodesAsked(tx, person))) throw noCodes();
      return replaceRecoveryCodes(tx, person, recoveryCodes);
    };
  }

  /** Proves a code of the app, or a recovery code; null if it is wrong. */
  async proven(person: number, code: string): Promise<CodeProof | null> {
    const entered = typed(code);
    return /^\d+$/.test(entered) ? this.#byApp(person, entered) : this.#byRecovery(person, sha256Hex(entered));
  }

  async #byApp(person: number, code: string): Promise<CodeProof | null> {
    const { clock, secrets, store } = this.#ground;
    const found = await store.read((reader) => totpSecretOf(reader, person));
    const step = found && (await stepOfCode(decryptSecret(secrets, found), code, clock.nowMs()));
    return step === null ? null : once((tx) => takeStep(tx, person, step));
  }

  async #byRecovery(person: number, hash: string): Promise<CodeProof | null> {
    const isKnown = await this.#ground.store.read((reader) => hasRecoveryCode(reader, person, hash));
    return isKnown ? once((tx) => deleteRecoveryCode(tx, person, hash)) : null;
  }
}

/** @throws AppError CONFLICT if codes are not required */
export async function removeCodes(tx: Tx, person: number): Promise<void> {
  if (!(await endCodes(tx, person))) throw noCodes();
}

/** With the recovery codes. False if there was no app. */
export async function endCodes(tx: Tx, person: number): Promise<boolean> {
  await deleteRecoveryCodes(tx, person);
  return (await deleteTotpSecret(tx, person)) > 0;
}

/** @throws AppError SIGN_IN_FAILED for a secret that another key of the installation has encrypted */
function decryptSecret(secrets: Ground["secrets"], { secret }: TotpSecret): string {
  try {
    return secrets.decrypt(secret);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw new AppError("SIGN_IN_FAILED", "The authenticator app was set up with another key of this server.", {
      reason: "unreadable_app",
      suggestion: "Use a recovery code, or ask an owner to remove the app.",
    });
  }
}

function once(spend: (tx: Tx) => Promise<number>): CodeProof {
  return {
    record: async (tx) => {
      if ((await spend(tx)) === 0) throw wrongCode();
    },
  };
}

/** One that was used gets the answer of a wrong one. */
export function wrongCode(): AppError {
  return new AppError("SIGN_IN_FAILED", "The code is wrong, or was used before.", {
    reason: "wrong_code",
    suggestion: "Wait for the next code of the app, or use a recovery code.",
  });
}

function noSetUp(): AppError {
  return new AppError("CONFLICT", "No authenticator app is being set up.", { reason: "totp_not_begun" });
}

function noCodes(): AppError {
  return new AppError("CONFLICT", "There is no authenticator app.", { reason: "totp_off" });
}

async function replaceRecoveryCodes(tx: Tx, person: number, codes: string[]): Promise<string[]> {
  await deleteRecoveryCodes(tx, person);
  await insertRecoveryCodes(
    tx,
    person,
    codes.map((code) => sha256Hex(typed(code))),
  );
  return codes;
}

function newRecoveryCodes(): Promise<string[]> {
  return Promise.all(Array.from({ length: RECOVERY_CODES }, newRecoveryCode));
}

/** Apps show blanks in codes, and recovery codes have lines. */
function typed(code: string): string {
  return code.replace(/[\s-]/g, "").toUpperCase();
}
