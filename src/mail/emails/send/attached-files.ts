// Reads the attachments of POST /v1/send: base64, and not too large together.
import { invalidField, readAll, readEach, refuse, type FieldError } from "../../../base/errors.ts";
import { fromBase64 } from "../../../http/body/base64.ts";
import type { Attachment } from "../../../content/mime/attachment.ts";
import type { AttachmentField } from "./shape.ts";

const MAX_TOTAL_BYTES = 10 * 1024 * 1024;

/** Null = not base64. */
export type BytesOf = (given: AttachmentField) => Uint8Array | null;

export function decoded({ content }: AttachmentField): Uint8Array | null {
  return fromBase64(content);
}

/** @throws AppError VALIDATION_ERROR naming every invalid field of them */
export function attachedFiles(given: readonly AttachmentField[], bytesOf: BytesOf = decoded): Attachment[] {
  const contents = given.map(bytesOf);
  const sizeBytes = contents.reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0);
  const read = readAll({
    files: () =>
      readEach(given, (field, index) => attachedFile(`attachments.${index}`, field, contents[index] ?? null)),
    size: () => checkSize(sizeBytes),
  });
  return read.files;
}

function checkSize(bytes: number): void {
  if (bytes > MAX_TOTAL_BYTES)
    throw invalidField("attachments", "The attachments are larger than 10 MB together.", "too_big");
}

function attachedFile(field: string, given: AttachmentField, content: Uint8Array | null): Attachment {
  const disposition = given.disposition ?? "attachment";
  const faults: FieldError[] = [];
  if (!content)
    faults.push({ field: `${field}.content`, message: "The content is not base64.", code: "invalid_base64" });
  if (disposition === "inline" && !given.contentId)
    faults.push({ field: `${field}.contentId`, message: "An inline attachment needs a contentId.", code: "required" });
  refuse(faults);
  return {
    filename: given.filename,
    contentType: given.contentType || given.type || null,
    disposition,
    contentId: given.contentId || null,
    content: content as Uint8Array,
  };
}
