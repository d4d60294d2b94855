// The marks in a complaint to a feedback-loop address: everything that may identify the mail as ours. Knows no store;
// the proofs are judged in take-complaint.ts.
import { textOfBytes } from "../../../content/mime/charset.ts";
import { parseAddress } from "../../../base/addresses.ts";
import { parsed } from "../reading/parsed.ts";
import { readNotice } from "./notice.ts";

/**
 * `path`: from a return path, or a CFBL-Feedback-ID. `link`: from a link to a recipient's page. `pixel`: from the pixel
 * that counts opens.
 */
export type ComplaintMark = { readonly kind: "path" | "link" | "pixel"; readonly token: string };

export type Complaint = {
  /** Our marks, if their signatures hold; in order of appearance. */
  readonly marks: readonly ComplaintMark[];
  /** Unsigned ids of mails: from Message-ID, X-Posthorn-Id and the fields that we send to providers. */
  readonly ids: readonly string[];
  /**
   * The recipients who complained according to the report, if it names any; perhaps without the local part (RFC 6590).
   */
  readonly recipients: readonly string[];
  /** The report's own mail fails DMARC. */
  readonly isForged: boolean;
};

const MAX_BYTES = 512 * 1024;

const MARKS =
  /\bb\+([a-z2-7]{34})@|^cfbl-feedback-id:\s*([a-z2-7]{34})\b|\/(?:unsubscribe|subscribe|manage)\/([\w-]{59})(?![\w-])|\/o\/([\w-]{38})(?![\w-])/gim;
export const UUID = "([\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12})";
const IDS = new RegExp(
  `^message-id:\\s*<${UUID}@|^x-posthorn-id:\\s*${UUID}\\s*$|\\bposthorn-id\\W{1,8}${UUID}`,
  "gim",
);
const RECIPIENTS = /^(?:original-rcpt-to|removal-recipient|x-hmxmroriginalrecipient):\s*(?:rfc822\s*;)?\s*(\S+)/gim;
const MOST = 20;

export type MailMarks = Omit<Complaint, "isForged">;

/** Null: it is not a complaint (`readNotice`). Never throws. */
export async function readComplaint(raw: Buffer): Promise<MailMarks | null> {
  return (await readNotice(raw)).kind === "complaint" ? marksIn(raw) : null;
}

/** Never throws. */
export async function marksIn(raw: Buffer): Promise<MailMarks> {
  const said = await textsOf(raw);
  return {
    marks: all(said, MARKS).flatMap(markOf),
    ids: distinct(all(said, IDS).map(([, ...names]) => names.find((name) => name !== undefined) ?? "")),
    recipients: distinct(
      all(said, RECIPIENTS).flatMap(([, one = ""]) => parseAddress(one.replace(/^<|>$/g, "")) ?? []),
    ),
  };
}

/** The raw text, and then the decoded parts. */
async function textsOf(raw: Buffer): Promise<string> {
  const bytes = raw.subarray(0, MAX_BYTES);
  try {
    const { attachments, text = "", html } = await parsed(bytes, { keepDeliveryStatus: true });
    const files = attachments.filter(({ contentType }) => /^(message|text)\//.test(contentType));
    const inside = await Promise.all(files.map(({ content }) => parsed(content).catch(() => null)));
    const bodies = inside.flatMap((one) => [one?.text ?? "", one?.html || ""]);
    const contents = files.map(({ content }) => textOfBytes(content, null));
    return [latin(bytes), ...contents, text, html || "", ...bodies].join("\n");
  } catch {
    return latin(bytes);
  }
}

function markOf([, path, fed, link, pixel]: RegExpMatchArray): ComplaintMark[] {
  if (link !== undefined) return [{ kind: "link", token: link }];
  if (pixel !== undefined) return [{ kind: "pixel", token: pixel }];
  return [{ kind: "path", token: (path ?? fed ?? "").toLowerCase() }];
}

function all(text: string, known: RegExp): RegExpMatchArray[] {
  return [...text.matchAll(known).take(MOST)];
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
