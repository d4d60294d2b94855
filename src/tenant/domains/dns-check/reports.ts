// The check of the DNS records about reports: where they are sent, and that the receiving domain accepts them.
import type { Resolver } from "../../../base/dns.ts";
import { dmarcAmong, dmarcRecords, organizationalDomain } from "../../../base/dns/dmarc.ts";
import { missing, OK, quoted, tagsOf, wrong, type DnsFinding } from "./finding.ts";
import { problemOf } from "./problems.ts";

/** A hint beside a valid record whose reports are not sent to `address`. */
export function reportHint(text: string, address: string, kind: "dmarc" | "tls"): DnsFinding {
  const rua = tagsOf(text).get("rua") ?? "";
  if (ruaAddresses(rua).includes(address)) return OK;
  if (rua === "" && kind === "dmarc") return { ...OK, ...problemOf("dmarc_no_reports", { address }) };
  return { ...OK, ...problemOf(`${kind}_reports_elsewhere`, { found: quoted(rua), address }) };
}

/** The addresses without the size that may follow: `mailto:a@example.com!10m`. */
function ruaAddresses(rua: string): string[] {
  return rua.split(",").map((uri) =>
    uri
      .toLowerCase()
      .replace(/^mailto:/, "")
      .replace(/!.*$/, ""),
  );
}

type TlsReports = { readonly name: string; readonly domain: string; readonly address: string };

/** RFC 8460 §3. @throws DnsError if the records cannot be found out */
export async function checkTlsReports(resolver: Resolver, { name, address }: TlsReports): Promise<DnsFinding> {
  const found = (await resolver.txt(name)).filter((text) => /^v=TLSRPTv1\s*(;|$)/i.test(text));
  const [text, ...others] = found;
  if (text === undefined) return missing("tls_reports_none", { name });
  if (others.length > 0) return wrong("tls_reports_several", { count: String(found.length), name });
  return reportHint(text, address, "tls");
}

type ReportPermission = { readonly name: string; readonly domain: string; readonly home: string };

/** RFC 7489 §7.1, RFC 9990 §4. @throws DnsError if the records cannot be found out */
export async function checkPermission(
  resolver: Resolver,
  { name, domain, home }: ReportPermission,
): Promise<DnsFinding> {
  if (dmarcAmong(await resolver.txt(name)).length > 0) return OK;
  const txt = (one: string) => resolver.txt(one);
  const [own, theirs] = await Promise.all([domain, home].map((one) => dmarcRecords(txt, one)));
  const isSame = organizationalDomain(domain, own ?? []) === organizationalDomain(home, theirs ?? []);
  return isSame
    ? { ...OK, ...problemOf("permission_not_needed", { home }) }
    : missing("permission_none", { home, name });
}
