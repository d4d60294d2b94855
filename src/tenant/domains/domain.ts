// Sender domains: each with its own DKIM keys, verified in one workspace only.
import { HOUR_MS, iso } from "../../base/clock.ts";
import { AppError, limitReached } from "../../base/errors.ts";
import { notifyChange } from "../events/notify.ts";
import { domainName } from "../../http/body/address-field.ts";
import { newId } from "../../base/ids.ts";
import type { Secrets } from "../../base/secrets.ts";
import { remembered } from "../../store/loads.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { giveKey, type KeyPair } from "./dkim-key.ts";
import {
  countDomains,
  domainById,
  domainsNamed,
  insertDomain,
  markVerified,
  senderDomain,
  type SenderDomain,
  setDemo,
  setDomainRemoved,
  verifierOf,
  type Domain,
} from "./queries.ts";
import { forgetPrivateKeys } from "./key-queries.ts";
import { newReportToken } from "./report-address.ts";
import { tellVerified } from "./verdict.ts";

/** The limit, since each is checked daily. */
const MAX_DOMAINS_A_WORKSPACE = 1_000;
/** The owner of a new domain publishes its records first. */
const FIRST_LOOK_AFTER_MS = HOUR_MS;

type DomainInput = { readonly domain: string; readonly keyPair: KeyPair };

/**
 * Adds a sender domain to a workspace, not yet verified.
 * @throws AppError VALIDATION_ERROR if it is not a domain name, CONFLICT if the workspace has it, or has as many as it
 * may have, or another has verified it
 */
export async function addDomain(tx: Tx, secrets: Secrets, workspace: number, input: DomainInput): Promise<Domain> {
  const domain = await addableDomain(tx, workspace, input.domain);
  const firstLookAt = iso(tx.nowMs + FIRST_LOOK_AFTER_MS);
  const seq = await insertDomain(
    tx,
    { id: newId(tx.nowMs), workspace, domain, reportToken: newReportToken() },
    firstLookAt,
  );
  if (seq === null) throw hasAlready(domain);
  await giveKey(tx, secrets, { seq, domain, keyPair: input.keyPair, activeFrom: tx.now });
  notifyChange(tx, "domains", workspace);
  return findDomain(tx, domain, workspace);
}

/**
 * The name of the domain, if `addDomain` would take it: to be called before a key is made for it, which takes long.
 * @throws as addDomain
 */
export async function addableDomain(reader: Reader, workspace: number, text: string): Promise<string> {
  const domain = domainName(text);
  if (await senderDomain(reader, workspace, domain)) throw hasAlready(domain);
  if ((await countDomains(reader, workspace)) >= MAX_DOMAINS_A_WORKSPACE)
    throw limitReached(
      "domains",
      MAX_DOMAINS_A_WORKSPACE,
      `A workspace has at most ${MAX_DOMAINS_A_WORKSPACE} sender domains.`,
      "Remove an unused domain: DELETE /domains/{id}.",
    );
  const verifier = await verifierOf(reader, domain);
  if (verifier && verifier.workspace !== workspace) throw verifiedElsewhere(domain);
  return domain;
}

/** @throws AppError DOMAIN_NOT_FOUND, also for another workspace's domain */
export async function ownDomain(reader: Reader, workspace: number, id: string): Promise<Domain> {
  const row = await domainById(reader, workspace, id);
  if (!row) throw new AppError("DOMAIN_NOT_FOUND", `There is no domain ${id}.`);
  return row;
}

/**
 * No more mail is sent from the domain, queued mail included; its keys are deleted. @throws AppError DOMAIN_NOT_FOUND
 */
export async function removeDomain(tx: Tx, workspace: number, id: string): Promise<Domain> {
  const domain = await ownDomain(tx, workspace, id);
  const { seq } = domain;
  await setDomainRemoved(tx, seq);
  await forgetPrivateKeys(tx, seq);
  notifyChange(tx, "domains", workspace);
  return domain;
}

/** @throws AppError DOMAIN_NOT_FOUND, or CONFLICT if several workspaces have it and none was named */
export async function findDomain(reader: Reader, domain: string, workspace: number | null): Promise<Domain> {
  const found = await domainsNamed(reader, domainName(domain), workspace);
  if (found.length > 1)
    throw new AppError("CONFLICT", `Several workspaces have the domain ${domain}: name one with --workspace.`);
  const row = found[0];
  if (!row) throw new AppError("DOMAIN_NOT_FOUND", `There is no domain ${domain} here.`);
  return row;
}

/**
 * Marks the domain as verified without a DNS check. @throws AppError CONFLICT if another workspace has verified the
 * domain
 */
export async function takeAsVerified(tx: Tx, domain: Domain): Promise<void> {
  if (await isVerifiedElsewhere(tx, domain)) throw verifiedElsewhere(domain.domain);
  if (domain.verifiedAt === null || domain.failingSince !== null) {
    await markVerified(tx, domain.seq, true);
    await tellVerified(tx, domain);
  }
  await setDemo(tx, domain.seq, false);
}

export async function isVerifiedElsewhere(reader: Reader, { domain, workspace }: Domain): Promise<boolean> {
  const verifier = await verifierOf(reader, domain);
  return verifier !== null && verifier.workspace !== workspace;
}

export type SenderScope = { readonly workspace: number; readonly domains: readonly string[] | null };

const senderDomainOf = remembered(
  ({ workspace, domain }: { readonly workspace: number; readonly domain: string }) => `${workspace} ${domain}`,
  (tx, { workspace, domain }) => senderDomain(tx, workspace, domain),
);

/**
 * The domain row that a caller may send from.
 * @throws AppError DOMAIN_NOT_ALLOWED outside the key's scope, DOMAIN_NOT_VERIFIED in every other case
 */
export async function domainToSendFrom(tx: Tx, sender: SenderScope, domain: string): Promise<number> {
  return allowedToSend(sender, domain, await senderDomainOf(tx, { workspace: sender.workspace, domain }));
}

/** The number of the domain's row as found. @throws as `domainToSendFrom` */
export function allowedToSend(sender: SenderScope, domain: string, row: SenderDomain | null): number {
  refuseOutsideScope(sender, domain);
  if (domain === "")
    throw new AppError("DOMAIN_NOT_VERIFIED", "There is no sender.", {
      reason: "sender_none",
      suggestion: "Set from to an address of a verified domain.",
    });
  if (!row?.verifiedAt)
    throw new AppError("DOMAIN_NOT_VERIFIED", `The domain ${domain} is not verified in this workspace.`, {
      reason: "domain_unverified",
      values: { domain },
    });
  return row.seq;
}

/** @throws AppError DOMAIN_NOT_ALLOWED for a domain outside the key's scope */
export function refuseOutsideScope({ domains }: SenderScope, domain: string): void {
  if (domains && !domains.includes(domain))
    throw new AppError("DOMAIN_NOT_ALLOWED", `This key may not send from ${domain}.`);
}

function hasAlready(domain: string): AppError {
  return new AppError("CONFLICT", `The workspace already has the domain ${domain}.`, {
    reason: "domain_known",
    values: { domain },
  });
}

export function verifiedElsewhere(domain: string): AppError {
  return new AppError("CONFLICT", `The domain ${domain} is verified in another workspace.`, {
    reason: "domain_verified_elsewhere",
    values: { domain },
  });
}
