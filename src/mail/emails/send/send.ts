// POST /v1/send: a request, with or without a stored template, becomes mails at the door.
import type { Mailbox } from "../../../base/addresses.ts";
import { nearest } from "../../../base/edit-distance.ts";
import { AppError, invalidField, invalidFields, type FieldError } from "../../../base/errors.ts";
import { newId } from "../../../base/ids.ts";
import { noteWarning } from "../../../http/body/body-notes.ts";
import { fittingLabelsOver, labelsOver, type Labels } from "../../../base/labels.ts";
import type { Tx } from "../../../store/store.ts";
import type { Template } from "../../../content/templates/queries.ts";
import { literal, literalIn } from "../../../content/templates/liquid/literal.ts";
import { templateToSend } from "../../../content/templates/sent.ts";
import { causeOf, type Caller } from "../../../tenant/access/caller.ts";
import { warnWithoutAddress } from "../../../tenant/access/postal-address.ts";
import { acceptSome, type AcceptedMail } from "../accept.ts";
import type { MailRequest, Recipient } from "../door/request.ts";
import type { RecipientSkip } from "../door/suppressed.ts";
import type { RecipientRole } from "../shape.ts";
import type { MailContent, RequestOrigin } from "../content/queries.ts";
import { ONLY_MARKETING } from "../../../audience/topics/mail.ts";
import { htmlOfText } from "./html-of-text.ts";
import type { SendRequest } from "./request.ts";

export type SendOrder = {
  readonly caller: Caller;
  readonly request: SendRequest;
  readonly origin: RequestOrigin;
  readonly body: object;
  /** Notes in the audit log that a suppression was ignored; for requests that may ignore it. */
  readonly noteIgnored?: (tx: Tx) => Promise<void>;
  /** Gets the ids of skipped contacts: a stored answer that names them is deleted when one of them is erased. */
  readonly noteLeftOut?: (contact: string) => void;
  /** For calls of other services, whose bodies have no such field. */
  readonly skipsSuppressed?: MailRequest["skipsSuppressed"];
  /** For a service that takes mail to a suppressed address, and reports then that it did not leave. */
  readonly passesSuppressions?: "later";
  /**
   * For calls of other services: labels of the template that exceed the limit with those of the request are left out.
   */
  readonly labelsGiveWay?: boolean;
};

/**
 * Queues the mails of a request, all or none; answers one item a recipient, in the order of the request: to, cc, bcc. A
 * recipient named twice gets one mail, which is answered in both places; a skipped one is answered among `skipped`.
 * @throws AppError TEMPLATE_NOT_FOUND, VALIDATION_ERROR if neither request nor template has a field that a mail needs,
 * and errors of the door
 */
export async function send(tx: Tx, sending: SendOrder): Promise<SendOutcome> {
  const { caller, request } = sending;
  const named = request.template === null ? null : await templateToSend(tx, caller.workspace, request.template);
  const asked = mailsOf(tx, sending, named && named.template);
  const { accepted, skipped } = await acceptSome(tx, asked);
  if (asked.passesSuppressions) await sending.noteIgnored?.(tx);
  for (const { contact } of skipped) if (contact !== null) sending.noteLeftOut?.(contact);
  return {
    mails: inOrderOf(request, accepted),
    group: accepted.length > 0 ? asked.group : undefined,
    skipped: asked.skipsSuppressed && skipped,
  };
}

export type SendOutcome = {
  readonly mails: readonly AcceptedMail[];
  /** The id of the group that got one message. */
  readonly group: string | undefined;
  /** Undefined: the request cannot skip recipients. */
  readonly skipped: readonly RecipientSkip[] | undefined;
};

function mailsOf(tx: Tx, sending: SendOrder, template: Template | null): MailRequest {
  const { caller, request, origin, body, skipsSuppressed } = sending;
  if (request.ignoreSuppression) refuseToIgnore(caller, template);
  if (template?.type === "MARKETING") {
    if (request.isGroup) throw marketingToGroup();
    warnWithoutAddress(caller, body);
  }
  if (request.topic !== null) {
    if (template?.type !== "MARKETING") throw invalidField("topic", ONLY_MARKETING, "unsupported");
    if (!caller.topics.includes(request.topic)) throw unknownTopic(request.topic, caller.topics);
  }
  return {
    sender: { workspace: caller.workspace, domains: caller.domains },
    sourceType: "TRANSACTIONAL",
    content: { ...requestContent(request, template), labels: labelsOf(sending, template) },
    to: { addresses: recipientsOf(request) },
    ...(request.isGroup ? { group: newId(tx.nowMs) } : {}),
    contactData: request.data.stored,
    variables: request.data.flat,
    subscribed: request.subscribed,
    cause: request.subscribed === undefined ? undefined : causeOf(caller),
    sendAtMs: request.sendAtMs,
    passesSuppressions: request.ignoreSuppression ? "always" : sending.passesSuppressions,
    skipsSuppressed: request.skipSuppressed ? "all" : skipsSuppressed,
    origin,
  };
}

function unknownTopic(key: string, known: readonly string[]): AppError {
  const meant = nearest(key, known);
  return invalidField(
    "topic",
    `There is no topic ${key}.${meant === null ? "" : ` Did you mean ${meant}?`}`,
    "unknown_topic",
  );
}

/** @throws AppError FORBIDDEN, VALIDATION_ERROR for marketing mail */
function refuseToIgnore({ limits }: Caller, template: Template | null): void {
  if (limits?.permissions !== "full")
    throw new AppError("FORBIDDEN", "Only a key with all permissions may ignore a suppression.");
  if (template?.type !== "MARKETING") return;
  throw invalidField("ignoreSuppression", "Marketing email never goes to a suppressed address.", "unsupported");
}

/** Each recipient once, at the first mention. */
function recipientsOf({ to, cc, bcc, isGroup }: SendRequest): readonly Recipient[] {
  const inRole = (those: readonly Mailbox[], role: RecipientRole) =>
    isGroup ? those.map((one) => ({ ...one, role })) : those;
  const all = [...inRole(to, "TO"), ...inRole(cc, "CC"), ...inRole(bcc, "BCC")];
  const seen = new Set<string>();
  return all.filter(({ address }) => !seen.has(address) && seen.add(address));
}

function inOrderOf({ to, cc, bcc }: SendRequest, mails: readonly AcceptedMail[]): AcceptedMail[] {
  const mailTo = new Map(mails.map((mail) => [mail.address, mail]));
  return [...to, ...cc, ...bcc].flatMap(({ address }) => mailTo.get(address) ?? []);
}

/** One recipient's unsubscribe link would be in every copy. */
function marketingToGroup() {
  const message = "Marketing email goes to each recipient alone: leave out cc, bcc and group.";
  return invalidField("template", message, "unsupported");
}

/** Fields of the request override those of the template. */
function requestContent(request: SendRequest, template: Template | null): Omit<MailContent, "labels"> {
  const from = senderOf(request, template);
  const subject = request.subject ?? template?.subject ?? null;
  const html = request.html ?? template?.body ?? (request.text ? htmlFrom(request.text) : null);
  if (!from || subject === null || html === null) throw missing({ from, subject, body: html });
  return {
    templateId: template?.id ?? null,
    kind: template?.type ?? "TRANSACTIONAL",
    from,
    replyTo: request.replyTo ?? template?.replyTo ?? null,
    subject,
    preheader: request.preheader ?? (request.html === null ? (template?.preheader ?? null) : null),
    html,
    text: request.text ?? (request.html === null ? (template?.text ?? null) : null),
    headers: request.headers,
    attachments: request.attachments,
    tracking: request.tracking,
    topic: request.topic ?? template?.topic ?? null,
  };
}

const CUT = "Labels of the template were left out: with those of the email they are too many.";

function labelsOf({ request: { labels }, body, labelsGiveWay }: SendOrder, template: Template | null): Labels {
  if (!template) return labels;
  if (!labelsGiveWay) return labelsOver(template, labels);
  const fitting = fittingLabelsOver(template, labels);
  if (fitting.isCut) noteWarning(body, { field: "tags", message: CUT });
  return fitting.labels;
}

function htmlFrom(text: string): string {
  const written = literalIn(text);
  // A tag that ends a block in the text also ends it in the HTML, and no other tag does.
  return written === null ? htmlOfText(text) : (literal(htmlOfText(written)) ?? "");
}

function senderOf(request: SendRequest, template: Template | null): Mailbox | null {
  const name = request.from?.name ?? request.fromName;
  if (request.from) return { address: request.from.address, name };
  return template?.fromAddress ? { address: template.fromAddress, name: name ?? template.fromName } : null;
}

function missing(parts: Readonly<Record<string, unknown>>) {
  const errors: FieldError[] = Object.entries(parts)
    .filter(([, value]) => value === null)
    .map(([field]) => ({ field, message: "This is required unless the template has it.", code: "required" }));
  return invalidFields(errors);
}
