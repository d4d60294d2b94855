// What happens in a simulation: requests of callers, news of mails that have left, time that goes by.
import { findLeftMail, markComplained, markDelivered } from "../../src/mail/emails/feedback/feedback.ts";
import { recordVisits } from "../../src/mail/emails/feedback/visits.ts";
import type { Sending } from "./book.ts";
import type { Stage } from "./stage.ts";

export type Action = (stage: Stage) => Promise<void>;

/** Half of them at a provider that may ask for less mail. */
const PEOPLE = Array.from({ length: 6 }, (_, number) => `person${number}@${number % 2 ? "gmail.com" : "example.com"}`);
const HOUR_MS = 3_600_000;
/** An unanswered request is repeated that often by a caller who wants to know. */
const MOST_REPEATS = 3;

/** What may happen at the same time; each of them more often the more often it is named. */
export const ACTIONS: readonly Action[] = [
  send,
  send,
  send,
  sendLater,
  addContact,
  addContact,
  sendCampaign,
  changeCampaign,
  takeBack,
  letBrakeGo,
  signUp,
  signUp,
  buy,
];

/** What changes whether somebody wants mail: one at a time, or nobody could tell which came last. */
export const CONSENT: readonly Action[] = [changeSubscription, changeSubscription, hearOfMail];

function person({ chance }: Stage): string {
  return chance.of(PEOPLE);
}

async function send(stage: Stage): Promise<void> {
  const to = PEOPLE.filter(() => stage.chance.next() < 0.3);
  await request(stage, to.length > 0 ? to : [person(stage)], {});
}

async function letBrakeGo(stage: Stage): Promise<void> {
  const brakes = (await stage.ask("GET /queue"))?.body.brakes ?? [];
  for (const { id } of brakes) if (stage.chance.next() < 0.5) await stage.ask(`DELETE /queue/brakes/${id}`);
}

async function sendLater(stage: Stage): Promise<void> {
  const sendAt = new Date(stage.installation.clock.nowMs() + Math.ceil(stage.chance.next() * 5 * HOUR_MS));
  await request(stage, [person(stage)], { sendAt: sendAt.toISOString() });
}

async function request(stage: Stage, to: readonly string[], more: object): Promise<void> {
  const { book } = stage;
  const subject = `S${book.sendings.length}`;
  const sending: Sending = { subject, recipients: to.length, mails: null };
  book.sendings.push(sending);
  const isRepeated = stage.chance.next() < 0.7;
  const headers = isRepeated ? { "idempotency-key": `${stage.name}-${subject}` } : {};
  const body = { to, from: stage.sender, subject, body: "<p>Hello</p>", ...more };
  const ask = async () => {
    const answer = await stage.ask("POST /v1/send", body, headers);
    if (answer?.status === 200) sending.mails = answer.body.data.emails.map(({ email }: { email: string }) => email);
    else if (answer?.body.error.code === "RECIPIENT_SUPPRESSED") {
      sending.mails = [];
      const { email, emails } = answer.body.error.values;
      sending.refusedFor = email === undefined ? emails.split(", ") : [email];
    } else if (answer !== null) book.faults.push(`${subject} was refused: ${JSON.stringify(answer.body)}`);
  };
  await ask().catch(() => undefined);
  if (isRepeated && sending.mails === null) later(stage, ask);
}

/** After the process has been started again. */
const repeats = new WeakMap<Stage, (() => Promise<void>)[]>();

function later(stage: Stage, ask: () => Promise<void>): void {
  repeats.set(stage, [...(repeats.get(stage) ?? []), ask]);
}

export async function repeat(stage: Stage): Promise<void> {
  const due = repeats.get(stage) ?? [];
  repeats.delete(stage);
  for (const ask of due.slice(-MOST_REPEATS)) await ask();
}

async function addContact(stage: Stage): Promise<void> {
  const email = person(stage);
  const data = { plan: stage.chance.of(["pro", "free", ""]), n: Math.floor(stage.chance.next() * 10) };
  await stage.ask("POST /contacts", { email, data });
}

async function changeSubscription(stage: Stage): Promise<void> {
  const [email, subscribed] = [person(stage), stage.chance.next() < 0.4];
  stage.book.mayHaveSubscribed(email);
  const answer = await stage.ask("POST /contacts", { email, subscribed });
  if (subscribed || answer === null || answer.status >= 400) return;
  stage.book.unsubscribed(email, await stage.inHandOf(email));
}

async function sendCampaign(stage: Stage): Promise<void> {
  const { chance, campaigns, segments } = stage;
  const audience =
    chance.next() < 0.6 ? { audienceType: "ALL" } : { audienceType: "SEGMENT", segmentId: chance.of(segments) };
  const letter = { name: "News", subject: "News", body: "<p>News</p>", from: stage.sender, ...audience };
  const written = await stage.ask("POST /campaigns", letter);
  if (written === null) return;
  const { id } = written.body.data;
  campaigns.push(id);
  await stage.ask(`POST /campaigns/${id}/send`);
}

async function changeCampaign(stage: Stage): Promise<void> {
  if (stage.campaigns.length === 0) return;
  const verb = stage.chance.of(["pause", "pause", "resume", "resume", "cancel"]);
  await stage.ask(`POST /campaigns/${stage.chance.of(stage.campaigns)}/${verb}`);
}

async function takeBack(stage: Stage): Promise<void> {
  const { book, chance } = stage;
  const mails = book.sendings.flatMap(({ mails }) => mails ?? []);
  if (mails.length === 0) return;
  const mail = chance.of(mails);
  // A refusal says nothing of a call before it that was not answered: that one may have taken the mail back.
  const isOpen = book.maybeTakenBack.has(mail);
  book.maybeTakenBack.add(mail);
  const answer = await stage.ask(`DELETE /emails/${mail}`);
  if (answer === null) return;
  if (answer.status < 300) book.takenBack.add(mail);
  else if (!isOpen && !book.takenBack.has(mail)) book.maybeTakenBack.delete(mail);
}

async function signUp(stage: Stage): Promise<void> {
  const email = person(stage);
  const answer = await stage.ask("POST /v1/track", { email, event: "signup" });
  if (answer?.status === 200) stage.book.signedUp.add(email);
}

async function buy(stage: Stage): Promise<void> {
  await stage.ask("POST /v1/track", { email: person(stage), event: "bought" });
}

/** Its recipient's server, or its recipient, does something. */
async function hearOfMail(stage: Stage): Promise<void> {
  const { server } = stage.installation;
  const { workspace, chance } = stage;
  const mails = await server.store.read(
    (reader) => reader.all<{ id: string; to_address: string; complained_at: string | null }>`
      select id, to_address, complained_at from emails where workspace = ${workspace} and sent_at is not null order by seq`,
  );
  if (mails.length === 0) return;
  const { id, to_address: email, complained_at } = chance.of(mails);
  const news = chance.of([
    "delivered",
    "opened",
    ...(complained_at === null ? (["complained"] as const) : []),
  ] as const);
  await server.store.write(async (tx) => {
    const mail = await findLeftMail(tx, id);
    if (!mail || mail === "early") return;
    if (news === "delivered") await markDelivered(tx, mail);
    else if (news === "complained") await markComplained(tx, mail);
    else await recordVisits(tx, [{ emailId: id, link: null, isMachine: false }]);
  });
  if (news === "complained") stage.book.unsubscribed(email, await stage.inHandOf(email));
}
