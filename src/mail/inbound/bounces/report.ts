// The common parts of all reports: groups of fields (RFC 3464 §2.1, RFC 5965 §3), a verdict on each recipient, and
// codes in its words.
import type { Blame, Phase, SmtpRefusal } from "../../emails/refusals/blame.ts";

export type ReportFields = ReadonlyMap<string, string>;

const MAX_GROUPS = 100;

/** Groups are separated by empty lines; names in lower case, folded lines joined, the first field of a name counts. */
export function fieldGroups(text: string): ReportFields[] {
  const groups = text.split(/(?:\r?\n[ \t]*){2,}/).slice(0, MAX_GROUPS);
  return groups.map(fieldsOf).filter((fields) => fields.size > 0);
}

/** `rfc822; ada@example.com` → `ada@example.com`; the type is optional in what some servers write. */
export function withoutType(value: string): string {
  return value.replace(/^\s*[\w-]+\s*;\s*/, "").trim();
}

function fieldsOf(group: string): ReportFields {
  const fields = new Map<string, string>();
  for (const line of group.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const name = /^([!-9;-~]+)\s*:/.exec(line)?.[1]?.toLowerCase();
    if (name !== undefined && !fields.has(name)) fields.set(name, line.slice(line.indexOf(":") + 1).trim());
  }
  return fields;
}

export type NoticeEnvelope = {
  /** The addressees of the mails that its recipients (our return paths) name. */
  readonly addressees: readonly string[];
  /** Its own return path: '' = the null sender, as required; null = unknown. */
  readonly sender: string | null;
};

export type RecipientReport = {
  /** As in the report; null if it names no recipient. */
  readonly recipient: string | null;
  readonly action: "failed" | "delayed" | "delivered" | "relayed" | "expanded";
  /** RFC 3463; null if none. */
  readonly status: string | null;
  /** On one line, at most 500 characters; never empty. */
  readonly diagnostic: string;
  readonly blame: Blame;
};

const STATUS = /(?:\b[245]\d\d[ :-]|#|\(|\bmessage |^)\s*([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/i;
const CODE = /(?:^|[\s:;>(#])(4[2-5]\d|5[0-7]\d)(?=[ :,.\])-]|$)(?!\.\d)/;

/** By precedence: a reply about the message or about us may stand beside a RCPT that went well. */
const PHASES: readonly (readonly [Phase, RegExp])[] = [
  [
    "data",
    /\b(reply|response) to (the )?(end of )?DATA\b|\bafter (the )?(end of )?data\b|after I sent the message|\[(DATA|BODY)\]/i,
  ],
  ["mail", /\b(reply|response) to MAIL\b|\bafter MAIL FROM\b|sender was rejected|>>> MAIL From/i],
  ["auth", /\b(reply|response) to AUTH\b|\bafter AUTH\b/i],
  [
    "connect",
    /refused to talk to|\b(reply|response) to (EHLO|HELO|STARTTLS|initial)|greeting failed|after (EHLO|HELO|initial)/i,
  ],
  ["rcpt", /\b(reply|response) to RCPT\b|\bafter RCPT\b|does not like recipient|\bRCPT[ _]TO\b|SMTP:RCPT\b/i],
];

/** No RCPT went well before: the answer to DATA says nothing about the message. */
const OUT_OF_STEP =
  /\b50[34] (5\.5\.\d )?[^<>]{0,80}\[data\]|\b50[34] (5\.5\.\d )?[\w :]{0,20}\b(need|no|valid|bad|out of) [\w ]{0,20}(rcpt|recipients?|sequence|order)[^<>]{0,60}(\(in reply to [\w ]{0,12}DATA command\))?/gi;

/**
 * The first code of each kind in a text; its phase as mail servers write it ("in reply to RCPT TO command", "after RCPT
 * TO:<…>").
 */
export function spoken(text: string): Pick<SmtpRefusal, "code" | "status" | "phase"> {
  return {
    code: Number(CODE.exec(text)?.[1] ?? 0),
    status: STATUS.exec(text)?.[1] ?? null,
    phase: PHASES.find(([, words]) => words.test(text.replace(OUT_OF_STEP, " ")))?.[0] ?? "unknown",
  };
}

/** The worst action of any recipient. `relayed` alone says nothing: no further report will follow. */
export function kindOf(recipients: readonly RecipientReport[]): "bounce" | "delayed" | "delivered" | "unknown" {
  const has = (action: RecipientReport["action"]) => recipients.some((one) => one.action === action);
  if (has("failed")) return "bounce";
  if (has("delayed")) return "delayed";
  return has("delivered") ? "delivered" : "unknown";
}
