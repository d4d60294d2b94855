// A message to the report address of a domain: its reports, its author, and the names of the addresses in the reports.
import type { Attachment } from "mailparser";
import { domainOf, parseAddress } from "../../../base/addresses.ts";
import type { RecordType } from "../../../base/dns/message.ts";
import { reverseName } from "../../../base/ip-addresses.ts";
import { textOfBytes } from "../../../content/mime/charset.ts";
import { readReports, type File } from "../../reports/reading/read.ts";
import type { DmarcReport, ReadReports } from "../../reports/reading/report.ts";
import type { ReportMail } from "../../reports/take.ts";
import { authenticate, type DnsLookup } from "./authenticate.ts";
import { firstAuthorOf } from "./header.ts";
import { parsed } from "./parsed.ts";
import type { InboundEnvelope } from "./reading.ts";

type DnsInquiry = { readonly ask: DnsLookup; readonly host: string; readonly nowMs: number };

/** Never throws: an unreadable report is answered as a fault. */
export async function readReportMail(raw: Buffer, envelope: InboundEnvelope, asking: DnsInquiry): Promise<ReportMail> {
  const [read, { dmarcVerdict }] = await Promise.all([reportsIn(raw), authenticate(raw, envelope, asking)]);
  const author = parseAddress(firstAuthorOf(raw).address);
  return {
    read,
    sender: author === null ? null : domainOf(author),
    isForged: author === null || dmarcVerdict === "FAIL",
    hosts: await hostsIn(read, asking.ask),
  };
}

async function reportsIn(raw: Buffer): Promise<ReadReports> {
  try {
    const { files, text } = await contentsOf(raw, 0);
    return readReports(files, text, textOfBytes);
  } catch {
    return { fault: "none" };
  }
}

/** A person may forward a report as an attached message. */
const MOST_DEPTH = 3;
const MOST_MESSAGES = 5;

/**
 * The files of a message, and those of the messages attached to it; the text of the first message whose text is a
 * report.
 */
async function contentsOf(
  raw: Buffer,
  depth: number,
): Promise<{ readonly files: readonly File[]; readonly text: string }> {
  const { attachments, text = "" } = await parsed(raw);
  const [messages, own] = partition(attachments, ({ contentType }) => contentType === "message/rfc822");
  const files: File[] = own.map(({ content, headers }) => ({ bytes: content, charset: charsetIn(headers) }));
  if (depth === MOST_DEPTH) return { files, text };
  const inside = await Promise.all(
    messages.slice(0, MOST_MESSAGES).map(({ content }) => contentsOf(content, depth + 1).catch(() => NOTHING)),
  );
  const texts = [text, ...inside.map((one) => one.text)].map((one) => one.trim());
  const report = texts.find((one) => /^\uFEFF?[<{]/.test(one));
  return { files: [...files, ...inside.flatMap((one) => one.files)], text: report ?? "" };
}

const NOTHING = { files: [], text: "" };

function partition<One>(all: readonly One[], is: (one: One) => boolean): readonly [One[], One[]] {
  return [all.filter(is), all.filter((one) => !is(one))];
}

function charsetIn(headers: Attachment["headers"]): string | null {
  const type = headers.get("content-type") as { readonly params?: { readonly charset?: unknown } } | undefined;
  const charset = type?.params?.charset;
  return typeof charset === "string" ? charset : null;
}

/** Names are looked up for the addresses with the most mails. */
const MOST_NAMED = 60;
const ASKED_AT_ONCE = 10;
const LONGEST_MS = 8_000;

/** The name of each address that resolves back to it: the owner of an address may give it any name. */
async function hostsIn(read: ReadReports, ask: DnsLookup): Promise<Readonly<Record<string, string>>> {
  const reports = "reports" in read ? read.reports.filter((one): one is DmarcReport => one.kind === "DMARC") : [];
  const rows = reports.flatMap((one) => one.rows).sort((one, other) => other.count - one.count);
  const left = [...new Set(rows.map(({ ip }) => ip).filter((ip) => ip !== ""))].slice(0, MOST_NAMED);
  const end = AbortSignal.timeout(LONGEST_MS);
  const hosts: Record<string, string> = {};
  const nameHosts = async () => {
    for (let ip = left.shift(); ip !== undefined && !end.aborted; ip = left.shift()) {
      const host = await hostOf(ip, ask);
      if (host !== null) hosts[ip] = host;
    }
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, nameHosts));
  return hosts;
}

const HOST = /^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9])?$/;

async function hostOf(ip: string, ask: DnsLookup): Promise<string | null> {
  const host = (await records(ask, reverseName(ip), "PTR"))[0]?.toLowerCase().replace(/\.$/, "") ?? "";
  if (!HOST.test(host)) return null;
  const isIPv6 = ip.includes(":");
  const addresses = await records(ask, host, isIPv6 ? "AAAA" : "A");
  return addresses.some((one) => reverseName(one) === reverseName(ip)) ? host : null;
}

async function records(ask: DnsLookup, name: string, type: RecordType): Promise<readonly string[]> {
  return (await ask(name, type).catch(() => null))?.records ?? [];
}
