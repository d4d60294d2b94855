// THE DOOR. Every outgoing mail is accepted here, many requests at a time: each has one content and one mail a recipient, all or none.
import { domainOf } from "../addresses.ts";
import { iso } from "../clock.ts";
import { languageOfContact, type Variables } from "../contacts/data.ts";
import { contactByEmail } from "../contacts/queries.ts";
import { AppError } from "../errors.ts";
import { tellChange } from "../events/news.ts";
import { newId } from "../ids.ts";
import type { Tx } from "../store/store.ts";
import { hasVariables } from "../templates/render.ts";
import { domainToSendFrom, type Sender } from "../workspaces/domains/domain.ts";
import { ownWorkspace } from "../workspaces/workspace.ts";
import { contentGone } from "./content/gone.ts";
import { setContentDomain, type Content, type ContentToRepeat } from "./content/queries.ts";
import { reuseContent } from "./content/reuse-queries.ts";
import { keepEach } from "./door/keep.ts";
import { peopleOf, unsubscribed, type Person } from "./door/people.ts";
import { placesOf, type Place } from "./door/place.ts";
import type { Addressee, MailRequest } from "./door/request.ts";
import { insertEmails, insertRepeat, type NewEmail } from "./insert-queries.ts";
import type { Mail } from "./queries.ts";
import { announce } from "./queued.ts";

export type AcceptedMail = {
  /** Null: the recipient is no contact. */
  readonly contact: Addressee | null;
  /** Its public id. */
  readonly email: string;
  readonly seq: number;
};

/** As `accept`, of one request. @throws AppError as which it is refused */
export async function acceptOne(tx: Tx, request: MailRequest): Promise<readonly AcceptedMail[]> {
  const [accepted] = await accept(tx, [request]);
  if (accepted === undefined || accepted instanceof AppError) throw accepted;
  return accepted;
}

/**
 * Queues one mail for each recipient of each request (docs/sending.md); answers each request's mails in the order of its recipients, or
 * why it is refused, and then nothing is queued for anybody in it: DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED, CONTACT_UNSUBSCRIBED,
 * MARKETING_STOPPED, VALIDATION_ERROR. A contact that comes twice gets two mails: the caller keeps the count in the same transaction.
 * @throws AppError as `upsertContacts`; then nothing counts
 */
export async function accept(
  tx: Tx,
  requests: readonly MailRequest[],
): Promise<(readonly AcceptedMail[] | AppError)[]> {
  const places = await placesOf(tx, requests);
  const people = await peopleOf(tx, requests, places);
  const granted = requests.flatMap((request): Granted[] => {
    const [place, persons] = [places.get(request), people.get(request)];
    const isRefused = !place || place instanceof AppError || !persons || persons instanceof AppError;
    return isRefused ? [] : [{ request, place, persons }];
  });
  const mails = await queue(tx, granted);
  granted.forEach(({ request, place, persons }) => tell(tx, request, place, persons.length));
  return requests.map(
    (request) => mails.get(request) ?? refusalIn(places.get(request)) ?? (people.get(request) as AppError),
  );
}

type Granted = { readonly request: MailRequest; readonly place: Place; readonly persons: readonly Person[] };

function refusalIn<Value>(value: Value | AppError | undefined): AppError | null {
  return value instanceof AppError ? value : null;
}

async function queue(tx: Tx, granted: readonly Granted[]): Promise<ReadonlyMap<MailRequest, readonly AcceptedMail[]>> {
  const kept = await keepEach(tx, granted);
  const mails = granted.flatMap((one, index) =>
    one.persons.map((person) => mailOf(tx, one, person, kept[index] as number)),
  );
  const seqs = await insertEmails(tx, mails);
  let next = 0;
  return new Map(
    granted.map(({ request, persons }) => [
      request,
      persons.map(({ contact }) => ({ contact, email: (mails[next] as NewEmail).id, seq: seqs[next++] as number })),
    ]),
  );
}

function mailOf(tx: Tx, { request, place }: Granted, { contact, address, name }: Person, content: number): NewEmail {
  const { says, language, workspace } = place;
  const data = contact?.data ?? {};
  const isMarketing = says.kind === "MARKETING" && !request.test;
  const own = request.shared ? { ...data, ...request.variables } : data;
  return {
    id: newId(tx.nowMs),
    workspace: workspace.seq,
    contact: contact?.seq ?? null,
    content,
    campaign: request.campaign ?? null,
    sourceType: request.sourceType,
    lane: isMarketing ? 1 : 0,
    dueAt: request.sendAtMs == null ? tx.now : iso(request.sendAtMs),
    toAddress: address,
    toName: name,
    variables: "raw" in request.content && request.content.raw ? null : variablesFor(says, own),
    language: language && languageOfContact(data, language),
    workflowId: request.workflowId ?? null,
    stepId: request.stepId ?? null,
  };
}

function tell(tx: Tx, { sourceType, private: own }: MailRequest, { workspace }: Place, mails: number): void {
  announce(tx, { workspace: workspace.seq, sourceType, mails });
  if (!own) tellChange(tx, "mails", workspace.seq);
}

/**
 * Queues a mail again, with the same content and for the same address; answers the id of the new one.
 * @throws AppError DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED, CONTACT_UNSUBSCRIBED, MARKETING_STOPPED, CONTENT_GONE
 */
export async function acceptAgain(tx: Tx, sender: Sender, mail: Mail, content: ContentToRepeat): Promise<string> {
  const { marketingStopped } = await ownWorkspace(tx, sender.workspace);
  const stopped = content.kind === "MARKETING" ? marketingStopped : null;
  if (stopped !== null) throw new AppError("MARKETING_STOPPED", stopped);
  const domain = await domainToSendFrom(tx, sender, domainOf(mail.fromAddress));
  const contact = await contactByEmail(tx, sender.workspace, mail.toAddress);
  if (content.kind === "MARKETING" && !contact?.subscribed) throw unsubscribed({ email: mail.toAddress });
  if (!(await reuseContent(tx, mail.content))) throw contentGone(tx.now);
  if (domain !== content.domain) await setContentDomain(tx, mail.content, domain);
  const id = newId(tx.nowMs);
  await insertRepeat(tx, mail.seq, { id, contact: contact?.seq ?? null, lane: content.kind === "MARKETING" ? 1 : 0 });
  announce(tx, { ...sender, sourceType: mail.sourceType });
  return id;
}

/** The data as it is now, if the mail uses any: what is sent is what was accepted. */
function variablesFor(
  { subject, preheader, html, text }: Pick<Content, "subject" | "preheader" | "html" | "text">,
  data: Variables,
): Variables | null {
  return [subject, preheader ?? "", html, text ?? ""].some(hasVariables) ? data : null;
}
