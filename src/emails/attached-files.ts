// Reading the attachments of POST /v1/send: base64, and all of them together not too large (interface-gaps.md §2).
import type { FieldError } from "../errors.ts";
import type { AttachmentRow } from "./queries.ts";
import type { AttachmentField } from "./send-shape.ts";

const LARGEST_BYTES = 10 * 1024 * 1024;

/** The files of a request; what is wrong with them is added to `errors`. */
export function attachedFiles(given: readonly AttachmentField[], errors: FieldError[]): AttachmentRow[] {
  const read = given.map((field, index) => attachedFile(`attachments.${index}`, field, errors));
  const bytes = read.reduce((sum, one) => sum + one.bytes.length, 0);
  if (bytes > LARGEST_BYTES) {
    errors.push({ field: "attachments", message: "The attachments are larger than 10 MB together.", code: "too_big" });
  }
  return read;
}

function attachedFile(field: string, given: AttachmentField, errors: FieldError[]): AttachmentRow {
  const bytes = fromBase64(given.content);
  const disposition = given.disposition ?? "attachment";
  if (!bytes) errors.push({ field: `${field}.content`, message: "The content is not base64.", code: "invalid_base64" });
  if (disposition === "inline" && !given.contentId) {
    errors.push({ field: `${field}.contentId`, message: "An inline attachment needs a contentId.", code: "required" });
  }
  return {
    filename: given.filename,
    content_type: given.contentType ?? given.type ?? null,
    disposition,
    content_id: given.contentId ?? null,
    bytes: bytes ?? new Uint8Array(),
  };
}

/** RFC 4648 §4, line breaks inside allowed; null if it is anything else. */
function fromBase64(text: string): Uint8Array | null {
  const packed = /\s/.test(text) ? text.replace(/\s+/g, "") : text;
  const unpadded = packed.replace(/={1,2}$/, "");
  const bytes = Buffer.from(unpadded, "base64");
  const whole = packed.length === unpadded.length || packed.length % 4 === 0;
  return whole && Math.ceil((bytes.length * 4) / 3) === unpadded.length && !/[-_]/.test(unpadded) ? bytes : null;
}
