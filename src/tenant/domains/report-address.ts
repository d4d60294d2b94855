// The addresses for reports on the mail of a sender domain (docs/reports.md): one of ours for each domain, so that a
// report counts for that domain alone.
//
// Everyone can read the address in the DNS, so it proves nothing; but that of another domain cannot be guessed.
import { domainOf } from "../../base/addresses.ts";
import { randomBase62 } from "../../base/ids.ts";
import type { RecordSettings } from "./dns-records.ts";
import type { Domain } from "./queries.ts";

const TOKEN_CHARS = 24;
const LOCAL_PART = /^reports-([a-z0-9]{24})$/;

/** In small letters: some servers change the case of addresses. */
export function newReportToken(): string {
  return randomBase62(TOKEN_CHARS).toLowerCase();
}

type ReportAddressParts = Pick<Domain, "domain" | "reportToken" | "checks">;
type ReportSettings = Pick<RecordSettings, "takesMail" | "mailHost" | "reportDomain">;

/**
 * At the domain itself if its mail arrives here, so that no other domain has to agree; null = email from outside is not
 * taken, or the name of this server is unknown.
 */
export function reportAddressOf(
  { domain, reportToken, checks }: ReportAddressParts,
  settings: ReportSettings,
): string | null {
  const home = arrivesHere({ domain, checks }, settings) ? domain : settings.reportDomain;
  return home === null ? null : `reports-${reportToken}@${home}`;
}

/** Whether mail to the domain arrives here, by the finding about its MX record. */
export function arrivesHere(
  { domain, checks }: Pick<Domain, "domain" | "checks">,
  { takesMail, mailHost }: Pick<ReportSettings, "takesMail" | "mailHost">,
): boolean {
  const inbound = checks[`INBOUND ${domain}`];
  return takesMail && mailHost !== null && inbound?.state === "OK" && inbound.code === undefined;
}

/** The token in an address of this form, at any domain; null for any other address. */
export function reportTokenIn(address: string): string | null {
  const local = address.slice(0, -domainOf(address).length - 1).toLowerCase();
  return LOCAL_PART.exec(local)?.[1] ?? null;
}

/** A DMARC or TLS-RPT record, with one more address for reports. */
export function withReportAddress(text: string, address: string): string {
  const tags = text.split(";").map((tag) => tag.trim());
  const at = tags.findIndex((tag) => /^rua\s*=/i.test(tag));
  const uri = `mailto:${address}`;
  if (at === -1) return [...tags.filter((tag) => tag !== ""), `rua=${uri}`].join("; ");
  const was = (tags[at] ?? "").replace(/^rua\s*=\s*/i, "");
  return tags
    .with(at, was === "" ? `rua=${uri}` : `rua=${was},${uri}`)
    .join("; ")
    .trim();
}
