// The fields of Postmark's API, as ours (docs/compat/postmark.md).
import { invalidField } from "../../../base/errors.ts";
import {
  fieldsIn,
  ignoredIn,
  listIn,
  objectIn,
  splitAddresses,
  textIn,
  withoutEmpty,
  withoutNothing,
  type JsonFields,
  type FieldSupport,
  type CallTranslation,
} from "../fields.ts";
import { metadataFrom, tagsFrom } from "../labels.ts";

const EMAIL: FieldSupport = {
  taken: [
    ...["From", "To", "Cc", "Bcc", "Subject", "HtmlBody", "TextBody", "ReplyTo", "Tag", "Metadata", "Headers"],
    ...["Attachments", "TrackOpens", "TrackLinks", "TemplateId", "TemplateAlias", "TemplateModel"],
  ],
  refused: {},
};
/** Long enough for the maximum of addresses, each of maximum length. */
const LONGEST_LIST = 60_000;
const FILE: FieldSupport = { taken: ["Name", "Content", "ContentType", "ContentID"], refused: {} };

/** The body of POST /v1/send. @throws AppError VALIDATION_ERROR */
export function emailFrom(given: unknown): CallTranslation {
  const email = withoutEmpty(objectIn("request", given));
  refuseMissed(email);
  const files = listIn("Attachments", email["Attachments"]).map(fileFrom);
  const [to, cc, bcc] = ["To", "Cc", "Bcc"].map((name) => splitAddresses(name, email[name], LONGEST_LIST));
  const tags = tagsFrom(email["Tag"] == null ? [] : [textIn("Tag", email["Tag"])]);
  const metadata = metadataFrom("Metadata", fieldsIn("Metadata", email["Metadata"]));
  const body = {
    from: email["From"],
    to,
    cc: cc?.length ? cc : undefined,
    bcc: bcc?.length ? bcc : undefined,
    // All in To get one message, where each would get one of their own.
    ...((to?.length ?? 0) > 1 ? { group: true } : {}),
    subject: email["Subject"],
    body: email["HtmlBody"],
    text: email["TextBody"],
    // Only a template has variables there.
    literal: true,
    reply: email["ReplyTo"],
    tags: tags.labels,
    metadata: metadata.labels,
    headers: headersFrom(email["Headers"]),
    attachments: files.length === 0 ? undefined : files.map((file) => file.body),
    template:
      email["TemplateAlias"] ?? (email["TemplateId"] == null ? undefined : textIn("TemplateId", email["TemplateId"])),
    data: email["TemplateModel"],
    tracking: tracked(email) ? undefined : false,
  };
  const ignored = [...ignoredIn(email, EMAIL), ...files.flatMap((one) => one.ignored)];
  return { body: withoutNothing(body), ignored, said: [...tags.said, ...metadata.said] };
}

/** Refuses fields that cannot be ignored without a change for people. @throws AppError VALIDATION_ERROR */
function refuseMissed({ InlineCss: inlines, HtmlBody: html, MessageStream: stream, ...others }: JsonFields): void {
  if (inlines === true && typeof html === "string" && /<style\b/i.test(html))
    throw invalidField("InlineCss", "Posthorn leaves CSS where it is: write it into style attributes.", "unsupported");
  const isTemplate = others["TemplateAlias"] != null || others["TemplateId"] != null;
  if (stream === "broadcast" && !isTemplate)
    throw invalidField(
      "MessageStream",
      "Send marketing email with a MARKETING template, or as a campaign.",
      "unsupported",
    );
}

/** Without both, the workspace's setting counts. */
function tracked({ TrackOpens: opens, TrackLinks: links }: JsonFields): boolean {
  return opens !== false || (links != null && links !== "None");
}

function headersFrom(given: unknown): JsonFields | undefined {
  const headers = listIn("Headers", given).map((one, at) => objectIn(`Headers.${at}`, one));
  return headers.length === 0
    ? undefined
    : Object.fromEntries(headers.map(({ Name, Value }, at) => [textIn(`Headers.${at}.Name`, Name), Value]));
}

function fileFrom(given: unknown, at: number): CallTranslation {
  const file = objectIn(`Attachments.${at}`, given);
  const id = file["ContentID"];
  const body = {
    filename: file["Name"],
    content: file["Content"],
    contentType: file["ContentType"],
    ...(id ? { contentId: textIn(`Attachments.${at}.ContentID`, id).replace(/^cid:/, ""), disposition: "inline" } : {}),
  };
  return { body: withoutNothing(body), ignored: ignoredIn(file, FILE).map((name) => `Attachments.${name}`) };
}
