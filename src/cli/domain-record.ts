// A sender domain as the verbs show it: as a record, and in words.
import type { Config } from "../config.ts";
import { recordsFor, type DnsRecord } from "../workspaces/dns-records.ts";
import type { DomainRow } from "../workspaces/queries.ts";

export type DomainRecord = {
  readonly id: string;
  readonly domain: string;
  /** Its name. */
  readonly workspace: string;
  readonly verified: boolean;
  readonly verifiedAt: string | null;
  readonly selector: string;
  readonly records: readonly DnsRecord[];
};

export function domainRecord(row: DomainRow, { delivery }: Config): DomainRecord {
  return {
    id: row.id,
    domain: row.domain,
    workspace: row.workspace_name,
    verified: row.verified_at !== null,
    verifiedAt: row.verified_at,
    selector: row.selector,
    records: recordsFor({ ...row, publicKey: row.public_key }, delivery.returnPathDomain),
  };
}

export function addedText({ domain, workspace, records }: DomainRecord): string {
  const published = records.map(({ purpose, required, ...record }) => {
    const facts = [`name   ${record.name}`, `type   ${record.type}`, `value  ${record.value}`];
    return [`  ${purpose} (${required ? "needed" : "recommended"})`, ...facts.map((fact) => `    ${fact}`)].join("\n");
  });
  const title = `Added ${domain} to the workspace ${workspace}. Publish these records in its DNS:`;
  return [title, ...published, `Then: posthorn domain verify ${domain}`].join("\n\n");
}

/** `found`: what stands in the DNS in place of the record. */
export function notVerifiedText({ domain, verified, records }: DomainRecord, found: readonly string[]): string {
  const [wanted] = records.filter((record) => record.purpose === "DKIM");
  const title = found.length === 0 ? "its DKIM record was not found" : "its DKIM record does not hold our key";
  return [
    `${domain} could not be verified: ${title}.`,
    `  looked for  ${wanted?.type} ${wanted?.name}`,
    ...(found.length === 0 ? ["nothing"] : found).map((value) => `  found       ${value}`),
    `  must be     ${wanted?.value}`,
    verified ? "It was verified before and stays so." : "A new record may take hours to be seen everywhere.",
  ].join("\n");
}
