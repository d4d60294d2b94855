// Decodes a text for its reader even if its declared charset is wrong. Header fields and bodies are decoded alike.

/** Seven bits with escape sequences, which no other charset has. */
const ISO_2022_JP = /\x1b(?:\$[@B]|\([BJI])/;
/** Adjacent escape sequences, as between encoded words; the decoder takes them for an attack and answers U+FFFD. */
const IDLE_SWITCH = /\x1b(?:\$[@B]|\([BJI])(?=\x1b(?:\$[@B]|\([BJI]))/g;
const NOT_ASCII = /[^\x00-\x7f]/;
/** The declarations of senders that do not know their charset. */
const NO_CHARSET = /^(?:|utf-?8|(?:us-?)?ascii|ansi_x3\.4-1968|unknown(?:-8bit)?|x-unknown|default)$/;
const LATIN_1 = /^(?:iso-?8859-?1|latin-?1|l1|cp-?1252|windows-?1252)$/;
const UTF_16 = /^utf-?16/;

/**
 * `declared`: the name of a charset, null = none. Valid UTF-8 is read as UTF-8; other bytes beyond ASCII are
 * Windows-1252, which includes Latin-1, unless another charset is declared.
 */
export function textOfBytes(bytes: Uint8Array, declared: string | null): string {
  const charset = charsetNamed(declared ?? "");
  if (UTF_16.test(charset)) return decoded(bytes, charset);
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const isSwitched = charset === "iso-2022-jp" || (NO_CHARSET.test(charset) && ISO_2022_JP.test(latin));
  if (isSwitched) return decoded(Buffer.from(latin.replace(IDLE_SWITCH, ""), "latin1"), "iso-2022-jp");
  const isLatin = LATIN_1.test(charset);
  if (isLatin || NO_CHARSET.test(charset)) return NOT_ASCII.test(latin) ? utf8Or(bytes, "windows-1252") : latin;
  return isDecoded(charset) ? decoded(bytes, charset) : utf8Or(bytes, "windows-1252");
}

/** In the decoder's spelling: `ks_c_5601-1987` has underscores, other names have them by mistake. */
function charsetNamed(declared: string): string {
  const name = declared.trim().toLowerCase();
  return isDecoded(name) ? name : name.replaceAll("_", "-");
}

/** True for a charset that can be decoded here. */
export function isKnownCharset(declared: string): boolean {
  return isDecoded(charsetNamed(declared));
}

function isDecoded(charset: string): boolean {
  try {
    return new TextDecoder(charset as Bun.Encoding) !== null;
  } catch {
    return false;
  }
}

function utf8Or(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return decoded(bytes, charset);
  }
}

function decoded(bytes: Uint8Array, charset: string): string {
  return new TextDecoder(charset as Bun.Encoding).decode(bytes);
}
