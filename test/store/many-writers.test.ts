// Many who write about the same people at the same moment, on several processes: PostgreSQL has to break no circle of
// them.
import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { upsertContact } from "../../src/audience/contacts/upsert.ts";
import type { ContactInput } from "../../src/audience/contacts/wanted.ts";
import { accept } from "../../src/mail/emails/accept.ts";
import type { MailRequest } from "../../src/mail/emails/door/request.ts";
import { reportOf, track } from "../../src/audience/contacts/track.ts";
import { KEY_VOICE } from "../../src/audience/contacts/voices.ts";
import { readBatch, sendBatch } from "../../src/mail/emails/send/batch.ts";
import { readSendRequest } from "../../src/mail/emails/send/request.ts";
import { send } from "../../src/mail/emails/send/send.ts";
import { createLog } from "../../src/base/log.ts";
import { openPostgres } from "../../src/store/postgres/engine.ts";
import { sharing } from "../../src/store/shared-tx.ts";
import type { Store, Tx } from "../../src/store/store.ts";
import type { Caller } from "../../src/tenant/access/caller.ts";
import { Chance } from "../support/chance.ts";
import { ENGINE } from "../support/database.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";

const PROCESSES = 4;
const WRITERS = 64;
const WRITES_EACH = 3;
const PEOPLE = 25;
const SHARED = 40;

/** Mails, events and changes of a few requests each, about people whom the others write about as well. */
class Writing {
  constructor(
    private readonly caller: Caller,
    private readonly chance: Chance,
    private readonly nowMs: number,
  ) {}

  next(): (tx: Tx) => Promise<readonly unknown[]> {
    const { caller, chance } = this;
    const kind = chance.of(["send", "share", "track", "upsert", "batch"] as const);
    if (kind === "share") {
      return this.#together(accept, () => this.#sharing());
    }
    if (kind === "send") {
      return this.#together(send, () => ({
        caller,
        request: readSendRequest(
          { ...letter, to: this.#some(() => this.#address()), ...this.#changes() },
          { nowMs: this.nowMs, storesData: true },
        ),
        origin: { requestId: null, by: caller.by },
        body: {},
      }));
    }
    if (kind === "batch") {
      const terms = { nowMs: this.nowMs, storesData: true };
      const emails = this.#some(() => ({ ...letter, to: this.#address(), ...this.#changes() }));
      const origin = { requestId: null, by: caller.by };
      return (tx: Tx) => sendBatch(tx, { caller, mode: "each", items: readBatch(emails, terms), origin });
    }
    if (kind === "track") {
      const guard = { ask: async () => {}, refuseToAsk: async () => {} };
      return this.#together(track, () =>
        reportOf(caller, { email: this.#address(), event: "seen", ...this.#changes() }, guard),
      );
    }
    const upsert = (tx: Tx, input: ContactInput) => upsertContact(tx, caller.workspace, input);
    return this.#together(upsert, () => ({
      email: this.#address(),
      subscribed: undefined,
      voice: KEY_VOICE,
      subscribedIfNew: true,
      ...this.#changes(),
    }));
  }

  #together<Request>(work: (tx: Tx, request: Request) => Promise<unknown>, make: () => Request) {
    const requests = this.#some(make);
    return (tx: Tx) => sharing(work)(tx, requests);
  }

  /** A mail to somebody of its own, with a content that others have as well. */
  #sharing(): MailRequest {
    const { workspace, domains } = this.caller;
    return {
      sender: { workspace, domains },
      sourceType: "WORKFLOW",
      content: {
        kind: "TRANSACTIONAL",
        from: { address: letter.from, name: null },
        subject: `${Math.floor(this.chance.next() * SHARED)}`,
        html: "<p>Hi</p>",
      },
      to: { addresses: [{ address: `s${this.chance.next()}@example.com`, name: null }] },
      shared: true,
    };
  }

  #some<Item>(make: () => Item): Item[] {
    return Array.from({ length: 1 + Math.floor(this.chance.next() * 8) }, make);
  }

  #address(): string {
    return `u${Math.floor(this.chance.next() * PEOPLE)}@example.com`;
  }

  #changes() {
    const data = { seen: Math.floor(this.chance.next() * 5) };
    return { data, ...this.chance.of([{ subscribed: true }, { subscribed: false }, {}]) };
  }
}

async function storesBeside({ databaseUrl, clock }: Posthorn): Promise<Store[]> {
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  const open = () => openPostgres({ url: databaseUrl as string, connections: 16 }, { clock, log, opening: "use" });
  const opened = await Promise.all(Array.from({ length: PROCESSES }, open));
  return opened.map(({ store }) => store);
}

// SQLite has one writer at a time.
test.skipIf(ENGINE !== "postgres")("64 writers on four processes never wait for each other in a circle", async () => {
  await using posthorn = await startPosthorn();
  const [{ seq }] = (await posthorn.store.read((reader) => reader.all`select seq from workspaces`)) as [
    { seq: number },
  ];
  const by = { kind: "key", id: randomUUID(), name: null };
  const caller = {
    workspace: seq,
    domains: null,
    kind: "secret",
    mayUpdate: true,
    mayUnsubscribe: true,
    limits: null,
    publicEvents: null,
    by,
  } as unknown;
  const stores = await storesBeside(posthorn);
  let refused = 0;
  const write = async (writer: number) => {
    const writing = new Writing(caller as Caller, new Chance(writer), posthorn.clock.nowMs());
    for (let count = 0; count < WRITES_EACH; count++) {
      const outcomes = await (stores[writer % PROCESSES] as Store).write(writing.next());
      refused += outcomes.filter((one) => one instanceof Error).length;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  // What a connection has counted is told at its end.
  await Promise.all(stores.map((store) => store.close()));
  const [row] = await posthorn.store.read(
    (reader) =>
      reader.all<{ deadlocks: number }>`select deadlocks from pg_stat_database where datname = current_database()`,
  );
  expect({ refused, ...row }).toEqual({ refused: 0, deadlocks: 0 });
});
