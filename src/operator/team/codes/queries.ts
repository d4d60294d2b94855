// The SQL of authenticator apps and of recovery codes.
import type { Reader, Tx } from "../../../store/store.ts";

export type TotpSecret = {
  /** Encrypted with the installation's key. */
  readonly secret: string;
  /** Null = no code of the app was entered yet. */
  readonly confirmedAt: string | null;
};

export function totpSecretOf(reader: Reader, person: number): Promise<TotpSecret | null> {
  return reader.get<TotpSecret>`
    select secret, confirmed_at as "confirmedAt" from totp_secrets where person = ${person}`;
}

/** In place of one that was not confirmed. Answers 0 if there is one that was. */
export function insertTotpSecret(tx: Tx, person: number, secret: string): Promise<number> {
  return tx.run`
    insert into totp_secrets (person, secret, created_at) values (${person}, ${secret}, ${tx.now})
    on conflict (person) do update set secret = excluded.secret, created_at = excluded.created_at
    where totp_secrets.confirmed_at is null`;
}

/**
 * `secret`: the encrypted one that the code was checked against. Answers 0 if it has been confirmed or replaced since.
 */
export function confirmTotpSecret(tx: Tx, person: number, secret: string, step: number): Promise<number> {
  return tx.run`
    update totp_secrets set confirmed_at = ${tx.now}, step = ${step}
    where person = ${person} and secret = ${secret} and confirmed_at is null`;
}

/** Answers 0 if the step, or one after it, was taken already: here or on another node. */
export function takeStep(tx: Tx, person: number, step: number): Promise<number> {
  return tx.run`
    update totp_secrets set step = ${step} where person = ${person} and step < ${step} and confirmed_at is not null`;
}

export function deleteTotpSecret(tx: Tx, person: number): Promise<number> {
  return tx.run`delete from totp_secrets where person = ${person}`;
}

export async function hasRecoveryCode(reader: Reader, person: number, hash: string): Promise<boolean> {
  return (await reader.get`select 1 from recovery_codes where person = ${person} and hash = ${hash}`) !== null;
}

export async function insertRecoveryCodes(tx: Tx, person: number, hashes: readonly string[]): Promise<void> {
  for (const hash of hashes) await tx.run`insert into recovery_codes (person, hash) values (${person}, ${hash})`;
}

/** Answers 0 if it was used already. */
export function deleteRecoveryCode(tx: Tx, person: number, hash: string): Promise<number> {
  return tx.run`delete from recovery_codes where person = ${person} and hash = ${hash}`;
}

export function deleteRecoveryCodes(tx: Tx, person: number): Promise<number> {
  return tx.run`delete from recovery_codes where person = ${person}`;
}
