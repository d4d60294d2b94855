// The subset of DER (X.690) that certificates and certificate requests are written in.

export function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

export function bytes(tag: number, hex: string): Buffer {
  return tlv(tag, Buffer.from(hex, "hex"));
}

export function tlv(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

/** Without unused bits in the last byte. */
export function bitString(content: Buffer): Buffer {
  return tlv(0x03, Buffer.concat([Buffer.of(0), content]));
}

export function pem(label: string, der: Buffer): string {
  const lines = der.toString("base64").replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
