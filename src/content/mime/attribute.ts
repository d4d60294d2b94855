// The decoded value of an HTML attribute.

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Decodes only references that occur in URLs; others stay as they are. */
export function decoded(attribute: string): string {
  return attribute.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    (reference, hex, decimal, name) => {
      if (name) return NAMED[name.toLowerCase()] ?? reference;
      const code = hex ? parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : reference;
    },
  );
}
