// A workspace with a row in every table that leaves with it, and stores of either engine for it to come into.
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { SQL } from "bun";
import { join } from "node:path";
import { createLog } from "../../src/base/log.ts";
import { DAY_MS } from "../../src/base/clock.ts";
import { secretsOf, type Secrets } from "../../src/base/secrets.ts";
import { arrive, type ArrivalReport, type ArrivalTerms } from "../../src/operator/leaving/arrival.ts";
import { leaving, type Departure } from "../../src/operator/leaving/departure.ts";
import { filePlan } from "../../src/operator/leaving/plan.ts";
import { openPostgres } from "../../src/store/postgres/engine.ts";
import { openSqlite } from "../../src/store/sqlite/engine.ts";
import type { Store } from "../../src/store/store.ts";
import { findWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { TestClock } from "./clock.ts";
import { freshDirectory, freshFile } from "./database.ts";
import type { Posthorn } from "./posthorn.ts";
import { letter } from "./mails.ts";
import { Rows, type KnownValue } from "./rows.ts";
import { ask } from "./scenario.ts";

const LATER = "9999-01-01T00:00:00.000Z";

/** What rows have in them, where that is not told by their columns. */
const GIVEN = {
  segments: { type: "DYNAMIC", state: "CURRENT", condition: '{"groups":[]}' },
  campaigns: { audience_type: "FILTERED", status: "SENT", deleted_at: null, due_at: null },
  workflows: { deleted_at: null, fires_at: LATER, search_text: "a flow", enabled: 0 },
  executions: { status: "WAITING", due_at: LATER, after_event: 1, once: 1, ended_at: null },
  webhook_endpoints: { deleted_at: null },
  webhook_deliveries: { state: "DUE", due_at: LATER, origin: "https://example.org" },
  contents: { attachments: 0, body_gone_at: null },
  attachments: { bytes: new Uint8Array() },
  emails: { source_type: "TRANSACTIONAL", status: "QUEUED", hold: null, due_at: LATER, lane: 0, resent_from: null },
  saved_views: { person: null, filter: '{"search":"ada"}' },
  messages: { whole: 1, due_at: null },
  suppressions: { kind: "domain", target: "nowhere.example", reason: "manual", former: null },
  images: { type: "png" },
  mail_increments: { what: "accepted" },
  merged_contacts: { merge: null },
  recipients: { reason: null },
} as const;

/** Adds to the workspace, by deeds and by the schema, what is missing for a row in every table that goes. */
export async function fill(posthorn: Posthorn): Promise<void> {
  posthorn.mailsAreMadeUp = true;
  const { body: ada } = await ask(posthorn, "POST /contacts", {
    body: { email: "ada@whole.example", data: { a: 1.5, "2": [null] } },
  });
  const { body: bob } = await ask(posthorn, "POST /contacts", { body: { email: "bob@whole.example" } });
  const { body: eve } = await ask(posthorn, "POST /contacts", { body: { email: "eve@whole.example" } });
  await ask(posthorn, "POST /v1/send", { body: { ...letter, to: "eve@whole.example" } });
  await posthorn.settle();
  posthorn.clock.advance(DAY_MS);
  await ask(posthorn, `PATCH /contacts/${bob.id}`, { body: { subscribed: false } });
  await ask(posthorn, `DELETE /contacts/${eve.id}`);
  await posthorn.settle();
  await posthorn.store.write(async (tx) => {
    const seqOf = async (id: string) =>
      (await tx.get<{ seq: number }>`select seq from contacts where id = ${id}`)?.seq ?? 0;
    const [one, other] = [await seqOf(ada.id), await seqOf(bob.id)];
    const rows = new Rows(tx, GIVEN, known(one, other), true);
    for (const { name } of filePlan().tables) if (!MADE.includes(name)) await rows.in(name);
  });
}

/** By deeds. */
const MADE = ["workspaces", "contacts", "consents", "consent_tips", "consent_heads", "contact_counts"];

function known(ada: number, bob: number): KnownValue {
  return (table, { name, references }, rows) => {
    if (name === "contact" || name === "one" || name === "fed_to" || name === "fired_to") return ada;
    if (name === "other") return bob;
    if (references === "brands") return rows.in("brands").then(() => 1);
    if (name === "people") return `${ada},${bob}`;
    if (table === "contents" && name === "domain") return firstDomain(rows);
    if (references === "domains") return firstDomain(rows);
    const { says } = filePlan().table(table) ?? { says: {} };
    const of = says.refers?.[name];
    if (table === "interests" && name === "kind") return "segment";
    if (table === "interests" && name === "listener") return rows.in("segments");
    if (typeof of === "string") return rows.in(of);
    return says.without?.includes(name) && references !== null ? null : undefined;
  };
}

function firstDomain(rows: Rows): Promise<number> {
  return rows.in("domains", { domain: "whole.example", verified_at: null, removed_at: null, next_check_at: null });
}

type Leaving = { readonly store: Store; readonly secrets: Secrets };

export async function exported(
  { store, secrets }: Leaving,
  name: string,
  changes: Partial<Departure> = {},
): Promise<Buffer> {
  const workspace = await store.read((reader) => findWorkspace(reader, name));
  const pieces: Uint8Array[] = [];
  for await (const piece of leaving({ store, secrets, workspace, since: null, passphrase: null, ...changes }))
    pieces.push(piece);
  return Buffer.concat(pieces);
}

export function taken(
  { store, secrets }: Leaving,
  file: Uint8Array | Readable,
  changes: Partial<ArrivalTerms> = {},
): Promise<ArrivalReport> {
  const terms = { store, secrets, name: null, passphrase: null, isTrial: false };
  return arrive(
    { ...terms, note: async () => {}, ...changes },
    file instanceof Readable ? file : Readable.from([file]),
  );
}

export type Elsewhere = Leaving & AsyncDisposable & { readonly clock: TestClock };

/** Another installation, with a key of its own. */
export async function elsewhere(engine: "sqlite" | "postgres"): Promise<Elsewhere> {
  const clock = new TestClock();
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  const secrets = secretsOf(randomBytes(32));
  const { store, remove } = engine === "sqlite" ? inFile() : await onServer();
  store.useKey({
    keyedHash: (text) => secrets.sign("address", Buffer.from(text), 16).toString("hex"),
    signature: (use, bytes) => secrets.signer(use).sign(bytes),
  });
  return { store, secrets, clock, [Symbol.asyncDispose]: () => store.close().then(remove) };

  function inFile() {
    const directory = freshDirectory();
    const file = join(directory.path, "elsewhere.db");
    freshFile(file);
    return { store: openSqlite(file, { clock, log }) as Store, remove: async () => directory.remove() };
  }

  async function onServer() {
    const admin = new SQL(process.env["POSTHORN_TEST_DATABASE"] ?? "", { max: 1 });
    const name = `elsewhere_${randomBytes(6).toString("hex")}`;
    await admin.unsafe(`create database ${name}`);
    const url = Object.assign(new URL(process.env["POSTHORN_TEST_DATABASE"] ?? ""), { pathname: `/${name}` }).href;
    const { store } = await openPostgres({ url, connections: 4 }, { clock, log, opening: "make" });
    const remove = async () => {
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.close();
    };
    return { store, remove };
  }
}
