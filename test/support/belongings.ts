// One record of each kind that routes name by id, and routes with those ids.
import { newId } from "../../src/base/ids.ts";
import { putOn } from "./brakes.ts";
import { upload, uploadSuppressions } from "./files.ts";
import { letter } from "./mails.ts";
import type { Json, Posthorn } from "./posthorn.ts";
import { ask, type Key } from "./scenario.ts";

export const template = {
  name: "Secret plan",
  subject: "Secret",
  body: "<p>Secret</p>",
  type: "MARKETING",
  from: "hello@example.test",
};

const flow = (templateId: string) => ({
  name: "Secret flow",
  eventName: "secret",
  enabled: true,
  steps: [{ type: "SEND_EMAIL", name: "Tell", config: { templateId } }],
});

const friends = {
  name: "Secret friends",
  condition: { groups: [{ filters: [{ field: "plan", value: "secret" }] }] },
};

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** One record of each kind that routes name by id; a new kind of record needs its line here. */
export type Owned = Readonly<Record<Kind, string>>;
type Kind =
  | "contacts"
  | "templates"
  | "emails"
  | "segments"
  | "forms"
  | "keys"
  | "domains"
  | "received"
  | "campaigns"
  | "views"
  | "import"
  | "bulk"
  | "jobs"
  | "images"
  | "blocks"
  | "topics"
  | "versions"
  | "campaignVersions"
  | "events"
  | "workflows"
  | "steps"
  | "transitions"
  | "executions"
  | "webhooks"
  | "deliveries"
  | "suppressions"
  | "imports"
  | "merges"
  | "notes"
  | "brakes";

/** Makes one of each. */
export async function belongings(posthorn: Posthorn, key: Key, from: string): Promise<Owned> {
  const made = async (route: string, body: object) => (await ask(posthorn, route, { key, body })).body;
  const attachments = [{ filename: "secret.txt", content: "c2VjcmV0" }];
  const { emails } = (await made("POST /v1/send", { ...letter, from, attachments, data: { plan: "secret" } })).data;
  const letterhead = await made("POST /templates", { ...template, from });
  const workflow = await made("POST /workflows", flow(letterhead.id));
  const campaign = (await made("POST /campaigns", { ...template, from, audienceType: "ALL" })).data;
  const versionOf = async (record: string) =>
    (await ask(posthorn, `GET ${record}/versions`, { key })).body.versions[0].id;
  const contact = emails[0].contact.id;
  const domain = (await ask(posthorn, "GET /domains", { key })).body.data[0].id;
  const url = "https://secret.example.com";
  const webhook = await made("POST /webhooks", { url, events: ["domain.*"], description: "Secret plan" });
  return {
    contacts: contact,
    templates: letterhead.id,
    emails: emails[0].email,
    segments: (await made("POST /segments", friends)).id,
    forms: (await made("POST /forms", { name: "Secret plan" })).id,
    keys: (await made("POST /keys", { name: "Secret key set" })).id,
    domains: domain,
    received: await addReport(posthorn, domain),
    import: (await upload(posthorn, "email\nsecret@example.com\n", { key })).body.jobId,
    bulk: (await made("POST /contacts/bulk-subscribe", { filter: { search: "secret" } })).jobId,
    events: (await made("POST /v1/track", { email: letter.to, event: "whispered" })).data.event,
    jobs: await addRetry(posthorn, contact),
    workflows: workflow.id,
    steps: workflow.steps[1].id,
    transitions: workflow.transitions[0].id,
    campaigns: campaign.id,
    topics: (await made("POST /topics", { key: "secret-plan", name: { en: "Secret plan" } })).id,
    blocks: (await made("POST /blocks", { name: "Secret plan" })).id,
    views: (await made("POST /views", { list: "people", name: "Secret plan", filter: { search: "secret" } })).id,
    images: (await made("POST /images", { name: "Secret plan", content: PIXEL })).id,
    versions: await versionOf(`/templates/${letterhead.id}`),
    campaignVersions: await versionOf(`/campaigns/${campaign.id}`),
    executions: (await made(`POST /workflows/${workflow.id}/executions`, { contactId: contact })).id,
    webhooks: webhook.id,
    imports: (await uploadSuppressions(posthorn, "email\nsecret@example.com\n", { key })).body.jobId,
    suppressions: (await made("POST /suppressions", { domain: "secret.example", note: "Secret plan" })).id,
    brakes: await addBrake(posthorn, contact),
    notes: await addNote(posthorn, contact),
    merges: (await made("POST /contacts/merge", { into: contact, from: [await addTwin(made)] })).id,
    deliveries: (await made(`POST /webhooks/${webhook.id}/test`, { type: "domain.failing" })).deliveryId,
  };
}

async function addTwin(made: (route: string, body: object) => Promise<Json>): Promise<string> {
  return (await made("POST /contacts", { email: "secret-twin@example.com" })).id;
}

/** A report that could not be read, and is kept as it came. */
async function addReport(posthorn: Posthorn, domain: string): Promise<string> {
  const id = newId(posthorn.clock.nowMs());
  await posthorn.store.write(async (tx) => {
    const row = await tx.get<{ seq: number }>`
      insert into messages (workspace, whole, client_address, helo, sender, recipients, received_at)
      select workspace, 1, '192.0.2.1', '', '', '[]', cast(${tx.now} as text) from domains where id = ${domain} returning seq`;
    const message = row?.seq ?? 0;
    await tx.run`insert into message_slices (message, number, bytes) values (${message}, 0, ${Buffer.from("Secret")})`;
    await tx.run`
      insert into reports (id, workspace, domain, state, fault, message, created_at)
      select cast(${id} as text), workspace, seq, 'UNREADABLE', 'none', cast(${message} as bigint), cast(${tx.now} as text)
      from domains where id = ${domain}`;
  });
  return id;
}

/** A job that sends mails again, of the workspace of this contact. */
async function addRetry(posthorn: Posthorn, contact: string): Promise<string> {
  const id = newId(posthorn.clock.nowMs());
  await posthorn.store.write(
    (tx) => tx.run`
      insert into retries (id, workspace, status, mails, total, created_at)
      select cast(${id} as text), workspace, 'COMPLETED', '[1]', 1, cast(${tx.now} as text) from contacts where id = ${contact}`,
  );
  return id;
}

/** To somebody who is gone. */
async function addNote(posthorn: Posthorn, contact: string): Promise<string> {
  const id = newId(posthorn.clock.nowMs());
  await posthorn.store.write(
    (tx) => tx.run`
      insert into notes (id, workspace, contact, addressee, addressee_name, text, created_at)
      select cast(${id} as text), workspace, seq, id, 'Eva', 'Secret plan', cast(${tx.now} as text)
      from contacts where id = ${contact}`,
  );
  return id;
}

/** In the workspace of this contact. */
async function addBrake(posthorn: Posthorn, contact: string): Promise<string> {
  const row = await posthorn.store.read(
    (reader) => reader.get<{ workspace: number }>`select workspace from contacts where id = ${contact}`,
  );
  return (await putOn(posthorn, { workspace: row?.workspace ?? 0, mailbox: "secret.example" })).id;
}

/** `GET /emails/:id/raw` with the id that is owned. */
export function withId(route: string, owned: Owned): string {
  // An attachment is named by its place, a version by its number.
  const named = route
    .replace(/\/:n(?=\/|$)/, "/0")
    .replace(/\/:version$/, "/1")
    .replace(":address", letter.to);
  const ofCampaign = named.replace(/^(\S+ \/campaigns\/:id)\/versions(?=\/)/, "$1/campaignVersions");
  return ofCampaign.replace(/\/(\w+)\/:\w+/g, (_, kind: keyof Owned) => {
    if (owned[kind] === undefined) throw new Error(`${route}: there is no record of kind ${kind} in this test`);
    return `/${kind === "campaignVersions" ? "versions" : kind}/${owned[kind]}`;
  });
}
