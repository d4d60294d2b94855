// An address in a request: in its stored form, or a field error that says why not.
import {
  mailboxText,
  parseAddress,
  parseDomainName,
  parseMailbox,
  withoutQuotes,
  type Mailbox,
} from "../../base/addresses.ts";
import { AppError, invalidField } from "../../base/errors.ts";

/** @throws AppError VALIDATION_ERROR on `field` */
export function requiredAddress(field: string, text: string): string {
  const address = parseAddress(text);
  if (!address) throw noAddress(field, text);
  return address;
}

/** Null and undefined as they are. @throws AppError VALIDATION_ERROR on `field` */
export function optionalAddress<None extends null | undefined>(field: string, text: string | None): string | None {
  return typeof text === "string" ? requiredAddress(field, text) : text;
}

/** `Name <address>`, or an address alone. @throws AppError VALIDATION_ERROR on `field` */
export function requiredMailbox(field: string, text: string): Mailbox {
  const mailbox = parseMailbox(text);
  if (!mailbox) throw noAddress(field, text);
  return mailbox;
}

/** Null and undefined as they are. @throws AppError VALIDATION_ERROR on `field` */
export function optionalMailbox<None extends null | undefined>(field: string, text: string | None): Mailbox | None {
  return typeof text === "string" ? requiredMailbox(field, text) : text;
}

/** As `optionalMailbox`, as one text (`mailboxText`): where answers go. */
export function optionalReplyTo<None extends null | undefined>(field: string, text: string | None): string | None {
  return typeof text === "string" ? mailboxText(requiredMailbox(field, text)) : text;
}

/** A sender's name as it is shown; null and undefined as they are. */
export function senderName<None extends null | undefined>(name: string | None): string | None {
  return typeof name === "string" ? withoutQuotes(name) : name;
}

/**
 * The name to keep beside `from`: the given name, or else the one in `from`, or else `before`. Null and "" clear it.
 */
export function keptSenderName(
  given: string | null | undefined,
  from: Mailbox | null | undefined,
  before: string | null,
): string | null {
  const name = senderName(given);
  return name || senderName(from?.name) || (name === undefined ? before : name);
}

function noAddress(field: string, text: string): AppError {
  const parts = text.slice(0, LONGEST_LIST).split(/[,;\n]/);
  if (parts.filter((part) => part.includes("@")).length > 1)
    return invalidField(
      field,
      "These are several addresses. Write one address a text: a list of texts has several.",
      "invalid_email",
    );
  return invalidField(field, "This is not an email address.", "invalid_email");
}

const LONGEST_LIST = 2_000;

/**
 * The name in the form of addresses: in ASCII and lower case, without space around it or a dot at its end.
 * @throws AppError VALIDATION_ERROR on `field` if it is not a domain name
 */
export function domainName(text: string, field = "domain"): string {
  const domain = parseDomainName(text);
  if (domain !== null) return domain;
  const message = `"${text.slice(0, 300)}" is not a domain name.`;
  throw new AppError("VALIDATION_ERROR", message, { errors: [{ field, message, code: "invalid_domain" }] });
}
