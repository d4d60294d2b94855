// Passkeys: registration, and proof of a user's identity.
import { AppError, invalidField, limitReached } from "../../../base/errors.ts";
import type { Ground } from "../../../ground/ground.ts";
import { newId } from "../../../base/ids.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { isValid, newChallenge, spend, type ChallengeSubject } from "./challenge.ts";
import { deletePasskey, insertPasskey, notePasskeyUse, passkeysOf, passkeyWith, type Passkey } from "./queries.ts";
import { offerOf, type PasskeyOffer, type Site } from "./site.ts";
import { answered, created, creationOptions, requestOptions, type Bearer, type PasskeyCredential } from "./webauthn.ts";

const MOST_OF_A_PERSON = 20;
const DEFAULT_NAME = "Passkey";

/** The answer to a challenge; recorded in the transaction that relies on it. */
export type PasskeyProof = { readonly passkey: Passkey; readonly record: (tx: Tx) => Promise<void> };
export type PasskeyRegistration = {
  readonly record: (tx: Tx, person: number, name?: string | null) => Promise<string>;
};

export class Passkeys {
  readonly #ground: Ground;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  get offer(): PasskeyOffer {
    return offerOf(this.#ground.config.http.baseUrl);
  }

  /** @throws AppError CONFLICT where passkeys are not offered */
  async askToMake(bearer: Bearer, known: readonly string[]) {
    return creationOptions(this.#site(), bearer, known, this.#challenge(`register ${bearer.id}`));
  }

  /**
   * `response`: the browser's answer to `askToMake` for the same bearer. @throws AppError VALIDATION_ERROR on `passkey`
   */
  async made(bearerId: string, response: unknown): Promise<PasskeyRegistration> {
    const seen = this.#seer(`register ${bearerId}`);
    const passkey = await created(this.#site(), response, seen.isOurs);
    if (!passkey) throw invalidField("passkey", "The passkey does not answer what was asked.");
    return {
      record: async (tx, person, name) => {
        if (!(await spend(tx, seen.challenge()))) throw invalidField("passkey", "The passkey was used before.");
        return keep(tx, person, passkey, name?.trim() || DEFAULT_NAME);
      },
    };
  }

  /** @throws AppError CONFLICT where passkeys are not offered */
  async askFor() {
    return requestOptions(this.#site(), this.#challenge("sign in"));
  }

  /** Null if the browser's answer proves nothing. @throws AppError CONFLICT where passkeys are not offered */
  async proven(response: { readonly id: string }): Promise<PasskeyProof | null> {
    const site = this.#site();
    const passkey = await this.#ground.store.read((reader) => passkeyWith(reader, response.id));
    if (!passkey) return null;
    const seen = this.#seer("sign in");
    const counter = await answered(site, passkey, response, seen.isOurs);
    if (counter === null) return null;
    const spendChallenge = async (tx: Tx) => {
      if (!(await spend(tx, seen.challenge())))
        throw new AppError("SIGN_IN_FAILED", "The passkey's answer was used before.");
      await notePasskeyUse(tx, passkey.seq, counter);
    };
    return { passkey, record: spendChallenge };
  }

  #site(): Site {
    const { site, reason } = this.offer;
    if (site) return site;
    throw new AppError("CONFLICT", reason, { suggestion: "Use a password." });
  }

  #challenge(subject: ChallengeSubject) {
    return newChallenge(this.#ground.secrets, subject, this.#ground.clock.nowMs());
  }

  /** Remembers the challenge that was checked. */
  #seer(subject: ChallengeSubject) {
    const { secrets, clock } = this.#ground;
    let seen = "";
    const isOurs = (challenge: string) => isValid(secrets, subject, (seen = challenge), clock.nowMs());
    return { isOurs, challenge: () => seen };
  }
}

/** Answers its id. @throws AppError CONFLICT */
async function keep(tx: Tx, person: number, passkey: PasskeyCredential, name: string): Promise<string> {
  if ((await passkeysOf(tx, person)).length >= MOST_OF_A_PERSON)
    throw limitReached(
      "passkeys",
      MOST_OF_A_PERSON,
      `A person has at most ${MOST_OF_A_PERSON} passkeys.`,
      "Remove one first.",
    );
  const id = newId(tx.nowMs);
  if ((await insertPasskey(tx, { id, person, name, ...passkey })) === 0)
    throw new AppError("CONFLICT", "This passkey is known already.", { reason: "passkey_known" });
  return id;
}

/** @throws AppError PASSKEY_NOT_FOUND, also for another user's */
export async function ownPasskey(reader: Reader, person: number, id: string): Promise<Passkey> {
  const found = (await passkeysOf(reader, person)).find((one) => one.id === id);
  if (!found) throw new AppError("PASSKEY_NOT_FOUND", `There is no passkey ${id}.`);
  return found;
}

/** @throws AppError PASSKEY_NOT_FOUND, CONFLICT if it is needed to sign in */
export async function removePasskey(tx: Tx, person: number, id: string, isNeeded: boolean): Promise<void> {
  const { seq } = await ownPasskey(tx, person, id);
  if (isNeeded && (await passkeysOf(tx, person)).length === 1)
    throw new AppError("CONFLICT", "Without this passkey you could not sign in.", {
      reason: "last_passkey",
      suggestion: "Set a password, or add another passkey first; or stop asking for a passkey beside the password.",
    });
  await deletePasskey(tx, seq);
}
