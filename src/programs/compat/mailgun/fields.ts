// The fields of Mailgun's /v3/{domain}/messages, as ours (docs/compat.md).
import { parseMailbox, type Mailbox } from "../../../base/addresses.ts";
import { iso } from "../../../base/clock.ts";
import { invalidField } from "../../../base/errors.ts";
import type { FormFile, WholeForm } from "../../../http/body/whole-form.ts";
import type { HeaderValue } from "../../../mail/emails/content/queries.ts";
import type { Recipient } from "../../../mail/emails/door/request.ts";
import { MOST_RECIPIENTS } from "../../../mail/emails/send/shape.ts";
import { ignoredIn, objectIn, withoutNothing, type FieldSupport, type JsonFields } from "../fields.ts";
import { metadataFrom, tagsFrom } from "../labels.ts";
import { headerOf, templateOf, type Filling } from "./placeholders.ts";
import { jsonIn, mailboxesIn, variablesIn, withVariables } from "./recipients.ts";

/** Options that change nothing here are taken: every email is signed, and leaves by the way that is set. */
const FORM: FieldSupport = {
  taken: [
    ...["from", "to", "cc", "bcc", "subject", "text", "html", "attachment", "inline", "template", "message"],
    ...["recipient-variables", "o:tag", "o:testmode", "o:deliverytime"],
    ...["o:tracking", "o:tracking-clicks", "o:tracking-opens", "t:variables", "t:version"],
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
const LEFT_OUT =
  /^(o:(dkim|secondary-dkim(-public)?|skip-verification|sending-ip(-pool)?|tracking-pixel-location-top)|amp-html)$/;

export type MailgunMessage = {
  /** As POST /v1/send takes it, to the first recipient where each gets a message of their own. */
  readonly body: JsonFields;
  /** With variables of their own; null = all get one message. */
  readonly recipients: readonly Recipient[] | null;
  /** Those that are filled in for each recipient. */
  readonly headers: Readonly<Record<string, HeaderValue>>;
  readonly from: Mailbox | null;
  readonly ignored: readonly string[];
  readonly said: readonly string[];
  /** The message is checked, and nothing is sent. */
  readonly isTest: boolean;
};

/** @throws AppError VALIDATION_ERROR */
export function messageFrom(form: WholeForm): MailgunMessage {
  if (form.json !== undefined)
    throw invalidField("request", "A message is sent as a form, and not as JSON.", "invalid");
  const ignored = ignoredOf(form);
  const text = (name: string) => form.texts[name]?.at(-1) || undefined;
  const filling: Filling = { names: new Set(), said: [] };
  const filled = (name: string) => {
    const given = text(name);
    return given === undefined ? undefined : templateOf(name, given, filling);
  };
  const template = templateIn(text("template"), text("t:version"));
  const texts = { subject: filled("subject"), body: filled("html"), text: filled("text") };
  const { "Reply-To": reply, ...headers } = headersIn(form, filling);
  const whom = whomIn(form, template === undefined ? filling.names : null);
  const labels = labelsIn(form);
  const tracking = trackingIn(form);
  const files = [...filesIn(form.files["attachment"]), ...filesIn(form.files["inline"], "inline")];
  if (reply !== undefined && typeof reply !== "string")
    throw invalidField("h:Reply-To", "All recipients answer to one address: write it out.", "unsupported");
  const body = {
    ...{ from: text("from"), ...whom.body, ...texts, template, reply },
    headers: Object.keys(headers).length === 0 ? undefined : sourcesOf(headers),
    // A subject beside a template is filled in like that one; else all braces are braces already.
    data: dataIn(form, whom.recipients !== null),
    ...{ tags: labels.tags, metadata: labels.metadata },
    attachments: files.length === 0 ? undefined : files,
    sendAt: timeIn("o:deliverytime", text("o:deliverytime")),
    tracking: tracking.isOn ? undefined : false,
  };
  return {
    body: withoutNothing(body),
    recipients: whom.recipients,
    headers,
    from: parseMailbox(text("from") ?? ""),
    ignored,
    said: [...filling.said, ...labels.said, ...tracking.said],
    isTest: isTest(form),
  };
}

/** @throws AppError VALIDATION_ERROR for an option that would be missed */
function ignoredOf({ texts, files }: WholeForm): string[] {
  const names = [...Object.keys(texts), ...Object.keys(files)];
  const unknown = names.find(
    (name) =>
      /^[ot]:/.test(name) && ![...FORM.taken, ...Object.keys(FORM.refused)].includes(name) && !LEFT_OUT.test(name),
  );
  if (unknown !== undefined)
    throw invalidField(unknown.slice(0, 60), "Posthorn does not have this option.", "unsupported");
  const fields = Object.fromEntries(
    names.filter((name) => !/^[hv]:/.test(name)).map((name) => [name, isOff(texts[name]) ? null : name]),
  );
  return [...new Set([...ignoredIn(fields, FORM)])];
}

function sourcesOf(headers: MailgunMessage["headers"]): Readonly<Record<string, string>> {
  const given = Object.entries(headers);
  return Object.fromEntries(given.map(([name, value]) => [name, typeof value === "string" ? value : value.template]));
}

/** An option that is switched off changes nothing. */
function isOff(values: readonly string[] | undefined): boolean {
  return values !== undefined && ["", "no", "false"].includes(values.at(-1) ?? "");
}

function whomIn(form: WholeForm, names: ReadonlySet<string> | null) {
  const [to = [], cc = [], bcc = []] = (["to", "cc", "bcc"] as const).map((name) =>
    mailboxesIn(name, form.texts[name] ?? []),
  );
  if (to.length === 0) throw invalidField("to", "This is required.", "required");
  const variables = variablesIn(form.texts["recipient-variables"]?.at(-1));
  if (variables === null) {
    if (to.length + cc.length + bcc.length > MOST_RECIPIENTS)
      throw invalidField(
        "to",
        `One message has at most ${MOST_RECIPIENTS} recipients. With recipient-variables, each gets a message of their own.`,
        "too_big",
      );
    const [some, others] = [mailboxFields(cc), mailboxFields(bcc)];
    const group = to.length > 1 ? { group: true } : {};
    return { recipients: null, body: { to: mailboxFields(to), cc: some, bcc: others, ...group } };
  }
  if (cc.length + bcc.length > 0)
    throw invalidField(
      "cc",
      "With recipient-variables each gets a message of their own: leave out cc and bcc.",
      "unsupported",
    );
  return { recipients: withVariables(to, variables, names), body: { to: mailboxFields(to.slice(0, 1)) } };
}

function mailboxFields(those: readonly Mailbox[]) {
  return those.length === 0
    ? undefined
    : those.map(({ address, name }) => ({ email: address, ...(name ? { name } : {}) }));
}

/** Sender is left out where it says what From says: that one is enough. */
function headersIn({ texts }: WholeForm, filling: Filling): Readonly<Record<string, HeaderValue>> {
  const from = parseMailbox(texts["from"]?.at(-1) ?? "")?.address;
  const given = Object.entries(texts).flatMap(([name, values]) =>
    name.startsWith("h:") ? [[name.slice(2), values.at(-1) ?? ""] as const] : [],
  );
  const kept = given.filter(
    ([name, value]) =>
      value !== "" &&
      !/^x-mailgun-variables$/i.test(name) &&
      !(/^sender$/i.test(name) && parseMailbox(value)?.address === from),
  );
  return Object.fromEntries(
    kept.map(([name, value]) => [/^reply-to$/i.test(name) ? "Reply-To" : name, headerOf(name, value, filling)]),
  );
}

function templateIn(name: string | undefined, version: string | undefined): string | undefined {
  return name === undefined || version === undefined ? name : `${name}@${version}`;
}

/** Of a template. @throws AppError VALIDATION_ERROR */
function dataIn({ texts }: WholeForm, hasRecipients: boolean): JsonFields | undefined {
  const given = ["h:X-Mailgun-Variables", "t:variables"].flatMap((field) => {
    const text = texts[field]?.at(-1);
    return text ? [objectIn(field, jsonIn(field, text))] : [];
  });
  if (given.length === 0) return undefined;
  const data = Object.assign({}, ...given) as JsonFields;
  if (hasRecipients && Object.hasOwn(data, "recipient"))
    throw invalidField("t:variables", "With recipient-variables, recipient is the recipient's own.", "conflicting");
  return data;
}

/** Tags, and variables for the sender's own programs. */
export function labelsIn({ texts }: WholeForm) {
  const tags = tagsFrom(texts["o:tag"] ?? []);
  const variables = Object.entries(texts).flatMap(([name, values]) =>
    name.startsWith("v:") ? [[name.slice(2), values.at(-1)] as const] : [],
  );
  const metadata = metadataFrom("v:", Object.fromEntries(variables));
  return { tags: tags.labels, metadata: metadata.labels, said: [...tags.said, ...metadata.said] };
}

/** Opens and clicks are tracked together, where the workspace wants it. @throws AppError VALIDATION_ERROR */
export function trackingIn({ texts }: WholeForm): { readonly isOn: boolean; readonly said: readonly string[] } {
  const [all, opens, clicks] = ["o:tracking", "o:tracking-opens", "o:tracking-clicks"].map((field) =>
    flagIn(field, texts[field]?.at(-1)),
  );
  const isOn = all !== false && (opens !== false || clicks !== false);
  const differ = isOn && opens !== undefined && clicks !== undefined && opens !== clicks;
  return { isOn, said: differ ? ["Opens and clicks are tracked together."] : [] };
}

/** @throws AppError VALIDATION_ERROR */
export function isTest({ texts }: WholeForm): boolean {
  return flagIn("o:testmode", texts["o:testmode"]?.at(-1)) ?? false;
}

function flagIn(field: string, text: string | undefined): boolean | undefined {
  if (text === undefined || text === "") return undefined;
  if (["yes", "true", "htmlonly"].includes(text)) return true;
  if (["no", "false"].includes(text)) return false;
  throw invalidField(field, "This must be yes or no.", "invalid");
}

/** RFC 2822 §3.3, or seconds since 1970. @throws AppError VALIDATION_ERROR */
function timeIn(field: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const ms = msOf(text);
  if (ms === null) throw invalidField(field, "This must be a date such as Fri, 14 Oct 2026 23:10:10 +0000.", "invalid");
  return iso(ms);
}

/** Null = no time. */
export function msOf(text: string): number | null {
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text);
  return Number.isFinite(ms) && Math.abs(ms) < END_OF_TIME_MS ? Math.round(ms) : null;
}

/** ISO dates of later years have a sign. */
const END_OF_TIME_MS = 253_402_300_800_000;

/** An inline file is named by its file name in `cid:`. */
function filesIn(given: readonly FormFile[] = [], disposition?: "inline") {
  return given.map(({ filename, contentType, content }) => ({
    filename: filename === "" ? "file" : filename,
    content,
    ...(contentType === "" ? {} : { contentType }),
    ...(disposition ? { disposition, contentId: filename } : {}),
  }));
}
