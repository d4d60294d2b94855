// DMARC aggregate reports: RFC 7489 appendix C, RFC 9990, and the dialects of receivers that follow neither fully.
import { isIP } from "node:net";
import { plainAddress } from "../../../base/ip-addresses.ts";
import {
  countIn,
  momentIn,
  MOST_ROWS,
  plainDomain,
  plainText,
  readable,
  Unreadable,
  type DmarcReport,
  type DmarcRow,
} from "./report.ts";
import { readXml, textAt, within, type XmlElement } from "./xml.ts";

const MAX_RECORDS = 100_000;
/** Policy fields of either RFC. */
const POLICY = ["p", "sp", "np", "adkim", "aspf", "pct", "testing", "discovery_method"] as const;

/** @throws Unreadable */
export function readDmarc(xml: string): DmarcReport {
  let metadata: XmlElement | undefined;
  let policy: XmlElement | undefined;
  let records = 0;
  let lost = 0;
  const rows = new Map<string, DmarcRow>();
  const root = readXml(xml, (element) => {
    if (element.name === "report_metadata") metadata ??= element;
    if (element.name === "policy_published") policy ??= element;
    if (element.name !== "record") return;
    if (++records > MAX_RECORDS) throw new Unreadable("large");
    for (const row of within(element, "row")) {
      const read = readable(() => rowOf(element, row));
      if (read === null) lost++;
      else add(rows, read);
    }
  });
  if (root !== "feedback" || !metadata || !policy) throw new Unreadable("fields");
  // If there are rows, at least one has to be readable.
  if (lost > 0 && rows.size === 0) throw new Unreadable("fields");
  const domain = plainDomain(textAt(policy, "domain"));
  const all = [...rows.values()].map((row) => (row.headerFrom === "" ? { ...row, headerFrom: domain } : row));
  return {
    kind: "DMARC",
    ...spanOf(metadata),
    domain: reportField(domain),
    policy: policyOf(policy),
    rows: bounded(all),
    lost,
  };
}

function spanOf(metadata: XmlElement) {
  const [begun, ended] = ["begin", "end"].map((edge) => momentIn(textAt(metadata, "date_range", edge)));
  if (begun === undefined || ended === undefined || ended < begun) throw new Unreadable("fields");
  return {
    organization: reportField(plainText(textAt(metadata, "org_name") || textAt(metadata, "email"))),
    reportId: reportField(plainText(textAt(metadata, "report_id"))),
    begunAt: begun,
    endedAt: ended,
  };
}

function reportField(text: string): string {
  if (text === "") throw new Unreadable("fields");
  return text;
}

function policyOf(policy: XmlElement): Readonly<Record<string, string>> {
  const tags = POLICY.map((name) => [name, plainText(textAt(policy, name), 20).toLowerCase()] as const);
  return Object.fromEntries(tags.filter(([, value]) => value !== ""));
}

/** One record has one row; a few receivers write several. */
function rowOf(record: XmlElement, row: XmlElement): DmarcRow {
  const identifiers = within(record, "identifiers")[0];
  const results = within(record, "auth_results")[0];
  const evaluated = within(row, "policy_evaluated")[0];
  const headerFrom = plainDomain(textAt(identifiers, "header_from"));
  return {
    ip: addressIn(textAt(row, "source_ip")),
    count: countIn(textAt(row, "count")),
    headerFrom,
    disposition: dispositionIn(textAt(evaluated, "disposition")),
    dkim: passed(textAt(evaluated, "dkim")),
    spf: passed(textAt(evaluated, "spf")),
    ...signatureIn(results, headerFrom),
    ...pathIn(results, identifiers),
    override: plainText(textAt(evaluated, "reason", "type"), 40).toLowerCase(),
  };
}

function addressIn(text: string): string {
  const address = plainAddress(text);
  if (address === null || isIP(address) === 0) throw new Unreadable("fields");
  return address.toLowerCase();
}

/** RFC 9990 uses `pass` where the policy was not applied. */
function dispositionIn(text: string): DmarcRow["disposition"] {
  const word = text.toLowerCase();
  return word === "quarantine" || word === "reject" ? word : "none";
}

function passed(text: string): "pass" | "fail" {
  return text.toLowerCase() === "pass" ? "pass" : "fail";
}

/** The signature that passed for the author's domain, else one of that domain, else one that passed, else the first. */
function signatureIn(results: XmlElement | undefined, from: string) {
  const all = (results ? within(results, "dkim") : []).map((one) => ({
    dkimDomain: plainDomain(textAt(one, "domain")),
    dkimSelector: plainText(textAt(one, "selector"), 100).toLowerCase(),
    dkimResult: plainText(textAt(one, "result"), 20).toLowerCase(),
  }));
  const isOwn = ({ dkimDomain: one }: { readonly dkimDomain: string }) =>
    one !== "" && (one === from || from.endsWith(`.${one}`) || one.endsWith(`.${from}`));
  const hasPassed = ({ dkimResult }: { readonly dkimResult: string }) => dkimResult === "pass";
  const told = all.find((one) => isOwn(one) && hasPassed(one)) ?? all.find(isOwn) ?? all.find(hasPassed) ?? all[0];
  return told ?? { dkimDomain: "", dkimSelector: "", dkimResult: "" };
}

function pathIn(results: XmlElement | undefined, identifiers: XmlElement | undefined) {
  const all = results ? within(results, "spf") : [];
  const told = all.find((one) => textAt(one, "scope").toLowerCase() !== "helo") ?? all[0];
  return {
    spfDomain: plainDomain(textAt(told, "domain") || textAt(identifiers, "envelope_from")),
    spfResult: plainText(textAt(told, "result"), 20).toLowerCase(),
  };
}

function add(rows: Map<string, DmarcRow>, row: DmarcRow): void {
  const { count, ...rest } = row;
  const key = JSON.stringify(rest);
  const before = rows.get(key);
  rows.set(key, before ? { ...before, count: before.count + count } : row);
}

/** Rows with the most mails one by one, all others together by their results. */
function bounded(rows: readonly DmarcRow[]): readonly DmarcRow[] {
  if (rows.length <= MOST_ROWS) return rows;
  const sorted = [...rows].sort((one, other) => other.count - one.count);
  const others = new Map<string, DmarcRow>();
  const unnamed = { dkimDomain: "", dkimSelector: "", dkimResult: "", spfDomain: "", spfResult: "", override: "" };
  const most = MOST_ROWS - MOST_OTHERS;
  for (const row of sorted.slice(most)) add(others, { ...row, ip: "", ...unnamed });
  return [...sorted.slice(0, most), ...[...others.values()].slice(0, MOST_OTHERS)];
}

/** Combinations of authors' domains and results; each subdomain has its own. */
const MOST_OTHERS = 200;
