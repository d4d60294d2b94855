// The fields of Mailgun's /v3/{domain}/messages, as ours (docs/compat/mailgun.md).
import { parseMailbox, type Mailbox } from "../../../base/addresses.ts";
import { invalidField } from "../../../base/errors.ts";
import { lastValue, type WholeForm } from "../../../http/body/whole-form.ts";
import type { HeaderValue } from "../../../mail/emails/content/queries.ts";
import type { Recipient } from "../../../mail/emails/door/request.ts";
import { MOST_RECIPIENTS } from "../../../mail/emails/send/shape.ts";
import { fieldsIn, ignoredIn, withoutNothing, type FieldSupport, type JsonFields } from "../fields.ts";
import { deliveryTimeIn, isOff, labelsIn, prefixed, trackingIn } from "./options.ts";
import { headerOf, templateOf, type PlaceholderState } from "./placeholders.ts";
import { jsonIn, mailboxesIn, variablesIn, withVariables, type RecipientVariables } from "./recipients.ts";

const FORM: FieldSupport = {
  taken: [
    ...["from", "to", "cc", "bcc", "subject", "text", "html", "attachment", "inline", "template", "t:version"],
    ...["t:variables", "recipient-variables", "o:tag", "o:testmode", "o:deliverytime"],
    ...["o:tracking", "o:tracking-clicks", "o:tracking-opens"],
  ],
  refused: {
    "o:require-tls": "The relay's own setting decides on TLS: leave this out.",
    "o:time-zone-localize": "Posthorn does not send by each reader's time zone.",
    "o:deliverytime-optimize-period": "Posthorn does not choose a time for each reader.",
    "o:archive-to": "Posthorn keeps what was sent itself: GET /emails/{id}/raw.",
    "o:suppress-headers": "Posthorn leaves out no header of its own.",
    "t:text": "A template has a text of its own, or its HTML makes one: leave this out.",
  },
};
/** These change nothing here: every email is signed, and leaves by the way that is set. */
const LEFT_OUT = [
  ...["o:dkim", "o:secondary-dkim", "o:secondary-dkim-public", "o:skip-verification", "o:sending-ip"],
  ...["o:sending-ip-pool", "o:tracking-pixel-location-top"],
];
const OPTIONS = new Set([...FORM.taken, ...Object.keys(FORM.refused), ...LEFT_OUT]);
const LONGEST_NAME = 60;

export type MailgunMessage = {
  /** As POST /v1/send takes it, to the first recipient where each gets a message of their own. */
  readonly body: JsonFields;
  /** With variables of their own; null = all get one message. */
  readonly recipients: readonly Recipient[] | null;
  readonly headers: Readonly<Record<string, HeaderValue>>;
  readonly from: Mailbox | null;
  readonly ignored: readonly string[];
  readonly said: readonly string[];
};

/** @throws AppError VALIDATION_ERROR */
export function messageFrom(form: WholeForm): MailgunMessage {
  if (form.json !== undefined)
    throw invalidField("request", "A message is sent as a form, and not as JSON.", "invalid");
  const ignored = ignoredOf(form);
  const variables = variablesIn(form);
  const filling: PlaceholderState = { names: new Set(), said: [], hasVariables: variables !== null };
  const [subject, html, text] = ["subject", "html", "text"].map((name) => {
    const given = lastValue(form, name);
    return given === undefined ? undefined : templateOf(name, given, filling);
  });
  const { "Reply-To": reply, ...headers } = headersIn(form, filling);
  if (reply !== undefined && typeof reply !== "string")
    throw invalidField("h:Reply-To", "All recipients answer to one address: write it out.", "unsupported");
  const template = templateIn(form);
  const { recipients, ...whom } = recipientsIn(form, variables, template === undefined ? filling.names : null);
  const [labels, tracking] = [labelsIn(form), trackingIn(form)];
  const files = [...filesIn(form, "attachment"), ...filesIn(form, "inline")];
  const body = {
    ...{ from: lastValue(form, "from"), ...whom, subject, body: html, text, template, reply },
    headers: sourcesOf(headers),
    data: dataIn(form, variables),
    ...{ tags: labels.tags, metadata: labels.metadata },
    attachments: files.length === 0 ? undefined : files,
    sendAt: deliveryTimeIn(form),
    tracking: tracking.isOn ? undefined : false,
  };
  const said = [...filling.said, ...labels.said, ...tracking.said];
  return { body: withoutNothing(body), recipients, headers, from: senderIn(form), ignored, said };
}

/** An option that is switched off changes nothing. @throws AppError VALIDATION_ERROR for one that would be missed */
function ignoredOf(form: WholeForm): string[] {
  const names = [...Object.keys(form.texts), ...Object.keys(form.files)].filter((name) => !/^[hv]:/.test(name));
  const unknown = names.find((name) => /^[ot]:/.test(name) && !OPTIONS.has(name));
  if (unknown !== undefined)
    throw invalidField(unknown.slice(0, LONGEST_NAME), "Posthorn does not have this option.", "unsupported");
  const given = names.map((name) => [name, isOff(lastValue(form, name)) ? null : name] as const);
  return ignoredIn(Object.fromEntries(given), FORM);
}

function senderIn(form: WholeForm): Mailbox | null {
  return parseMailbox(lastValue(form, "from") ?? "");
}

/** `names`: of the variables in the texts; null = a template may name any. @throws AppError VALIDATION_ERROR */
function recipientsIn({ texts }: WholeForm, variables: RecipientVariables | null, names: ReadonlySet<string> | null) {
  const [to = [], cc = [], bcc = []] = ["to", "cc", "bcc"].map((name) => mailboxesIn(name, texts[name] ?? []));
  if (to.length === 0) throw invalidField("to", "This is required.", "required");
  if (variables !== null) {
    if (cc.length + bcc.length > 0) throw invalidField("cc", ALONE, "unsupported");
    return { recipients: withVariables(to, variables, names), to: mailboxFields(to.slice(0, 1)) };
  }
  if (to.length + cc.length + bcc.length > MOST_RECIPIENTS) throw invalidField("to", TOO_MANY, "too_big");
  const group = to.length > 1 ? { group: true } : {};
  return { recipients: null, to: mailboxFields(to), cc: mailboxFields(cc), bcc: mailboxFields(bcc), ...group };
}

const ALONE = "With recipient-variables each gets a message of their own: leave out cc and bcc.";
const TOO_MANY = `One message has at most ${MOST_RECIPIENTS} recipients. With recipient-variables, each gets a message of their own.`;

function mailboxFields(those: readonly Mailbox[]) {
  if (those.length === 0) return undefined;
  return those.map(({ address: email, name }) => (name === null ? { email } : { email, name }));
}

/** Sender is left out where it says what From says: that one is enough. */
function headersIn(form: WholeForm, filling: PlaceholderState): Readonly<Record<string, HeaderValue>> {
  const from = senderIn(form)?.address;
  const kept = prefixed(form, "h:").filter(
    ([name, value]) =>
      value !== "" &&
      !/^x-mailgun-variables$/i.test(name) &&
      !(/^sender$/i.test(name) && parseMailbox(value)?.address === from),
  );
  return Object.fromEntries(
    kept.map(([name, value]) => [/^reply-to$/i.test(name) ? "Reply-To" : name, headerOf(name, value, filling)]),
  );
}

/** As texts, so that they are checked as any headers. */
function sourcesOf(headers: MailgunMessage["headers"]): Readonly<Record<string, string>> {
  const given = Object.entries(headers);
  return Object.fromEntries(given.map(([name, value]) => [name, typeof value === "string" ? value : value.template]));
}

function templateIn(form: WholeForm): string | undefined {
  const [name, version] = [lastValue(form, "template"), lastValue(form, "t:version")];
  return name === undefined || version === undefined ? name : `${name}@${version}`;
}

/** The data of a template. @throws AppError VALIDATION_ERROR */
function dataIn(form: WholeForm, variables: RecipientVariables | null): JsonFields | undefined {
  const given = ["h:X-Mailgun-Variables", "t:variables"].flatMap((field) => {
    const text = lastValue(form, field);
    return text === undefined ? [] : [fieldsIn(field, jsonIn(field, text))];
  });
  if (given.length === 0) return undefined;
  const data = Object.assign({}, ...given) as JsonFields;
  if (variables !== null && Object.hasOwn(data, "recipient"))
    throw invalidField("t:variables", "With recipient-variables, recipient is the recipient's own.", "conflicting");
  return data;
}

/** An inline file is named by its file name in `cid:`. @throws AppError VALIDATION_ERROR for a text in its place */
function filesIn({ texts, files }: WholeForm, field: "attachment" | "inline") {
  if (texts[field] !== undefined) throw invalidField(field, "This must be a file, with its name.", "invalid");
  return (files[field] ?? []).map(({ filename, contentType, content }) => ({
    ...{ filename: filename || "file", content, contentType: contentType || undefined },
    ...(field === "inline" ? { disposition: field, contentId: filename } : {}),
  }));
}
