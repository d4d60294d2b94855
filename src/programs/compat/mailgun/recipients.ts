// The recipients of one call: all get one message, or with `recipient-variables` each a message of their own.
import { parseAddress, parseMailbox, type Mailbox } from "../../../base/addresses.ts";
import { invalidField } from "../../../base/errors.ts";
import { excessOf } from "../../../http/body/body.ts";
import { lastValue, type WholeForm } from "../../../http/body/whole-form.ts";
import type { Recipient } from "../../../mail/emails/door/request.ts";
import { MOST_RECIPIENTS_OF_BATCH } from "../../../mail/emails/send/batch-shape.ts";
import { fieldsIn, splitAddresses, type JsonFields } from "../fields.ts";
import { VARIABLE_NAME } from "./placeholders.ts";

const VARIABLES = "recipient-variables";
/** A call's recipients in one field. */
const LONGEST_LIST = 500_000;
/** All requests wait while JSON is parsed. */
const LONGEST_JSON = 4 * 1024 * 1024;
const BOUNDS = { levels: 20, keys: 50_000, items: 50_000 };

/** The addresses of a field, each with its name. @throws AppError VALIDATION_ERROR */
export function mailboxesIn(field: string, given: readonly string[]): Mailbox[] {
  const texts = given.flatMap((one) => splitAddresses(field, one, LONGEST_LIST));
  if (texts.length > MOST_RECIPIENTS_OF_BATCH)
    throw invalidField(field, `A call has at most ${MOST_RECIPIENTS_OF_BATCH} recipients.`, "too_big");
  return texts.map((text) => {
    const mailbox = parseMailbox(text);
    if (mailbox === null) throw invalidField(field, `"${text.slice(0, 100)}" is not an address.`, "invalid_address");
    return mailbox;
  });
}

/** By address. Null: there are none, so that all recipients see each other. */
export type RecipientVariables = ReadonlyMap<string, JsonFields>;

/** @throws AppError VALIDATION_ERROR */
export function variablesIn(form: WholeForm): RecipientVariables | null {
  const text = lastValue(form, VARIABLES);
  if (text === undefined) return null;
  return new Map(
    Object.entries(fieldsIn(VARIABLES, jsonIn(VARIABLES, text))).map(([email, given]) => {
      const variables = fieldsIn(VARIABLES, given);
      const wrong = Object.keys(variables).find((name) => !VARIABLE_NAME.test(name));
      if (wrong !== undefined)
        throw invalidField(VARIABLES, `"${wrong.slice(0, 100)}" is no name: letters, digits, _ and - are.`, "invalid");
      return [parseAddress(email) ?? email, variables];
    }),
  );
}

/** @throws AppError VALIDATION_ERROR */
export function jsonIn(field: string, text: string): unknown {
  if (text.length > LONGEST_JSON || excessOf(text, BOUNDS) !== null)
    throw invalidField(field, "This has more than 4 MB, or more than 50,000 values.", "too_big");
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField(field, "This must be JSON.", "invalid");
  }
}

/**
 * Each with what the texts name, or with all for a template, which names it as `recipient.name`. One that is missing
 * stays as it is written, as at Mailgun.
 */
export function withVariables(
  recipients: readonly Mailbox[],
  variables: RecipientVariables,
  names: ReadonlySet<string> | null,
): Recipient[] {
  return recipients.map((one) => {
    const own = variables.get(one.address) ?? {};
    if (names === null) return { ...one, variables: { recipient: own } };
    if (names.size === 0) return one;
    const filled = [...names].map(
      (name) => [name, Object.hasOwn(own, name) ? own[name] : `%recipient.${name}%`] as const,
    );
    return { ...one, variables: { recipient: Object.fromEntries(filled) } };
  });
}
