// Walks the table of what can happen: each fact is caused through the real server, and all of its columns are seen to
// have happened, and nothing else.
import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { DEFAULTS } from "../../src/base/config.ts";
import { linksFor } from "../../src/content/rendering/links.ts";
import { columnsOf, COUNTED, FACTS, type FactName } from "../../src/tenant/events/catalog.ts";
import { newsOf } from "../../src/tenant/events/notify.ts";
import { literal } from "../../src/store/sql.ts";
import { addReaders, send as sendCampaign } from "../support/campaigns.ts";
import { letter } from "../support/mails.ts";
import type { Store } from "../../src/store/store.ts";
import { ENGINE } from "../support/database.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { Receiver } from "../support/receiver.ts";
import { ask } from "../support/scenario.ts";
import { sendTracked, visit } from "../support/tracking.ts";
import { DAY, MINUTE } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const ADA = "ada@example.com";
const there = new Receiver();
let posthorn: Posthorn;
let signals: string[];
/** Called with each signal that arrives. */
let onSignal: (what: string) => void = () => undefined;
/** Stores of servers that the tests share: each is listened to once. */
const heard = new WeakSet<Store>();
afterAll(() => there.stop());
beforeEach(async () => {
  const metrics = { ...DEFAULTS.metrics, path: "/metrics" };
  posthorn = await workspace({ config: { webhooks: { allow: ["127.0.0.1"] }, metrics }, tracking: true });
  await made("POST /webhooks", { url: there.url, events: ["*"] });
  if (!heard.has(posthorn.store))
    posthorn.store.onSignal((what) => {
      if (what === null) return;
      signals.push(what);
      onSignal(what);
    });
  heard.add(posthorn.store);
});
afterEach(() => posthorn[Symbol.asyncDispose]());

async function made(route: string, body?: object): Promise<Json> {
  const reply = await ask(posthorn, route, { body });
  expect([route, reply.status < 300 ? "" : reply.body]).toEqual([route, ""]);
  return reply.body?.id ? reply.body : (reply.body?.data ?? reply.body);
}

const person = async (more: object = {}): Promise<string> => (await made("POST /contacts", { email: ADA, ...more })).id;
const change = (id: string, body: object) => made(`PATCH /contacts/${id}`, body);
const mail = (to: string, more: object = {}) => made("POST /v1/send", { ...letter, to, ...more });
const simulated = (fate: string) => mail(`${fate}@simulator.test`);
const topic = () => made("POST /topics", { key: "news", name: { en: "News" } });
const inDays = (days: number) => new Date(posthorn.clock.nowMs() + days * DAY).toISOString();
const setVerified = (verified: boolean) =>
  posthorn.store.write((tx) => tx.run`update domains set verified_at = ${verified ? tx.now : null}`);

const segment = async (): Promise<string> =>
  (await made("POST /segments", { name: "VIP", type: "STATIC", trackMembership: true })).id;

type Cause = {
  readonly facts: readonly FactName[];
  /** Pages that the route itself changes, whatever happens. */
  readonly pages?: readonly string[];
  /** What has to be there before; answers an id. */
  readonly given?: () => Promise<unknown>;
  readonly act: (id: never) => Promise<unknown>;
};

const LEFT = ["email.accepted", "email.sent"] as const;
const MET = ["contact.created", ...LEFT] as const;

const CAUSES: Readonly<Record<string, Cause>> = {
  "a mail leaves": { facts: [...MET], pages: ["mails"], act: () => mail(ADA) },
  "a mail arrives": { facts: [...MET, "email.delivery"], act: () => simulated("delivered") },
  "a mail is asked for later": {
    facts: ["contact.created", "email.accepted", "email.deferred"],
    act: () => simulated("deferred"),
  },
  "a mail is refused": { facts: ["contact.created", "email.accepted", "email.failed"], act: () => simulated("failed") },
  "a mail bounces for good": {
    facts: [...MET, "email.returned", "email.hard-bounce", "suppression.added", "contact.updated"],
    act: () => simulated("bounced"),
  },
  "a mail bounces for now": {
    facts: [...MET, "email.returned", "email.soft-bounce"],
    act: () => simulated("soft-bounced"),
  },
  "somebody complains": {
    facts: [...MET, "email.delivery", "email.complaint", "suppression.added", "contact.updated"],
    act: () => simulated("complained"),
  },
  "a mail is opened": {
    facts: ["email.first-open"],
    given: () => sendTracked(posthorn, "<p>Hi</p>"),
    act: ({ pixel }: Awaited<ReturnType<typeof sendTracked>>) => visit(posthorn, pixel),
  },
  "a mail is opened again": {
    facts: ["email.open"],
    given: async () => {
      const tracked = await sendTracked(posthorn, "<p>Hi</p>");
      await visit(posthorn, tracked.pixel);
      return tracked;
    },
    act: ({ pixel }: Awaited<ReturnType<typeof sendTracked>>) => visit(posthorn, pixel),
  },
  "a link is followed": {
    facts: ["email.first-click"],
    given: () => sendTracked(posthorn, '<a href="https://shop.example/">Hi</a>'),
    act: ({ links: [link = ""] }: Awaited<ReturnType<typeof sendTracked>>) => visit(posthorn, link),
  },
  "a mail is cancelled": {
    facts: ["email.cancelled"],
    pages: ["mails"],
    given: async () => (await mail(ADA, { sendAt: inDays(1) })).emails[0].email,
    act: (id: string) => made(`DELETE /emails/${id}`),
  },
  "a contact is made": { facts: ["contact.created"], pages: ["contacts"], act: () => person({ subscribed: false }) },
  "a contact changes": {
    facts: ["contact.updated"],
    pages: ["contacts"],
    given: person,
    act: (id: string) => change(id, { data: { plan: "pro" } }),
  },
  "a contact unsubscribes": {
    facts: ["contact.unsubscribed"],
    given: person,
    act: (id: string) => change(id, { subscribed: false }),
  },
  "a contact subscribes": {
    facts: ["contact.subscribed"],
    given: () => person({ subscribed: false }),
    act: (id: string) => change(id, { subscribed: true }),
  },
  "a contact takes a break": {
    facts: ["contact.paused"],
    given: person,
    act: (id: string) => change(id, { pausedUntil: inDays(30) }),
  },
  "a break ends": {
    facts: ["contact.resumed"],
    given: () => person().then((id) => change(id, { pausedUntil: inDays(30) })),
    act: ({ id }: Json) => change(id, { pausedUntil: null }),
  },
  "a contact joins a topic": {
    facts: ["topic.joined", "contact.updated"],
    given: () => topic().then(() => person()),
    act: (id: string) => change(id, { topics: { news: "in" } }),
  },
  "a contact leaves a topic": {
    facts: ["topic.left", "contact.updated"],
    given: () => topic().then(() => person()),
    act: (id: string) => change(id, { topics: { news: "out" } }),
  },
  "a contact takes a choice back": {
    facts: ["topic.unsaid", "contact.updated"],
    pages: ["contacts"],
    given: async () => {
      await topic();
      return (await change(await person(), { topics: { news: "out" } })).id;
    },
    act: (id: string) => change(id, { topics: { news: null } }),
  },
  "an address is suppressed": {
    facts: ["suppression.added", "contact.updated"],
    pages: ["contacts"],
    given: person,
    act: () => made("POST /suppressions", { address: ADA }),
  },
  "an address is suppressed no more": {
    facts: ["suppression.removed", "contact.updated"],
    pages: ["contacts"],
    given: () => person().then(() => made("POST /suppressions", { address: ADA })),
    act: ({ id }: Json) => made(`DELETE /suppressions/${id}`),
  },
  "a contact is asked": {
    facts: ["contact.created", "contact.asked", ...LEFT],
    pages: ["contacts"],
    act: () => person({ doubleOptIn: true }),
  },
  "a contact is merged": {
    facts: ["contact.merged"],
    given: async () => ({ into: await person(), from: [await person({ email: "ada@old.example" })] }),
    act: (merging: object) => made("POST /contacts/merge", merging),
  },
  "a merge is undone": {
    facts: ["contact.unmerged", "contact.created", "contact.updated"],
    pages: ["contacts"],
    given: async () => {
      const into = await person({ subscribed: false });
      const from = [await person({ email: "ada@old.example", subscribed: false })];
      const { id } = await made("POST /contacts/merge", { into, from });
      await posthorn.settle();
      return id;
    },
    act: (id: string) => made(`POST /contacts/merges/${id}/undo`),
  },
  "a merge joins a topic": {
    facts: ["contact.merged", "topic.inherited", "contact.updated"],
    given: async () => {
      await topic();
      const into = await person();
      return { into, from: [await person({ email: "ada@old.example", topics: { news: "in" } })] };
    },
    act: (merging: object) => made("POST /contacts/merge", merging),
  },
  "a person confirms": {
    facts: ["contact.confirmed", "contact.subscribed"],
    given: async () => {
      await person({ doubleOptIn: true });
      await posthorn.settle();
      const raw = posthorn.transport.sent.at(-1)?.raw.toString().replace(/=\r\n/g, "") ?? "";
      return /http:\/\/127\.0\.0\.1:8484(\/subscribe\/[\w-]+)/.exec(raw)?.[1];
    },
    act: (path: string) => ask(posthorn, `POST ${path}`, { key: "none" }),
  },
  "a person unsubscribes through a mail": {
    facts: ["contact.unsubscribed", "email.unsubscribed"],
    given: async () => {
      const id = await person();
      return { id, email: (await mail(ADA)).emails[0].email };
    },
    act: ({ id: contactId, email: emailId }: Json) => {
      const { unsubscribeUrl } = linksFor(posthorn.secrets, "", { contactId, emailId });
      return ask(posthorn, `POST ${unsubscribeUrl}`, { key: "none" });
    },
  },
  "a contact enters a segment": {
    facts: ["segment.entry"],
    pages: ["segments"],
    given: () => person().then(() => segment()),
    act: (id: string) => made(`POST /segments/${id}/members`, { emails: [ADA] }),
  },
  "a contact leaves a segment": {
    facts: ["segment.exit"],
    pages: ["segments"],
    given: async () => {
      await person();
      const id = await segment();
      await made(`POST /segments/${id}/members`, { emails: [ADA] });
      return id;
    },
    act: (id: string) => made(`DELETE /segments/${id}/members`, { emails: [ADA] }),
  },
  "a contact is erased": {
    facts: ["contact.erased"],
    pages: ["contacts"],
    given: person,
    act: (id: string) => made(`DELETE /contacts/${id}`),
  },
  "an event is tracked": {
    facts: ["event.tracked"],
    given: person,
    act: () => made("POST /v1/track", { email: ADA, event: "signed-up" }),
  },
  "a campaign leaves": {
    facts: ["campaign.started", "campaign.finished", ...LEFT],
    given: () => addReaders(posthorn, 1),
    act: () => sendCampaign(posthorn).then(later),
  },
  "a campaign is blocked": {
    facts: ["campaign.started", "campaign.blocked"],
    given: () => addReaders(posthorn, 1),
    act: () => sendCampaign(posthorn).then(() => setVerified(false)),
  },
  "an import ends": {
    facts: ["import.finished", "contact.created"],
    act: () => {
      const form = new FormData();
      form.append("file", new File(["email,subscribed\nada@example.com,false\n"], "people.csv", { type: "text/csv" }));
      const headers = { authorization: `Bearer ${posthorn.keys.secret}` };
      return fetch(`${posthorn.server.url}/contacts/import`, { method: "POST", headers, body: form });
    },
  },
};

async function later(): Promise<void> {
  await posthorn.settle();
  posthorn.clock.advance(10 * MINUTE);
}

/** The counters of mails, by the words of the column. */
async function figures(): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${posthorn.server.url}/metrics`)).text();
  const lines = [...text.matchAll(/^posthorn_mails_(accepted|reported)_total\{\w+="(\w+)"\} (\d+)$/gm)];
  const sums = new Map<string, number>();
  for (const [, what, label = "", n] of lines) {
    const name = what === "accepted" ? what : label;
    sums.set(name, (sums.get(name) ?? 0) + Number(n));
  }
  return sums;
}

/** What is there of each column. */
async function traces() {
  await posthorn.settle();
  const metrics = await figures();
  const sums = COUNTED.map((one) => `coalesce(sum(${one}), 0) as ${one}`).join(", ");
  return posthorn.store.read(async (reader) => ({
    metrics,
    noted: (await reader.all`select seq from audit`).length,
    events: (await reader.all<{ name: string }>`select name from events order by seq`).map(({ name }) => name),
    ledger: (await reader.all<{ content: string }>`select content from consents order by seq`).map(
      ({ content }) => JSON.parse(content ?? '{"what":"erased"}').what as string,
    ),
    counts: (await reader.get<Record<string, number>>`select ${literal(sums)} from mail_counts`) ?? {},
  }));
}

/** On PostgreSQL, each signal comes a second time, from the server, a moment later and in order. */
const TIMES = ENGINE === "postgres" ? 2 : 1;

/** Waits until all signals have arrived. */
async function signalsArrive(): Promise<void> {
  const last = Bun.randomUUIDv7();
  let count = 0;
  const arrive = new Promise<void>((resolve) => {
    onSignal = (what) => what === last && ++count === TIMES && resolve();
  });
  await posthorn.store.write(async (tx) => tx.signal(last));
  await arrive;
}

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

/** The names of events that are told by a type. */
const NAMED: Readonly<Partial<Record<FactName, string>>> = {
  "event.tracked": "signed-up",
  "segment.entry": "segment.vip.entry",
  "segment.exit": "segment.vip.exit",
};

/** What the columns of these facts say. */
function said(facts: readonly FactName[], pages: readonly string[]) {
  const rows = facts.map((name) => {
    const row = columnsOf(name);
    return {
      name: row.event ?? name,
      ...row,
      ...(row.event ? columnsOf(row.event) : {}),
      counts: row.counts,
      metric: row.metric,
    };
  });
  const named = (told: string) => rows.flatMap((row) => (row.told === told ? row.name : []));
  const events = [...named("log"), ...facts.flatMap((fact) => NAMED[fact] ?? [])];
  return {
    events: sorted(events),
    calls: sorted([
      ...[...named("log"), ...named("type"), ...named("endpoints"), ...named("change")],
      ...rows.flatMap(({ touches }) => (touches?.includes("updatedAt") ? "contact.updated" : [])),
    ]),
    ledger: sorted(rows.flatMap(({ ledger = [] }) => ledger)),
    counts: sorted(rows.flatMap(({ counts = [] }) => counts)),
    pages: sorted([...rows.flatMap(({ pages = [] }) => pages), ...(events.length > 0 ? ["events"] : []), ...pages]),
    wakes: sorted(rows.flatMap(({ wakes = [] }) => wakes)),
    metrics: sorted(rows.flatMap(({ metric = [] }) => metric)),
    noted: 0,
  };
}

const LOOPS = sorted(Object.values(FACTS).flatMap((row) => ("wakes" in row ? row.wakes : [])));

test.each(Object.entries(CAUSES))("%s", async (_, { facts, pages = [], given, act }) => {
  signals = [];
  const id = await given?.();
  const before = await traces();
  await signalsArrive();
  there.received.splice(0);
  signals = [];
  await act(id as never);
  const after = await traces();
  await signalsArrive();
  expect({
    events: sorted(after.events.slice(before.events.length)),
    calls: sorted(there.received.splice(0).map(({ body }) => JSON.parse(body).type)),
    ledger: sorted(after.ledger.slice(before.ledger.length)),
    counts: sorted(COUNTED.filter((one) => after.counts[one] !== before.counts[one])),
    pages: sorted(signals.flatMap((one) => newsOf(one)?.channel ?? []).filter((one) => one !== "webhooks")),
    wakes: LOOPS.filter((one) => signals.includes(one)),
    metrics: sorted([...after.metrics].flatMap(([name, n]) => (n === before.metrics.get(name) ? [] : name))),
    noted: after.noted - before.noted,
  }).toEqual(said(facts, pages));
});

/** Facts that other tests cause, since they need another server, or hours. */
const ELSEWHERE: readonly FactName[] = [
  // statistics/fates.test.ts
  ...(["email.undelivered", "email.lost", "email.skipped", "email.topic-left", "email.bounce", "email.click"] as const),
  // inbound/
  "email.received",
  // webhooks/notices.test.ts
  ...(["domain.verified", "domain.failing", "domain.recovered"] as const),
  // consent/, forms/, api/import-undo.test.ts
  ...(["contact.declined", "contact.expired", "contact.agreed", "topic.passed", "contact.resubscribed"] as const),
];

test("each fact of the table is caused", () => {
  const caused = Object.values(CAUSES).flatMap((cause) => cause.facts);
  expect(sorted([...caused, ...ELSEWHERE])).toEqual(sorted(Object.keys(FACTS)));
  expect(ELSEWHERE.filter((fact) => caused.includes(fact))).toEqual([]);
});
