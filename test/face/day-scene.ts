// What a day begins with: a shop with customers, orders, a letter that some have read, and three files from elsewhere.
import { findLeftMail, markComplained, markDelivered } from "../../src/mail/emails/feedback/feedback.ts";
import { recordVisits } from "../../src/mail/emails/feedback/visits.ts";
import type { HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import { somebody } from "../support/people.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { RecordingTransport } from "../support/transport.ts";

export const FROM = "hello@example.test";
const DAY_MS = 86_400_000;
const LINK = "https://shop.example/spring";

/** As each product writes it; the last one as a spreadsheet in Germany does, in its encoding. */
export const EXPORTS = [
  {
    name: "subscribed_members_export.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(
      [
        "Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,LATITUDE,LONGITUDE,LEID,EUID,TAGS",
        'mia@mailer.example,Mia,Stone,4,2025-01-07 10:11:12,192.0.2.7,2025-01-07 10:12:01,52.5,13.4,1001,a1b2,"VIP"',
        'noah@mailer.example,Noah,Reed,2,2025-02-07 10:11:12,192.0.2.8,2025-02-07 10:12:01,,,1002,a1b3,""',
        "",
      ].join("\n"),
    ),
  },
  {
    name: "brevo-contacts.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(
      [
        "CONTACT ID;EMAIL;FIRSTNAME;LASTNAME;SMS;EMAIL_BLACKLISTED;ADDED_TIME",
        "11;paul@sender.example;Paul;Moss;;No;12-01-2025 09:00:00",
        "12;rita@sender.example;Rita;Bell;;Yes;13-01-2025 09:00:00",
        "",
      ].join("\n"),
    ),
  },
  {
    name: "kunden.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(
      ["E-Mail;Vorname;Ort;Newsletter", "jörg@laden.example;Jörg;Köln;ja", "uta@laden.example;Uta;Ulm;nein", ""].join(
        "\r\n",
      ),
      "latin1",
    ),
  },
];

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
export const PICTURE = { name: "spring.png", mimeType: "image/png", buffer: Buffer.from(PNG, "base64") };

const CUSTOMERS = [
  ["ada", { plan: "pro", country: "DE", tags: ["VIP"] }],
  ["ben", { plan: "free", country: "DE" }],
  ["cyd", { plan: "pro", country: "FR" }],
  ["dora", { plan: "pro", country: "DE" }],
  ["eve", { plan: "free", country: "AT" }],
  ["finn", { plan: "free", country: "DE" }],
  ["gus", { plan: "pro", country: "GB", tags: ["VIP"] }],
  ["hana", { plan: "free", country: "GB" }],
  ["ivo", { plan: "team", country: "GB" }],
  ["kim", { plan: "pro", country: "GB" }],
] as const;

const OUTCOMES: Readonly<Record<string, HandoverOutcome>> = {
  "ben@example.com": { kind: "bounced", reply: "550 5.1.1 <ben@example.com>: user unknown" },
  "eve@example.com": { kind: "failed", reply: "552 5.2.2 mailbox full" },
  "finn@example.com": { kind: "later", reply: "451 4.7.1 Greylisted, try again later" },
};

const ok = async (reply: Promise<{ readonly status: number; readonly body: Json }>): Promise<Json> => {
  const { status, body } = await reply;
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body;
};

/** Customers, two orders, and a letter that one of them has followed. */
export async function shop(): Promise<Posthorn> {
  const posthorn = await startPosthorn({ tracking: true });
  await addCustomers(posthorn);
  await order(posthorn, "cyd");
  posthorn.clock.advance(100 * DAY_MS);
  await order(posthorn, "ada");
  await sendLetter(posthorn);
  await posthorn.settle();
  return posthorn;
}

async function addCustomers(posthorn: Posthorn): Promise<void> {
  for (const [name, data] of CUSTOMERS)
    await ok(
      posthorn.call("POST /contacts", {
        email: `${name}@example.com`,
        data: { name: name.replace(/^./, (letter) => letter.toUpperCase()), ...data },
      }),
    );
}

const order = (posthorn: Posthorn, name: string) =>
  ok(posthorn.call("POST /v1/track", { email: `${name}@example.com`, event: "order.placed", data: { total: 20 } }));

/** Dora has clicked, Gus has opened, Hana has complained. */
async function sendLetter(posthorn: Posthorn): Promise<void> {
  const letter = { name: "March letter", subject: "What is new in March", from: FROM, audienceType: "ALL" };
  const { data } = await ok(
    posthorn.call("POST /campaigns", { ...letter, body: `<p>New: <a href="${LINK}">the spring list</a></p>` }),
  );
  await ok(posthorn.call(`POST /campaigns/${data.id}/send`, {}));
  await posthorn.settle();
  const { data: all } = await ok(posthorn.call(`GET /campaigns/${data.id}/recipients?limit=100`));
  for (const { email, emailId } of all) if (emailId) await read(posthorn, emailId, String(email).split("@")[0] ?? "");
}

export async function read(posthorn: Posthorn, emailId: string, name: string, link = LINK): Promise<void> {
  posthorn.clock.advance(60_000);
  await posthorn.store.write(async (tx) => {
    const mail = await findLeftMail(tx, emailId);
    if (!mail || mail === "early") return;
    await markDelivered(tx, mail);
    if (name === "hana") await markComplained(tx, mail);
  });
  if (!["dora", "gus"].includes(name)) return;
  const links = name === "dora" ? [null, link] : [null];
  await posthorn.store.write((tx) =>
    recordVisits(
      tx,
      links.map((one) => ({ emailId, link: one, isMachine: false })),
    ),
  );
}

/** The shop, with what people ask support about. */
export async function desk(): Promise<Posthorn> {
  const transport = new RecordingTransport();
  transport.answer = ({ envelope }) => OUTCOMES[envelope.recipient] ?? { kind: "accepted", reply: "250 2.0.0 queued" };
  const posthorn = await startPosthorn({ transport, tracking: true });
  await addCustomers(posthorn);
  const mara = await somebody(posthorn, "MARKETER", "mara@example.test");
  await mara.ask("PATCH /me", { body: { name: "Mara Lind" } });
  const { body: cyd } = await posthorn.call("GET /contacts/by-email/cyd@example.com");
  await mara.ask(`PATCH /contacts/${cyd.id}`, { body: { subscribed: false } });
  const receipt = await ok(
    posthorn.call("POST /templates", {
      ...{ name: "Receipt", type: "TRANSACTIONAL", from: FROM },
      ...{ subject: "Your receipt", body: "<p>Thank you, {{ name }}.</p>" },
    }),
  );
  await mara.ask(`PATCH /templates/${receipt.id}`, { body: { subject: "Your receipt from the shop" } });
  await ok(
    posthorn.call("POST /segments", {
      name: "Pro customers",
      condition: { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] },
    }),
  );
  await ok(
    posthorn.call("POST /workflows", {
      ...{ name: "First week", eventName: "signup", enabled: true },
      steps: [
        { type: "WAIT_FOR_EVENT", name: "First order?", config: { eventName: "order.placed", timeout: 604_800 } },
      ],
    }),
  );
  await ok(posthorn.call("POST /v1/track", { email: "kim@example.com", event: "signup" }));
  const mail = (name: string, more: object) =>
    ok(posthorn.call("POST /v1/send", { to: `${name}@example.com`, from: FROM, body: "<p>Thanks.</p>", ...more }));
  await mail("ben", { subject: "Your receipt" });
  await posthorn.settle();
  await sendLetter(posthorn);
  const { data } = await mail("ada", { template: receipt.id, body: undefined });
  const invoice = { filename: "invoice.pdf", content: "JVBERi0xLjcK", contentType: "application/pdf" };
  await mail("eve", { subject: "Your invoice" });
  await mail("ivo", { subject: "Your invoice", attachments: [invoice] });
  await mail("finn", { subject: "Your receipt" });
  const sendAt = new Date(posthorn.clock.nowMs() + DAY_MS).toISOString();
  await mail("gus", { subject: "Your trial ends tomorrow", sendAt });
  await posthorn.settle();
  await read(posthorn, data.emails[0].email, "ada");
  return posthorn;
}
