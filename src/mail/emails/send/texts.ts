// The checks of a send request's texts: not too long, and in our language unless they are literal.
import { invalidField, type AppError } from "../../../base/errors.ts";
import type { FieldWarning } from "../../../http/body/unknown-fields.ts";
import { Budget, isOverBudget } from "../../../content/templates/liquid/budget.ts";
import { faultIn } from "../../../content/templates/liquid/inline.ts";
import { literal } from "../../../content/templates/liquid/literal.ts";
import { asWritten, MAX_SOURCE_CHARS } from "../../../content/templates/liquid/render.ts";

/** A mail is composed in one piece, and other mails wait for it. */
const MAX_TEXT_BYTES = 1024 * 1024;
/** The bytes of a longer text are not counted. */
const MAX_COUNTED_CHARS = 2 * MAX_TEXT_BYTES;
/** Processor time for reading all texts of one request: other work waits. */
const READING_MS = 100;

/** `isLiteral`: braces are braces. `isFilled`: the request has data to fill in, so each text has to be readable. */
export type TextTerms = {
  readonly isLiteral: boolean;
  readonly isFilled: boolean;
  readonly warn: (warning: FieldWarning) => void;
};

/** The texts of one request, or of all emails of a batch: a shared text is read once. */
export class RequestTexts {
  readonly #fitting = new Set<string>();
  readonly #literals = new Map<string, string>();
  #budget: Budget | undefined;

  /**
   * The text as it is stored.
   * @throws AppError VALIDATION_ERROR on `field` for a text that is too long, or cannot be read though there is data
   * for it
   */
  read<Text extends string | null | undefined>(field: string, text: Text, terms: TextTerms): Text {
    if (!text) return text;
    if (!this.#fitting.has(text)) refuseTooLong(field, text);
    this.#fitting.add(text);
    if (terms.isLiteral) return this.#literal(field, text) as Text;
    if (text.length > MAX_SOURCE_CHARS && asWritten(text) === null)
      throw invalidField(field, `A text with variables takes at most ${MAX_SOURCE_CHARS} characters.`, "too_big");
    this.#refuseUnreadable(field, text, terms);
    return text;
  }

  #literal(field: string, text: string): string {
    const made = this.#literals.get(text) ?? literal(text);
    if (made === null) throw invalidField(field, 'A literal text has at most 1,000 times "{% endraw".', "too_big");
    this.#literals.set(text, made);
    return made;
  }

  #refuseUnreadable(field: string, text: string, { isFilled, warn }: TextTerms): void {
    const fault = this.#faultIn(field, text);
    if (fault === null) return;
    if (isFilled) throw fault;
    warn({ field, message: `${fault.details.errors?.[0]?.message}. ${LEFT_AS_IT_STANDS}` });
  }

  #faultIn(field: string, text: string): AppError | null {
    try {
      const fault = faultIn(text, () => (this.#budget ??= new Budget(READING_MS)));
      if (!fault) return null;
      const { message, line, column } = fault;
      return invalidField(field, message, "template_syntax", { line, column });
    } catch (error) {
      if (!isOverBudget(error)) throw error;
      return invalidField(field, "The texts of this request take too long to read: send fewer at once", "too_big");
    }
  }
}

const LEFT_AS_IT_STANDS =
  'What cannot be read is sent as it stands. With "literal": true all braces are; with data such a text is refused.';

function refuseTooLong(field: string, text: string): void {
  if (text.length > MAX_COUNTED_CHARS)
    throw invalidField(field, tooLarge(`more than ${number(MAX_COUNTED_CHARS)}`), "too_big");
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_TEXT_BYTES) throw invalidField(field, tooLarge(number(bytes)), "too_big");
}

function tooLarge(has: string): string {
  return `This has ${has} bytes in UTF-8; at most ${number(MAX_TEXT_BYTES)} (1 MB) are allowed. Link to images and files, or attach them.`;
}

function number(value: number): string {
  return value.toLocaleString("en");
}
