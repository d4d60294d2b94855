// Campaigns of the shop for pictures: one that was sent to many, with links that people followed; one on its way; one
// to be checked.
import { findLeftMail, markComplained, markDelivered } from "../../src/mail/emails/feedback/feedback.ts";
import { recordVisits } from "../../src/mail/emails/feedback/visits.ts";
import type { HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import type { RecordingTransport } from "../support/transport.ts";

const FROM = "hello@lanternfish.example";
const MINUTE_MS = 60_000;
const READERS = 240;
const NAMES = [
  "Nadia",
  "Olga",
  "Pavel",
  "Quentin",
  "Rosa",
  "Samir",
  "Tove",
  "Ursula",
  "Viktor",
  "Wanda",
  "Yusuf",
  "Zoë",
];

const link = (to: string, words: string) =>
  `<a href="https://lanternfish.example${to}" style="display: inline-block; margin: 4px 0; padding: 8px 20px; border-radius: 6px; background: #1d4039; color: #fff; text-decoration: none">${words}</a>`;

const LETTER = `<html><body style="margin: 0; padding: 32px 40px; font: 16px/26px Georgia, serif; color: #1d1b16">
<h1 style="font: 28px/36px Georgia, serif">{{ firstName ?? "Hello" }}, it is spring</h1>
<p>The windows are open again and the new list is here: eleven new books, chosen by people who read them on trains.</p>
<p>${link("/spring", "See the spring list")}</p>
<p>Two evenings by the river: ${link("/evenings", "Keep a seat")}</p></body></html>`;

const REFUSALS: Readonly<Record<number, HandoverOutcome>> = {
  0: { kind: "bounced", reply: "550 5.1.1 user unknown" },
  1: { kind: "failed", reply: "554 5.7.1 refused as spam" },
  2: { kind: "failed", reply: "552 5.2.2 mailbox full" },
};

/** Once, however many pictures are taken. */
export async function campaignsOf(posthorn: Posthorn): Promise<void> {
  const { data } = (await posthorn.call("GET /campaigns?search=April")).body;
  if (data.length > 0) return;
  const rows = Array.from(
    { length: READERS },
    (_, at) => `reader${at}@example.com,${NAMES[at % NAMES.length]},${at % 3 ? "free" : "pro"}`,
  );
  for (const row of rows) {
    const [email = "", firstName, plan] = row.split(",");
    const known = Number(/\d+/.exec(email)?.[0]) % 9 === 0 ? {} : { firstName };
    await posthorn.call("POST /contacts", { email, subscribed: !email.includes("3@"), data: { plan, ...known } });
  }
  await send(posthorn, "April letter");
  await draft(posthorn);
}

const CAMPAIGN = { from: FROM, fromName: "Lanternfish", audienceType: "ALL" };

async function send(posthorn: Posthorn, name: string): Promise<void> {
  const transport = posthorn.transport as RecordingTransport;
  const before = transport.answer;
  transport.answer = (mail) => {
    const number = Number(/^reader(\d+)@/.exec(mail.envelope.recipient)?.[1] ?? 4);
    return (number % 37 < 3 ? REFUSALS[number % 37] : undefined) ?? before(mail);
  };
  const subject = "{{ firstName ?? 'Hello' }}, it is spring";
  const { data } = (await posthorn.call("POST /campaigns", { ...CAMPAIGN, name, subject, body: LETTER })).body;
  await posthorn.call(`POST /campaigns/${data.id}/send`, {});
  await posthorn.settle();
  transport.answer = before;
  let cursor: string | null = null;
  let number = 0;
  do {
    const page: Json = (
      await posthorn.call(
        `GET /campaigns/${data.id}/recipients?limit=100&state=SENT${cursor ? `&cursor=${cursor}` : ""}`,
      )
    ).body;
    for (const { emailId } of page.data) await react(posthorn, emailId, number++);
    cursor = page.cursor;
  } while (cursor !== null);
  await posthorn.settle();
}

async function react(posthorn: Posthorn, emailId: string, number: number): Promise<void> {
  if (number % 8 === 0) posthorn.clock.advance(12 * MINUTE_MS);
  await posthorn.store.write(async (tx) => {
    const mail = await findLeftMail(tx, emailId);
    if (!mail || mail === "early" || number % 30 === 7) return;
    await markDelivered(tx, mail);
    if (number % 120 === 11) await markComplained(tx, mail);
  });
  const visit = (to: string | null) =>
    posthorn.store.write((tx) =>
      recordVisits(tx, [{ emailId, link: to && `https://lanternfish.example${to}`, isMachine: false }]),
    );
  if (number % 5 < 2) await visit(null);
  if (number % 5 === 0) await visit("/spring");
  if (number % 15 === 0) await visit("/evenings");
}

async function draft(posthorn: Posthorn): Promise<void> {
  const body = LETTER.replace("https://lanternfish.example/spring", "");
  const words = {
    name: "May letter",
    tags: ["newsletter"],
    subject: "{{ firstName }}, the river is open",
    preheader: "Two evenings, eleven books",
  };
  await posthorn.call("POST /campaigns", { ...CAMPAIGN, ...words, body });
  await posthorn.call("POST /campaigns", { ...CAMPAIGN, name: "June letter", subject: "Eleven books", body: LETTER });
}
