// THE DOOR. Every outgoing mail is accepted here, many requests at a time: each has one content and one mail a recipient, all or none.
import { domainOf } from "../addresses.ts";
import { iso } from "../clock.ts";
import { languageOfContact, type Variables } from "../contacts/data.ts";
import { contactByEmail } from "../contacts/queries.ts";
import { AppError } from "../errors.ts";
import { notifyChange } from "../events/notify.ts";
import { newId } from "../ids.ts";
import type { Tx } from "../store/store.ts";
import { hasVariables, plainHeader } from "../templates/render.ts";
import { domainToSendFrom, type Sender } from "../domains/domain.ts";
import { ownWorkspace } from "../workspaces/workspace.ts";
import { contentGone } from "./content/gone.ts";
import { setContentDomain, type Content, type ContentToRepeat } from "./content/queries.ts";
import { reuseContent } from "./content/reuse-queries.ts";
import { keepEach } from "./door/keep.ts";
import { judgePeople, lookUpPeople, unsubscribed, type Person } from "./door/people.ts";
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
};
export type NumberedMail = AcceptedMail & { readonly seq: number };

/** As `accept`, of one request. @throws AppError as which it is refused */
export async function acceptOne(tx: Tx, request: MailRequest): Promise<readonly AcceptedMail[]> {
  return granted((await accept(tx, [request]))[0]);
}

/** As `acceptOne`, with the seq of each mail. */
export async function acceptNumbered(tx: Tx, request: MailRequest): Promise<readonly NumberedMail[]> {
  const { answers, seqs } = await queueEach(tx, [request]);
  const numbers = await seqs;
  return granted(answers[0]).map((mail, index) => ({ ...mail, seq: numbers[index] as number }));
}

function granted(answer: readonly AcceptedMail[] | AppError | undefined): readonly AcceptedMail[] {
  if (answer === undefined || answer instanceof AppError) throw answer;
  return answer;
}

/**
 * Queues one mail for each recipient of each request (docs/sending.md); answers each request's mails in the order of its recipients, or
 * why it is refused, and then nothing is queued for anybody in it: DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED, CONTACT_UNSUBSCRIBED,
 * MARKETING_STOPPED, VALIDATION_ERROR. A contact that comes twice gets two mails: the caller keeps the count in the same transaction.
 * @throws AppError as `upsertContacts`, and a refusal that only another transaction has caused; then nothing counts
 */
export async function accept(
  tx: Tx,
  requests: readonly MailRequest[],
): Promise<(readonly AcceptedMail[] | AppError)[]> {
  const { answers, seqs } = await queueEach(tx, requests);
  tx.deferred(seqs);
  return answers;
}

type Queued = {
  readonly answers: (readonly AcceptedMail[] | AppError)[];
  /** Of all mails, in the order of the answers. */
  readonly seqs: Promise<number[]>;
};

/** On PostgreSQL in three packets: what is known, contacts and contents, mails. */
async function queueEach(tx: Tx, requests: readonly MailRequest[]): Promise<Queued> {
  const [places, found] = await Promise.all([placesOf(tx, requests), lookUpPeople(tx, requests)]);
  const { refused, persons } = await judgePeople(tx, places, found);
  const admitted = requests.flatMap((request): Admitted[] => {
    const place = places.get(request);
    return !place || place instanceof AppError || refused.has(request) ? [] : [{ request, place }];
  });
  const [people, contents] = await Promise.all([persons(), keepEach(tx, admitted)]);
  const mails = new Map(
    admitted.map((one, index) => [
      one.request,
      (people.get(one.request) as readonly Person[]).map((person) =>
        mailOf(tx, one, person, contents[index] as number),
      ),
    ]),
  );
  const seqs = insertEmails(tx, [...mails.values()].flat());
  admitted.forEach(({ request, place }) => tell(tx, request, place, people.get(request)?.length ?? 0));
  const answers = requests.map(
    (request) =>
      acceptedAs(people.get(request), mails.get(request)) ?? refused.get(request) ?? (places.get(request) as AppError),
  );
  return { answers, seqs };
}

type Admitted = { readonly request: MailRequest; readonly place: Place };

function acceptedAs(people: readonly Person[] = [], mails: readonly NewEmail[] | undefined): AcceptedMail[] | null {
  return mails?.map(({ id }, index) => ({ contact: (people[index] as Person).contact, email: id })) ?? null;
}

function mailOf(tx: Tx, { request, place }: Admitted, { contact, address, name }: Person, content: number): NewEmail {
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
    subject: subjectFor(says, { ...data, ...request.variables }, address),
    variables: "raw" in request.content && request.content.raw ? null : variablesFor(says, own),
    language: language && languageOfContact({ ...data, ...request.variables }, language),
    workflowId: request.workflowId ?? null,
    stepId: request.stepId ?? null,
  };
}

function tell(tx: Tx, { sourceType, sendAtMs, private: own }: MailRequest, { workspace }: Place, mails: number): void {
  announce(tx, { workspace: workspace.seq, sourceType, mails, sendAtMs });
  if (!own) notifyChange(tx, "mails", workspace.seq);
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

/** What only the hand-over knows: whether the contact is still subscribed, and the links of this mail. */
const LATER = /\b(subscribed|unsubscribeUrl|subscribeUrl|manageUrl)\b/;
/** A longer one waits for the hand-over. */
const LONGEST_SUBJECT_CHARS = 998;

/** The subject that the mail will have, so that it is shown and found by it before it leaves, and where it never does. */
function subjectFor({ subject }: Pick<Content, "subject">, data: Variables, email: string): string | null {
  const rendered = LATER.test(subject) ? null : plainHeader(subject, { ...data, data, email });
  return rendered === null || rendered === subject || rendered.length > LONGEST_SUBJECT_CHARS ? null : rendered;
}

/** The data as it is now, if the mail uses any: what is sent is what was accepted. */
function variablesFor(
  { subject, preheader, html, text }: Pick<Content, "subject" | "preheader" | "html" | "text">,
  data: Variables,
): Variables | null {
  return [subject, preheader ?? "", html, text ?? ""].some(hasVariables) ? data : null;
}
