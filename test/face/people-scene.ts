// A person with a past, for pictures: segments, a workflow, a campaign to come, changes of consent, and a file of more
// people.
import type { Posthorn } from "../support/posthorn.ts";

const FROM = "hello@lanternfish.example";
const ADA = "ada@example.com";
const done = new WeakSet<Posthorn>();

/** Once a shop. */
export async function peopleWithAPast(posthorn: Posthorn): Promise<void> {
  if (done.has(posthorn)) return;
  done.add(posthorn);
  const post = async (route: string, body: object) => (await posthorn.call(`POST ${route}`, body)).body;
  const filters = (field: string, value: string) => ({ groups: [{ filters: [{ field, value }] }] });
  await post("/segments", { name: "Pro", condition: filters("plan", "pro"), trackMembership: true });
  const leaders = await post("/segments", { name: "Group leaders", type: "STATIC" });
  await post(`/segments/${leaders.id}/members`, { emails: [ADA, "grace@example.com"] });
  await post("/workflows", {
    ...{ name: "After a sign-up", eventName: "signup", enabled: true },
    steps: [{ type: "WAIT_FOR_EVENT", name: "Paid?", config: { eventName: "paid", timeout: 259_200 } }],
  });
  await post("/contacts", {
    email: ADA,
    data: { country: "GB", groups: 3, reading: { title: "Middlemarch", page: 212 } },
  });
  await post("/v1/track", { email: ADA, event: "signup" });
  await post("/v1/track", {
    email: ADA,
    event: "page.turned",
    data: { book: { value: "Middlemarch", persistent: false } },
  });
  await post("/contacts", { email: "noor@example.net", doubleOptIn: true, data: { name: "Noor Haddad" } });
  await post("/contacts", { email: "liam@example.org", subscribed: false, data: { name: "Liam Byrne" } });
  await posthorn.settle();
  posthorn.clock.advance(60_000);
  const { id } = (await posthorn.call(`GET /contacts/by-email/${ADA}`)).body;
  await posthorn.call(`PATCH /contacts/${id}`, { subscribed: false });
  posthorn.clock.advance(60_000);
  await posthorn.call(`PATCH /contacts/${id}`, { subscribed: true });
  const news = { name: "Spring news", subject: "What is new in spring", body: "<p>Spring.</p>", from: FROM };
  const campaign = (await post("/campaigns", { ...news, audienceType: "ALL" })).data.id;
  const scheduledFor = new Date(posthorn.clock.nowMs() + 3 * 86_400_000).toISOString();
  await post(`/campaigns/${campaign}/send`, { scheduledFor });
  await posthorn.settle();
}

/** As a spreadsheet in Germany writes it. */
export const FAIR_CSV = Buffer.from(
  [
    "E-Mail;Vorname;Land;Abo;Newsletter;Telefon;Notiz",
    "maria@example.org;Maria;DE;free;ja;+49 170 5550101;met at the fair",
    "t.ng@example.com;Thanh;AT;pro;nein;;",
    "ada@example.com;Ada;GB;pro;ja;;",
    "jonas @example.com;Jonas;DE;free;ja;;",
    "kirsten.example.org;Kirsten;DE;free;ja;;",
    "o’hara@;Niamh;IE;pro;ja;;",
    "maria@example.org;María;ES;free;ja;;",
    "lars@example.net;Lars;DE;free;vielleicht;;",
    ...Array.from({ length: 40 }, (_, n) => `guest${n}@example.net;Guest ${n};DE;free;ja;;`),
    "",
  ].join("\r\n"),
);

/** As Mailchimp names the files of an audience. */
export const MAILCHIMP_FILES = [
  [
    "subscribed",
    "Email Address,First Name,PLAN,OPTIN_TIME\nmaria@example.org,Maria,pro,2024-03-01 10:00:00\nada@example.com,Ada,free,\n",
  ],
  ["unsubscribed", "Email Address,First Name,UNSUB_TIME\nt.ng@example.com,Thanh,2026-01-02 10:00:00\nno address,Jo,\n"],
  ["cleaned", "Email Address,First Name,CLEAN_TIME\nada@example.com,Ada,2026-02-03 10:00:00\n"],
  ["campaigns", "title,sent\nSpring,2026-01-01\n"],
].map(([name = "", text = ""]) => ({
  name: `${name}_email_audience_export_4f1c.csv`,
  mimeType: "text/csv",
  buffer: Buffer.from(text),
}));

const twice = new WeakSet<Posthorn>();

/** Some of them are here twice, and one was merged already. */
export async function peopleTwice(posthorn: Posthorn): Promise<void> {
  await peopleWithAPast(posthorn);
  if (twice.has(posthorn)) return;
  twice.add(posthorn);
  const post = async (route: string, body?: object) => (await posthorn.call(`POST ${route}`, body)).body;
  const person = async (email: string, data: object, subscribed = true) =>
    (await post("/contacts", { email, subscribed, data })).id as string;
  await person("maria.okafor@gmail.com", { name: "Maria Okafor", plan: "free", country: "GB" });
  await person("mariaokafor+books@googlemail.com", { name: "M. Okafor", plan: "pro", groups: 2 }, false);
  await person("t.brandt@harbour-books.example", { name: "Tilda Brandt", country: "DE" });
  await person("tilda.brandt@harbour-books.example", { name: "Tilda Brandt", plan: "pro" });
  await person("tilda@harbour-books.example", { name: "Tilda Brandt" });
  const [into, from] = [
    await person("joan@example.net", { name: "Joan Clarke" }),
    await person("joan@old.example", {}),
  ];
  await post("/contacts/merge", { into, from: [from] });
  await post("/contacts/duplicates");
  await posthorn.settle();
}
