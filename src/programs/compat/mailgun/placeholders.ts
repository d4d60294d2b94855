// Mailgun's placeholders, as Liquid: `%recipient.name%` is filled in for each recipient, in texts and in headers.
import { invalidField } from "../../../base/errors.ts";
import { literalPiece } from "../../../content/templates/liquid/literal.ts";
import { MAX_SOURCE_CHARS } from "../../../content/templates/liquid/render.ts";
import type { HeaderValue } from "../../../mail/emails/content/queries.ts";

/** A name of one of the recipient's variables. */
export const VARIABLE_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_-]{0,99}$/u;
const ADDRESS = /%recipient(?:_email)?%/g;
const VARIABLE = /%recipient(?:\.([\p{L}\p{N}_][\p{L}\p{N}_-]{0,99})|_email)?%/gu;
/** Other placeholders of Mailgun. */
const OTHERS = /%(recipient_(?:name|fname|lname)|(?:tag_|mailing_list_)?unsubscribe_(?:url|email))%/;
/** A way to unsubscribe in List-Unsubscribe that only Mailgun has. */
const OWN_WAYS = /<(?:mailto:)?%(?:tag_|mailing_list_)?unsubscribe_(?:url|email)%>/g;

export type PlaceholderState = {
  /** The names of variables that texts or headers have. */
  readonly names: Set<string>;
  readonly said: string[];
  /** Without recipient-variables, the placeholders stay as they are. */
  readonly hasVariables: boolean;
};

/** @throws AppError VALIDATION_ERROR on `field` for a placeholder that would stay as it is */
export function templateOf(field: string, text: string, { names, hasVariables }: PlaceholderState): string {
  const places = hasVariables ? VARIABLE : ADDRESS;
  const other = OTHERS.exec(text)?.[1];
  if (other !== undefined) throw unfilled(field, other);
  if (text.length > MAX_SOURCE_CHARS && text.search(places) >= 0)
    throw invalidField(field, `A text with variables takes at most ${MAX_SOURCE_CHARS} characters.`, "too_big");
  let [made, from] = ["", 0];
  for (const { 0: whole, 1: name, index } of text.matchAll(places)) {
    if (name !== undefined) names.add(name);
    made +=
      pieceOf(field, text.slice(from, index)) + (name === undefined ? "{{{ email }}}" : `{{{ recipient.${name} }}}`);
    from = index + whole.length;
  }
  // A text without any is literal as a whole, which is recognized without parsing.
  return made + pieceOf(field, text.slice(from));
}

/** A header field, which is empty without the ways to unsubscribe that only Mailgun has. @throws as `templateOf` */
export function headerOf(name: string, value: string, filling: PlaceholderState): HeaderValue {
  const kept = /^list-unsubscribe$/i.test(name) ? withoutOwnWays(value, filling) : value;
  const isFilled = kept.search(filling.hasVariables ? VARIABLE : ADDRESS) >= 0;
  return isFilled ? { template: templateOf(`h:${name}`, kept, filling) } : kept;
}

function withoutOwnWays(value: string, { said }: PlaceholderState): string {
  const kept = value.replace(OWN_WAYS, "");
  if (kept === value) return value;
  said.push("Of List-Unsubscribe, the address that only Mailgun reads was left out.");
  return kept
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .join(", ");
}

function pieceOf(field: string, text: string): string {
  const piece = literalPiece(text);
  if (piece === null) throw invalidField(field, 'A text has at most 1,000 times "{% endraw".', "too_big");
  return piece;
}

function unfilled(field: string, name: string) {
  const message = name.includes("unsubscribe")
    ? `Posthorn writes links to unsubscribe into marketing email only: use a MARKETING template in place of %${name}%.`
    : `Posthorn does not fill in %${name}%: give it among the recipient-variables.`;
  return invalidField(field, message, "unsupported");
}
