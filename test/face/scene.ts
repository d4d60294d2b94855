// A small shop with a past, for pictures of the face: made through the API, with the outcomes that relays and readers
// give.
import type { HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import { findLeftMail, markComplained, markDelivered } from "../../src/mail/emails/feedback/feedback.ts";
import { recordVisits } from "../../src/mail/emails/feedback/visits.ts";
import { invitationToken, recoveryToken, welcomeToken } from "../../src/operator/team/invitations/link.ts";
import { createUser } from "../../src/operator/team/user.ts";
import { allWorkspaces } from "../../src/tenant/workspaces/queries.ts";
import type { LinkKind } from "./screens.ts";
import { somebody } from "../support/people.ts";
import { liftSuppressions } from "../support/suppressed.ts";
import { addUnverifiedDomain, addVerifiedDomain } from "../support/workspaces.ts";
import { bring, ELSEWHERE, startHouse } from "../support/outside.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { freePort } from "../support/free-port.ts";
import { type Json, type Posthorn } from "../support/posthorn.ts";
import { RecordingTransport } from "../support/transport.ts";
import { TestClock } from "../support/clock.ts";

const MINUTE_MS = 60_000;
const FROM = { name: "Lanternfish", email: "hello@lanternfish.example" };

const PEOPLE = [
  ["ada@example.com", "Ada Lovelace"],
  ["m.okafor@example.org", "Mary Okafor"],
  ["b.marlow@example.org", "Ben Marlow"],
  ["ines@example.net", "Inês Duarte"],
  ["cyd@example.net", "Cyd Ramos"],
  ["priya.n@example.com", "Priya Nair"],
  ["tomasz@example.org", "Tomasz Wilk"],
  ["l.haraldsen@example.net", "Liv Haraldsen"],
  ["grace@example.com", "Grace Hill"],
  ["hedy@example.com", "Hedy Kiesler"],
  ["k.brandt@example.org", "Karl Brandt"],
  ["dorothy@example.net", "Dorothy Vaughan"],
] as const;

const CELL = 'style="padding: 10px 0; border-bottom: 1px solid #e3ddd0"';

const RECEIPT = `<html><body style="margin: 0; padding: 32px 40px; font: 15px/24px sans-serif; color: #1d1b16">
<p style="margin: 0 0 24px; font-weight: bold; color: #1d4039">Lanternfish</p>
<h1 style="margin: 0 0 16px; font: 26px/36px Georgia, serif">Thank you, {{ firstName ?? "friend" }}.</h1>
<p style="margin: 0 0 16px">Your payment for March has arrived. Here is what it was for.</p>
<table width="100%" cellspacing="0" style="font-size: 14px"><tr><td ${CELL}>Lanternfish Pro, March</td><td align="right" ${CELL}>€10.08</td></tr>
<tr><td ${CELL}>VAT, 19 %</td><td align="right" ${CELL}>€1.92</td></tr>
<tr><td style="padding: 10px 0"><b>Paid by card ending 4410</b></td><td align="right"><b>€12.00</b></td></tr></table>
<p style="margin: 24px 0 0"><a href="https://lanternfish.example/invoices/4410" style="display: inline-block; padding: 8px 20px; border-radius: 6px; background: #1d4039; color: #fff; font-weight: bold; text-decoration: none">Download the invoice</a></p></body></html>`;

const NEWS = `<p style="font: 16px Georgia">New this month: shared calendars.</p><img src="https://cdn.lanternfish.example/calendar.png" width="400" height="160" alt="A calendar">`;

const ANSWER = `From: Ada Lovelace <ada@elsewhere.test>
To: Lanternfish <hello@lanternfish.example>
Subject: Re: Your receipt
Message-ID: <answer@elsewhere.test>
Date: Mon, 09 Mar 2026 08:52:00 +0000
Content-Type: text/plain; charset=utf-8

Thank you! Could the next one name our company?

Ada
`;

const MAILS = [
  { subject: "Your receipt", body: RECEIPT },
  {
    subject: "Your sign-in link",
    body: "<p>Sign in within ten minutes: <a href='https://lanternfish.example/in'>here</a>.</p>",
  },
  { subject: "Your group meets tonight", body: "<p>Half past seven, at the harbour library.</p>" },
  { subject: "Welcome to Lanternfish", body: "<p>Good to have you here.</p>" },
  { subject: "Reset your password", body: "<p>Somebody asked for a new password.</p>" },
];

const DAYS = 29;

const REFUSALS: Readonly<Record<string, HandoverOutcome>> = {
  "b.marlow@example.org": { kind: "bounced", reply: "550 5.1.1 <b.marlow@example.org>: user unknown" },
  "cyd@example.net": { kind: "failed", reply: "554 5.7.1 Service refused: policy" },
  "dorothy@example.net": { kind: "later", reply: "451 4.7.1 Greylisted, try again in 5 minutes" },
};

/** Posthorn with the shop; its time is the end of what happened. */
export async function lanternfish(): Promise<Posthorn> {
  const transport = new RecordingTransport();
  transport.answer = ({ envelope }) =>
    REFUSALS[envelope.recipient] ?? { kind: "accepted", reply: "250 2.0.0 queued as 4F2C91" };
  const zones: Record<string, Zone> = { ...ELSEWHERE };
  const { posthorn, port } = await startHouse({
    transport,
    clock: new TestClock("2026-02-08T07:05:00.000Z"),
    tracking: true,
    resolver: new TableResolver(zones),
    config: { smtp: { submissionPort: await freePort() }, webhooks: { allow: ["127.0.0.1"] } },
  });
  await posthorn.call("POST /keys", { name: "shop" });
  await addVerifiedDomain(posthorn, "lanternfish.example");
  await addUnverifiedDomain(posthorn, "news.lanternfish.example");
  await publish(posthorn, zones);
  for (const [email, name] of PEOPLE)
    await posthorn.call("POST /contacts", { email, data: { firstName: name.split(" ")[0], name, plan: "pro" } });
  await writeTemplates(posthorn);
  await listen(posthorn);
  await passDays(posthorn);
  // The shop believes that the address is in order again, and it bounces once more.
  await liftSuppressions(posthorn);
  await sendMails(posthorn);
  await sendOthers(posthorn);
  await bring({ port }, ANSWER, { from: "ada@elsewhere.test", to: ["hello@lanternfish.example"] });
  await gather(posthorn);
  await posthorn.call("PATCH /workspace", { name: "Lanternfish" });
  await posthorn.call("PUT /workspace/link-host", { host: "links.lanternfish.example" });
  await posthorn.call("POST /workspace/link-host/verify", {});
  await posthorn.settle();
  return posthorn;
}

/** One domain as it should be but for its policy, the other before its admin has done anything. */
async function publish(posthorn: Posthorn, zones: Record<string, Zone>): Promise<void> {
  const { data } = (await posthorn.call("GET /domains")).body;
  const { id } = data.find(({ domain }: Json) => domain === "lanternfish.example");
  const { records } = (await posthorn.call(`GET /domains/${id}`)).body;
  const dkim = records.find(({ name }: Json) => name.includes("_domainkey"));
  zones[dkim.name] = { TXT: [dkim.value] };
  zones["lanternfish.example"] = { TXT: ["v=spf1 include:_spf.relay.example ~all"] };
  await posthorn.call(`POST /domains/${id}/verify`, {});
}

/** A month of quiet business, less at weekends. */
async function passDays(posthorn: Posthorn): Promise<void> {
  const readers = PEOPLE.map(([email]) => email).filter((email) => !(email in REFUSALS));
  for (let day = 0; day < DAYS; day++) {
    const name = CAMPAIGNS[day];
    if (name !== undefined) await campaign(posthorn, name);
    const to = readers.slice(0, day % 7 < 2 ? 3 : 5 + ((day * 5) % 4));
    const { subject, body } = MAILS[day % MAILS.length] as (typeof MAILS)[number];
    const { data } = (await posthorn.call("POST /v1/send", { to, from: FROM, subject, body })).body;
    await posthorn.settle();
    for (const [number, { email }] of data.emails.entries())
      await react(posthorn, { data: { emails: [{ email }] } }, number);
    posthorn.clock.advance(24 * 60 * MINUTE_MS);
  }
}

/** By the day on which they left. */
const CAMPAIGNS: Readonly<Record<number, string>> = { 3: "Winter reading", 17: "Your February picks" };

async function campaign(posthorn: Posthorn, name: string): Promise<void> {
  const { data } = (
    await posthorn.call("POST /campaigns", { name, subject: name, body: NEWS, from: FROM.email, audienceType: "ALL" })
  ).body;
  await posthorn.call(`POST /campaigns/${data.id}/send`, {});
  await posthorn.settle();
  const { data: recipients } = (await posthorn.call(`GET /campaigns/${data.id}/recipients?limit=100`)).body;
  for (const [number, { emailId }] of recipients.entries())
    if (emailId) await react(posthorn, { data: { emails: [{ email: emailId }] } }, number);
}

/** A server of the shop hears of each bounce; it knows one of them too few. */
async function listen(posthorn: Posthorn): Promise<void> {
  let calls = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => (++calls % 3 === 2 ? new Response("no such customer", { status: 422 }) : new Response("thanks")),
  });
  server.unref();
  const config = { url: `http://127.0.0.1:${server.port}/bounces` };
  await posthorn.call("POST /workflows", {
    ...{ name: "Report bounces", eventName: "email.bounce", enabled: true, allowReentry: true },
    steps: [{ type: "WEBHOOK", name: "Tell the ledger", config }],
  });
  const events = ["email.bounce", "email.complaint", "campaign.*"];
  const url = `http://127.0.0.1:${server.port}/shop`;
  await posthorn.call("POST /webhooks", { url, events, description: "The shop", headers: { "X-Shop": "lanternfish" } });
}

/** A campaign is paused while its mail is on the way; once. */
export async function holdCampaign(posthorn: Posthorn): Promise<void> {
  if ((await posthorn.call("GET /emails?held=true")).body.total > 0) return;
  const transport = posthorn.transport as RecordingTransport;
  const before = transport.answer;
  transport.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
  const news = { name: "Spring news", subject: "What is new in spring", body: NEWS, from: FROM.email };
  const { data } = (await posthorn.call("POST /campaigns", { ...news, audienceType: "ALL" })).body;
  await posthorn.call(`POST /campaigns/${data.id}/send`, {});
  await posthorn.settle();
  await posthorn.call(`POST /campaigns/${data.id}/pause`, {});
  posthorn.clock.advance(MINUTE_MS);
  await posthorn.settle();
  transport.answer = before;
}

/** Of a link that lets somebody in. */
export function tokenFor(posthorn: Posthorn, kind: LinkKind): Promise<string | null> {
  return posthorn.store.write(async (tx) => {
    if (kind === "welcome") return welcomeToken(tx);
    const [workspace] = await allWorkspaces(tx);
    if (kind === "invitation")
      return invitationToken(tx, {
        workspace: workspace?.seq ?? 0,
        email: "noor@lanternfish.example",
        role: "MARKETER",
        invitedBy: null,
        inviter: null,
      });
    return recoveryToken(
      tx,
      await createUser(tx, { email: `eva.${++locked}@lanternfish.example`, name: "Eva Moser", isOwner: true }),
    );
  });
}

let locked = 0;

async function writeTemplates(posthorn: Posthorn): Promise<void> {
  for (const { subject, body } of MAILS)
    await posthorn.call("POST /templates", { name: subject, subject, body, type: "TRANSACTIONAL", from: FROM.email });
}

async function sendMails(posthorn: Posthorn): Promise<void> {
  for (let number = 0; number < 36; number++) {
    const [email] = PEOPLE[number % PEOPLE.length] as (typeof PEOPLE)[number];
    const { subject, body } = MAILS[(number * 3) % MAILS.length] as (typeof MAILS)[number];
    const sent = await posthorn.call("POST /v1/send", { to: email, from: FROM, subject, body });
    await posthorn.settle();
    posthorn.clock.advance(MINUTE_MS);
    await react(posthorn, sent.body, number);
    posthorn.clock.advance(2 * MINUTE_MS);
  }
}

/** Of a template, with a file; one for another day; one with images from elsewhere. */
async function sendOthers(posthorn: Posthorn): Promise<void> {
  const mail = { to: "ada@example.com", from: FROM, reply: "help@lanternfish.example", data: { firstName: "Ada" } };
  const invoice = { filename: "invoice-4410.pdf", content: "JVBERi0xLjcK", contentType: "application/pdf" };
  const { body: template } = await posthorn.call("POST /templates", {
    ...{ name: "Invoice", type: "TRANSACTIONAL", from: FROM.email, subject: "Your invoice for March", body: RECEIPT },
    ...{ tags: ["invoice", "plan:pro"], metadata: { department: "billing" } },
  });
  await posthorn.call("POST /v1/send", { ...mail, template: template.id, attachments: [invoice] });
  await posthorn.settle();
  posthorn.clock.advance(1_500);
  const sendAt = new Date(posthorn.clock.nowMs() + 20 * 60 * MINUTE_MS).toISOString();
  await posthorn.call("POST /v1/send", {
    ...mail,
    to: "grace@example.com",
    subject: "Your trial ends tomorrow",
    body: "<p>Soon.</p>",
    sendAt,
  });
  await posthorn.call("POST /v1/send", {
    ...mail,
    to: "hedy@example.com",
    subject: "What is new in March",
    body: NEWS,
  });
  await posthorn.settle();
}

/** What the relay reports and readers do. */
async function react(posthorn: Posthorn, { data }: Json, number: number): Promise<void> {
  const emailId = data?.emails?.[0]?.email as string | undefined;
  if (emailId === undefined) return;
  await posthorn.store.write(async (tx) => {
    const mail = await findLeftMail(tx, emailId);
    if (!mail || mail === "early" || number % 4 === 1) return;
    if (number === 22) return markComplained(tx, mail);
    await markDelivered(tx, mail);
  });
  if (number % 3 !== 0) return;
  await posthorn.store.write(async (tx) => {
    await recordVisits(
      tx,
      [true, false].map((isMachine) => ({ emailId, link: null, isMachine })),
    );
  });
}

const TEAM = [
  ["ADMIN", "Jonas Weber"],
  ["DEVELOPER", "Priya Nair"],
  ["MARKETER", "María Fernández-Ortega"],
  ["SUPPORT", "Tom Okafor"],
] as const;

/** The people of the shop, two of whom have not come yet. */
async function gather(posthorn: Posthorn): Promise<void> {
  for (const [role, name] of TEAM) {
    const email = `${name
      .split(" ")[0]
      ?.normalize("NFD")
      .replace(/[^A-Za-z]/g, "")
      .toLowerCase()}@lanternfish.example`;
    const person = await somebody(posthorn, role, email);
    await person.ask("PATCH /me", { body: { name } });
    if (role !== "ADMIN") continue;
    for (const invited of ["ines@lanternfish.example", "cyd@lanternfish.example"])
      await person.ask("POST /invitations", { body: { email: invited, role: "EDITOR" } });
  }
}
