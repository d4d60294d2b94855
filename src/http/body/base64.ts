// Base64 in a body (RFC 4648 §4).

/** Line breaks inside are allowed; null for any other text that is not base64. */
export function fromBase64(text: string): Uint8Array | null {
  const packed = /\s/.test(text) ? text.replace(/\s+/g, "") : text;
  const unpadded = packed.replace(/={1,2}$/, "");
  const bytes = Buffer.from(unpadded, "base64");
  const isPadded = packed.length === unpadded.length || packed.length % 4 === 0;
  return isPadded && Math.ceil((bytes.length * 4) / 3) === unpadded.length && !/[-_]/.test(unpadded) ? bytes : null;
}
