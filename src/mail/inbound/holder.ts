// The holder of an address for email from outside: a workspace, by its verified domains, or one of our return paths.
import { domainOf } from "../../base/addresses.ts";
import type { Reader, Store } from "../../store/store.ts";
import { domainReportedTo, verifierOf, type DomainVerifier } from "../../tenant/domains/queries.ts";
import { reportTokenIn } from "../../tenant/domains/report-address.ts";
import { readReturnPath, type ReturnPathOptions } from "../emails/return-path.ts";
import type { ArrivalAddressee } from "./arrival.ts";

export type HolderOptions = {
  readonly store: Store;
  readonly returnPath: ReturnPathOptions;
  /** Our own name to other servers. */
  readonly hostName: string;
};

/** `workspace`: null for a return path. Reports are read apart from mail. */
export type Holder = {
  readonly workspace: number | null;
  readonly isForReports: boolean;
  readonly isDisabled: boolean;
};

const RETURN_PATH: Holder = { workspace: null, isForReports: false, isDisabled: false };

/**
 * Mailboxes that every server that takes mail must have (RFC 5321 §4.5.1, RFC 2142 §5), and the one for complaints
 * (feedback-loop.ts).
 */
const ROLES = /^(postmaster|abuse|fbl)@/;

/** Null = the address is not ours. */
export async function holderOf(options: HolderOptions, address: string): Promise<Holder | null> {
  if (readReturnPath(options.returnPath, address) !== null) return RETURN_PATH;
  const token = reportTokenIn(address);
  return options.store.read(async (reader) => {
    const reported = token === null ? null : await domainReportedTo(reader, token);
    const holder = reported ?? (await verifierFor(reader, options, address));
    if (!holder) return null;
    const { workspace, disabledAt } = holder;
    return { workspace, isForReports: reported !== null, isDisabled: disabledAt !== null };
  });
}

/**
 * The workspace that has verified the domain; for a role mailbox at our own names, that of the next verified domain
 * above it.
 */
async function verifierFor(reader: Reader, options: HolderOptions, address: string): Promise<DomainVerifier | null> {
  const domain = domainOf(address);
  const holder = await verifierOf(reader, domain);
  if (holder || !ROLES.test(address) || !ownNames(options).includes(domain)) return holder;
  const labels = domain.split(".");
  for (let start = 1; start < labels.length - 1; start++) {
    const above = await verifierOf(reader, labels.slice(start).join("."));
    if (above) return above;
  }
  return null;
}

export function ownNames({ returnPath, hostName }: HolderOptions): readonly string[] {
  return [returnPath.returnPathDomain, hostName].flatMap((name) => name?.toLowerCase() ?? []);
}

/** One message for each workspace, and one more for its reports. */
export function addresseesIn(found: ReadonlyMap<string, Holder>): ArrivalAddressee[] {
  const together = Map.groupBy(found, ([, { workspace, isForReports }]) => `${workspace} ${isForReports}`);
  return [...together.values()].map((entries) => ({
    workspace: entries[0]?.[1].workspace ?? null,
    recipients: entries.map(([address]) => address),
  }));
}
