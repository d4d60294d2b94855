// An attached file as a MIME part.
import { isUtf8 } from "node:buffer";
import { detectMimeType, parseHeaderValue } from "nodemailer/lib/mime-funcs";
import { encodedWords, field, isPlain, oneLine, parameters, quotedString } from "./header-field.ts";
import { binaryPart } from "./mime-part.ts";

export type Attachment = {
  readonly filename: string;
  /** The sender's type; null: guessed from the file name. */
  readonly contentType: string | null;
  readonly disposition: "attachment" | "inline";
  /** The name by which the HTML embeds it, as `cid:`. */
  readonly contentId: string | null;
  readonly content: Uint8Array;
};

type MediaType = { readonly value: string; readonly params: Readonly<Record<string, string>> };

const MAX_CONTENT_TYPE_CHARS = 500;
const MAX_CONTENT_ID_CHARS = 255;
const MAX_PLAIN_NAME_CHARS = 255;
const TOKEN = /^[\w!#$%&'*+.^`{|}~-]{1,60}$/;
const MEDIA_TYPE = /^[\w!#$%&'*+.^`{|}~-]{1,60}\/[\w!#$%&'*+.^`{|}~-]{1,80}$/;

/** The part as text: header fields (RFC 2183, RFC 2392) and a base64 body. */
export function attachmentPart(attachment: Attachment): string {
  const filename = oneLine(attachment.filename);
  const { value, params } = mediaType(attachment);
  const contentId = contentIdOf(attachment);
  const fields = [
    field("Content-Type", `${parameters(value, params)}; name=${legacyName(filename)}`),
    field("Content-Disposition", parameters(attachment.disposition, { filename })),
    contentId === "" ? "" : field("Content-ID", `<${contentId}>`),
  ];
  return binaryPart(fields.join(""), attachment.content);
}

/** True if the HTML embeds it by its Content-ID, so that it belongs to the HTML and not beside the text. */
export function isEmbedded(attachment: Attachment): boolean {
  return attachment.disposition === "inline" && contentIdOf(attachment) !== "";
}

function contentIdOf({ contentId }: Attachment): string {
  return (contentId ?? "").replace(/[^\x21-\x7e]|[<>]/g, "").slice(0, MAX_CONTENT_ID_CHARS);
}

// A base64 body is not allowed in message/… (RFC 2046 §5.2.1), and multipart/… would be taken for our own structure.
function mediaType({ contentType, filename, content }: Attachment): MediaType {
  const given = parseHeaderValue((contentType ?? "").slice(0, MAX_CONTENT_TYPE_CHARS), { stripComments: true });
  const value = (MEDIA_TYPE.test(given.value) ? given.value : detectMimeType(filename)).toLowerCase();
  if (/^(?:message|multipart)\//.test(value)) return { value: "application/octet-stream", params: {} };
  const known = Object.entries(given.params).filter(([key]) => TOKEN.test(key) && key !== "name");
  const params = Object.fromEntries(known.map(([key, text]) => [key, oneLine(text)]));
  if (!value.startsWith("text/") || params["charset"] || !isUtf8(content)) return { value, params };
  return { value, params: { ...params, charset: "utf-8" } };
}

// Mail programs without RFC 2231 read the name here, with encoded words in it.
function legacyName(filename: string): string {
  const plain = isPlain(filename) && filename.length <= MAX_PLAIN_NAME_CHARS && !filename.includes("=?");
  return plain ? quotedString(filename) : `"${encodedWords(filename)}"`;
}
