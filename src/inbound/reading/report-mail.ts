// A message to the report address of a domain: the report in it, who has written it, and the names of the addresses that
// it tells of.
import { domainOf, parseAddress } from "../../addresses.ts";
import type { RecordType } from "../../dns/message.ts";
import { reverseName } from "../../ip-addresses.ts";
import { readReport } from "../../reports/reading/read.ts";
import type { ReadReport } from "../../reports/reading/report.ts";
import type { ReportMail } from "../../reports/take.ts";
import { authenticate, type Ask } from "./authenticate.ts";
import { firstAuthorOf } from "./header.ts";
import { parsed } from "./parsed.ts";
import type { Envelope } from "./reading.ts";

type Asking = { readonly ask: Ask; readonly host: string; readonly nowMs: number };

/** Never throws: of what cannot be read, the fault is answered. */
export async function readReportMail(raw: Buffer, envelope: Envelope, asking: Asking): Promise<ReportMail> {
  const [read, { dmarcVerdict }] = await Promise.all([reportIn(raw), authenticate(raw, envelope, asking)]);
  const author = parseAddress(firstAuthorOf(raw).address);
  return {
    read,
    sender: author === null ? null : domainOf(author),
    isForged: author === null || dmarcVerdict === "FAIL",
    hosts: await hostsIn(read, asking.ask),
  };
}

async function reportIn(raw: Buffer): Promise<ReadReport> {
  try {
    const { attachments, text } = await parsed(raw);
    return readReport(
      attachments.map(({ content }) => content),
      text ?? "",
    );
  } catch {
    return { fault: "none" };
  }
}

/** Those with the most mails. */
const MOST_NAMED = 60;
const ASKED_AT_ONCE = 10;
const LONGEST_MS = 8_000;

/** The name of each address that leads back to it: anybody may write any name for an address of theirs. */
async function hostsIn(read: ReadReport, ask: Ask): Promise<Readonly<Record<string, string>>> {
  if (!("report" in read) || read.report.kind !== "DMARC") return {};
  const rows = [...read.report.rows].sort((one, other) => other.count - one.count);
  const left = [...new Set(rows.map(({ ip }) => ip).filter((ip) => ip !== ""))].slice(0, MOST_NAMED);
  const end = AbortSignal.timeout(LONGEST_MS);
  const hosts: Record<string, string> = {};
  const work = async () => {
    for (let ip = left.shift(); ip !== undefined && !end.aborted; ip = left.shift()) {
      const host = await hostOf(ip, ask);
      if (host !== null) hosts[ip] = host;
    }
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, work));
  return hosts;
}

const HOST = /^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9])?$/;

async function hostOf(ip: string, ask: Ask): Promise<string | null> {
  const host = (await records(ask, reverseName(ip), "PTR"))[0]?.toLowerCase().replace(/\.$/, "") ?? "";
  if (!HOST.test(host)) return null;
  const isIPv6 = ip.includes(":");
  const addresses = await records(ask, host, isIPv6 ? "AAAA" : "A");
  return addresses.some((one) => reverseName(one) === reverseName(ip)) ? host : null;
}

async function records(ask: Ask, name: string, type: RecordType): Promise<readonly string[]> {
  return (await ask(name, type).catch(() => null))?.records ?? [];
}
