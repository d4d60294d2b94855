// Decodes encoded words in header fields (RFC 2047, RFC 2231 §5).
import { textOfBytes } from "./charset.ts";

/** Blanks and question marks in a word are invalid but common; question marks are only accepted in short words. */
const WORD = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bq])\?([^?\r\n]*|(?:[^?\r\n]|\?(?!=)){0,200})\?=/gi;
const BETWEEN_WORDS = /(\?=)[ \t]+(?==\?[^?\s]+\?[bq]\?(?:[^?\r\n]*|(?:[^?\r\n]|\?(?!=)){0,200})\?=)/gi;

/** Words that cannot be decoded stay as they are. */
export function decodedWords(text: string): string {
  if (!text.includes("=?")) return text;
  const joined = text.replace(BETWEEN_WORDS, "$1");
  const parts: CharsetRun[] = [];
  let result = "";
  let at = 0;
  const flush = () => {
    result += parts.splice(0).reduce((sum, { charset, bytes }) => sum + textOfBytes(Buffer.concat(bytes), charset), "");
  };
  for (const { 0: word, 1: charset = "", 2: encoding = "", 3: content = "", index } of joined.matchAll(WORD)) {
    if (index > at) {
      flush();
      result += joined.slice(at, index);
    }
    append(parts, charset.toLowerCase(), bytesOf(encoding, content));
    at = index + word.length;
  }
  flush();
  return result + joined.slice(at);
}

type CharsetRun = { readonly charset: string; readonly bytes: Buffer[] };

/** A character may begin in one word and end in the next. */
function append(parts: CharsetRun[], charset: string, bytes: Buffer): void {
  const last = parts.at(-1);
  if (last?.charset === charset) last.bytes.push(bytes);
  else parts.push({ charset, bytes: [bytes] });
}

function bytesOf(encoding: string, content: string): Buffer {
  if (encoding.toLowerCase() === "b") return Buffer.from(content, "base64");
  const text = content.replaceAll("_", " ").replace(/=([0-9a-f]{2})/gi, (_, hex: string) => {
    return String.fromCharCode(parseInt(hex, 16));
  });
  return Buffer.from(text, "latin1");
}
