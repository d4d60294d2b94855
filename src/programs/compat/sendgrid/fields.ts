// The fields of SendGrid's v3/mail/send, as ours (docs/compat/sendgrid.md): each personalization is an email of its
// own.
import { parseMailbox } from "../../../base/addresses.ts";
import { iso } from "../../../base/clock.ts";
import { invalidField } from "../../../base/errors.ts";
import {
  fieldsIn,
  ignoredIn,
  listIn,
  objectIn,
  textIn,
  withoutEmpty,
  withoutNothing,
  type JsonFields,
  type FieldSupport,
  type CallTranslation,
} from "../fields.ts";
import { metadataFrom, tagsFrom } from "../labels.ts";
import { Effort, substituting } from "./substitutions.ts";

const MAIL: FieldSupport = {
  taken: [
    ...["personalizations", "from", "reply_to", "reply_to_list", "subject", "content", "attachments", "template_id"],
    ...["categories", "custom_args", "headers", "send_at", "tracking_settings", "mail_settings"],
  ],
  refused: {
    sections: "Posthorn has no sections: write them into the content, or use a template.",
    batch_id: "Posthorn takes back single emails: DELETE /emails/{id}.",
  },
};
const PERSONALIZATION: FieldSupport = {
  taken: [
    ...["to", "cc", "bcc", "from", "subject", "headers", "substitutions", "dynamic_template_data", "custom_args"],
    "send_at",
  ],
  refused: {},
};
const FILE: FieldSupport = { taken: ["content", "filename", "type", "disposition", "content_id"], refused: {} };
const SECOND_MS = 1_000;
/** No date is later. */
const END_OF_TIME_SECONDS = 8.64e12;
const PLAIN = "text/plain";
const HTML = "text/html";

type TranslatedMail = {
  readonly emails: readonly JsonFields[];
  readonly ignored: readonly string[];
  readonly said: readonly string[];
  /** The mail is checked, and nothing is sent. */
  readonly isSandbox: boolean;
};

/** @throws AppError VALIDATION_ERROR */
export function mailFrom(given: unknown): TranslatedMail {
  const mail = withoutEmpty(objectIn("request", given));
  const personalizations = listIn("personalizations", mail["personalizations"]);
  // One list for all: a file that many emails have is read and stored once (emails/send/batch.ts).
  const common = { mail, attachments: filesIn(mail["attachments"]), effort: new Effort() };
  const read = personalizations.map((one, at) =>
    emailFrom(common, withoutEmpty(objectIn(`personalizations.${at}`, one))),
  );
  const { sandbox_mode: sandbox, ...others } = settingsIn(mail, "mail_settings");
  const { open_tracking: _, click_tracking: __, ...marks } = settingsIn(mail, "tracking_settings");
  const ignored = [
    ...ignoredIn(mail, MAIL),
    ...listIn("attachments", mail["attachments"]).flatMap((one) =>
      ignoredIn(asFields(one), FILE).map((name) => `attachments.${name}`),
    ),
    ...read.flatMap((one) => one.ignored),
    ...Object.keys(others).map((name) => `mail_settings.${name}`),
    ...Object.keys(marks).map((name) => `tracking_settings.${name}`),
  ];
  const isSandbox = sandbox?.enable ?? false;
  if (typeof isSandbox !== "boolean")
    throw invalidField("mail_settings.sandbox_mode.enable", "This must be true or false.", "invalid");
  const said = read.flatMap((one) => one.said ?? []);
  return { emails: read.map(({ body }) => body), ignored, said, isSandbox };
}

type SendgridSettings = Readonly<Record<string, { readonly enable?: unknown } | null | undefined>>;

/** Settings that write into an email: people would miss the text. */
const WRITTEN: Readonly<Record<string, string>> = {
  footer: "Posthorn writes a footer into marketing email only: write yours into the content.",
  bcc: "Posthorn sends no blind copies of its own: name the address in bcc.",
  subscription_tracking: "Posthorn writes links to unsubscribe into marketing email only: use a MARKETING template.",
};

/** @throws AppError VALIDATION_ERROR for one that is switched on and must not be ignored */
function settingsIn(mail: JsonFields, field: "mail_settings" | "tracking_settings"): SendgridSettings {
  const settings = mail[field] == null ? {} : (objectIn(field, mail[field]) as SendgridSettings);
  for (const [name, why] of Object.entries(WRITTEN))
    if (settings[name]?.enable === true) throw invalidField(`${field}.${name}`, why, "unsupported");
  return settings;
}

type SharedFields = {
  readonly mail: JsonFields;
  readonly attachments: readonly JsonFields[] | undefined;
  readonly effort: Effort;
};

function emailFrom({ mail, attachments, effort }: SharedFields, own: JsonFields): CallTranslation {
  const [to, cc, bcc] = ["to", "cc", "bcc"].map((name) => filledAddresses(name, own[name]));
  const substitutions = fieldsIn("substitutions", own["substitutions"]);
  if (mail["template_id"] != null && Object.keys(substitutions).length > 0) throw beside("substitutions");
  const substituted = substituting(substitutions, effort);
  const content = (type: string) => {
    const text = substituted(contentIn(mail, type));
    effort.store(text);
    return text;
  };
  const subject = substituted(own["subject"] ?? mail["subject"]);
  const tags = tagsFrom(listIn("categories", mail["categories"]).map((one) => textIn("categories", one)));
  const metadata = metadataFrom("custom_args", {
    ...fieldsIn("custom_args", mail["custom_args"]),
    ...fieldsIn("custom_args", own["custom_args"]),
  });
  const body = {
    from: addressFrom(own["from"] ?? mail["from"]),
    to,
    cc: cc?.length ? cc : undefined,
    bcc: bcc?.length ? bcc : undefined,
    ...((to?.length ?? 0) > 1 ? { group: true } : {}),
    subject,
    body: content(HTML),
    text: content(PLAIN),
    // Braces in an email without a template are braces there; a subject beside a template has its variables.
    literal: mail["template_id"] == null || subject == null ? true : undefined,
    reply: replyIn(mail),
    headers: headersIn(mail["headers"], own["headers"]),
    attachments,
    tags: tags.labels,
    metadata: metadata.labels,
    template: mail["template_id"],
    data: own["dynamic_template_data"],
    sendAt: timeFrom(own["send_at"] ?? mail["send_at"]),
    tracking: isTracked(mail["tracking_settings"]) ? undefined : false,
  };
  return {
    body: withoutNothing(body),
    ignored: ignoredIn(own, PERSONALIZATION).map((name) => `personalizations.${name}`),
    said: [...tags.said, ...metadata.said],
  };
}

function beside(field: "substitutions") {
  const message = "Substitutions do not go into a template: give its values in dynamic_template_data.";
  return invalidField(field, message, "conflicting");
}

/** Without empty ones, which clients send for absent addresses. */
function filledAddresses(name: string, given: unknown): unknown[] {
  return listIn(name, given)
    .map(addressFrom)
    .filter((one) => !isEmpty(one));
}

function isEmpty(address: unknown): boolean {
  return address === "" || asFields(address)["email"] === "";
}

/**
 * Clients put a name into quotes of its own, as SendGrid once lost the commas of a name; and programs put the name
 * before the address (`email: "Shop <shop@example.com>"`).
 */
function addressFrom(given: unknown): unknown {
  const { name, ...address } = asFields(given);
  const { email } = address;
  const whole = typeof email === "string" && email.includes("<") ? parseMailbox(email) : null;
  if (whole !== null) return { ...address, email: whole.address, name: name || whole.name };
  const [, quoted] = typeof name === "string" ? (/^"(.*)"$/s.exec(name) ?? []) : [];
  return quoted === undefined ? given : { ...address, name: quoted.replace(/\\(.)/gs, "$1") };
}

function contentIn({ content }: JsonFields, type: string): unknown {
  const parts = listIn("content", content).map((one, at) => objectIn(`content.${at}`, one));
  const other = parts.find((part) => part["type"] !== PLAIN && part["type"] !== HTML);
  if (other) throw invalidField("content", `Posthorn sends ${PLAIN} and ${HTML}, and no other parts.`, "unsupported");
  return parts.find((part) => part["type"] === type)?.["value"];
}

function replyIn({ reply_to: one, reply_to_list: several }: JsonFields): unknown {
  const all = one == null || isEmpty(one) ? filledAddresses("reply_to_list", several) : [addressFrom(one)];
  if (all.length > 1) throw invalidField("reply_to_list", "Posthorn takes one address for replies.", "unsupported");
  const [first] = all;
  if (first == null) return undefined;
  const { email, name } = objectIn("reply_to", first);
  const text = name ? textIn("reply_to.name", name).replace(/["\\]/g, "") : "";
  return text === "" ? email : `"${text}" <${textIn("reply_to.email", email)}>`;
}

function headersIn(...given: readonly unknown[]): JsonFields | undefined {
  const all = Object.assign({}, ...given.map((one) => fieldsIn("headers", one))) as JsonFields;
  return Object.keys(all).length === 0 ? undefined : all;
}

function filesIn(given: unknown): JsonFields[] | undefined {
  const files = listIn("attachments", given).map((one, at) => objectIn(`attachments.${at}`, one));
  if (files.length === 0) return undefined;
  return files.map(({ content, filename, type, disposition, content_id: contentId }) =>
    withoutNothing({ content, filename, contentType: type, disposition, contentId }),
  );
}

function timeFrom(seconds: unknown): string | undefined {
  if (seconds == null) return undefined;
  if (typeof seconds === "number" && Math.abs(seconds) < END_OF_TIME_SECONDS) return iso(seconds * SECOND_MS);
  throw invalidField("send_at", "This must be a number of seconds since 1970.", "invalid");
}

/** Where both are switched off nothing is tracked; else the workspace's setting counts. */
function isTracked(given: unknown): boolean {
  const { open_tracking: opens, click_tracking: clicks } = asFields(given) as Readonly<
    Record<string, { readonly enable?: unknown } | undefined>
  >;
  return opens?.enable !== false || clicks?.enable !== false;
}

function asFields(given: unknown): JsonFields {
  return typeof given === "object" && given !== null ? (given as JsonFields) : {};
}
