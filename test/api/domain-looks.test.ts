// Looks at a sender domain that meet: each other, a removal, silence, a fault.
import { expect, test } from "bun:test";
import { boundedResolver, deadlineResolver } from "../../src/base/dns/bounded.ts";
import { DnsError, type Resolver } from "../../src/base/dns.ts";
import type { RecordType } from "../../src/base/dns/message.ts";
import { createLog } from "../../src/base/log.ts";
import { checkDomain, type DomainContext } from "../../src/tenant/domains/check.ts";
import { insertDomain, type Domain } from "../../src/tenant/domains/queries.ts";
import { findDomain } from "../../src/tenant/domains/domain.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const HOUR_MS = 60 * 60 * 1000;
type Zones = Record<string, Zone>;

/** Answers what stood there when it was asked, but only once it may. */
class SlowResolver extends TableResolver {
  readonly #open = Promise.withResolvers<void>();

  override async find(name: string, type: RecordType) {
    const found = await super.find(name, type);
    await this.#open.promise;
    return found;
  }

  answer(): void {
    this.#open.resolve();
  }
}

const fetchText = () => Promise.reject(new Error("No policy is fetched."));

/** What looks at the domains of a server, as another process would. */
function lookout({ store, clock, secrets }: Posthorn, resolver: Resolver): DomainContext {
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  const settings = {
    returnPathDomain: null,
    envelopeDomain: null,
    mailHost: null,
    takesMail: false,
    reportDomain: null,
    hops: [],
    spfTerm: null,
  };
  const asked = { identities: null, atWays: null, wayNames: [], fetchText, looks: new Map() };
  return { store, clock, log, secrets, resolver, settings, graceMs: 0, ...asked };
}

/** A server with the domain shop.example, its row, and what GET shows of it. */
async function withShop(work: (context: { posthorn: Posthorn; row: Domain; added: Json }) => Promise<void>) {
  await using posthorn = await workspace();
  const added = (await ask(posthorn, "POST /domains", { body: { domain: "shop.example" } })).body;
  const row = await posthorn.store.read((reader) => findDomain(reader, "shop.example", null));
  await work({ posthorn, row, added });
}

const published = ([{ name, value }]: Json): Zones => ({ [name]: { TXT: [value] } });

test("two who look at once share one look (slow)", () =>
  withShop(async ({ posthorn, row, added }) => {
    const resolver = new SlowResolver(published(added.records));
    const context = lookout(posthorn, resolver);
    const looks = [checkDomain(context, row), checkDomain(context, row)];
    resolver.answer();
    expect(await Promise.all(looks)).toEqual([{ taken: false }, { taken: false }]);
    expect(resolver.asked).toEqual([...new Set(resolver.asked)]);
    expect(context.looks.size).toBe(0);
  }));

test("what an older look finds does not take the place of what a newer one has found", () =>
  withShop(async ({ posthorn, row, added }) => {
    const older = new SlowResolver({});
    const slow = checkDomain(lookout(posthorn, older), row);
    posthorn.clock.advance(1_000);
    await checkDomain(lookout(posthorn, new TableResolver(published(added.records))), row);
    older.answer();
    await slow;
    const shown = (await ask(posthorn, `GET /domains/${added.id}`)).body;
    expect(shown).toMatchObject({ verified: true, failingSince: null, checkedAt: "2026-03-01T09:00:01.000Z" });
    expect(shown.records[0].state).toBe("OK");
  }));

test("a domain that is removed while somebody looks stays removed, and may be added again (slow)", () =>
  withShop(async ({ posthorn, row, added }) => {
    const resolver = new SlowResolver(published(added.records));
    const look = checkDomain(lookout(posthorn, resolver), row);
    await ask(posthorn, `DELETE /domains/${added.id}`);
    resolver.answer();
    expect(await look).toEqual({ taken: false });
    expect((await ask(posthorn, `GET /domains/${added.id}`)).status).toBe(404);
    const again = (await ask(posthorn, "POST /domains", { body: { domain: "shop.example" } })).body;
    expect(again).toMatchObject({ verified: false, checkedAt: null, selector: "posthorn2603-2" });
  }));

test("a look that fails harms no other (slow)", async () => {
  const zones: Zones = {};
  class Faulty extends TableResolver {
    override find(name: string, type: RecordType) {
      if (name.endsWith("faulty.example")) throw new TypeError("a bug");
      return super.find(name, type);
    }
  }
  await using posthorn = await workspace({ resolver: new Faulty(zones) });
  await ask(posthorn, "POST /domains", { body: { domain: "faulty.example" } });
  const { id, records } = (await ask(posthorn, "POST /domains", { body: { domain: "shop.example" } })).body;
  Object.assign(zones, published(records));
  posthorn.clock.advance(HOUR_MS);
  await posthorn.settle();
  expect((await ask(posthorn, `GET /domains/${id}`)).body.verified).toBe(true);
  expect(posthorn.logLines.filter((line) => line.includes("could not be checked"))).toHaveLength(1);
});

test("a workspace has at most 1,000 sender domains (slow)", async () => {
  await using posthorn = await startPosthorn();
  const workspace = (await posthorn.store.read((reader) => findDomain(reader, "example.test", null))).workspace;
  await posthorn.store.write(async (tx) => {
    for (let i = 1; i < 1_000; i++)
      await insertDomain(tx, { id: `${i}`, workspace, domain: `s${i}.example`, reportToken: `${i}` }, tx.now);
  });
  const { status, body } = await ask(posthorn, "POST /domains", { body: { domain: "shop.example" } });
  expect([status, body.error.message]).toEqual([409, "A workspace has at most 1000 sender domains."]);
});

test("what has no answer in time gets none, and nothing is asked twice", async () => {
  const asked: string[] = [];
  const find = (name: string, type: RecordType) => {
    asked.push(`${type} ${name}`);
    return new Promise<never>(() => {});
  };
  const hurried = deadlineResolver({ find, txt: () => Promise.reject() }, 10);
  const looks = [hurried.txt("a.example"), hurried.txt("a.example"), hurried.find("a.example", "MX")];
  const ended = await Promise.allSettled(looks);
  expect(ended.map((end) => end.status === "rejected" && end.reason instanceof DnsError)).toEqual([true, true, true]);
  expect(asked).toEqual(["TXT a.example", "MX a.example"]);
});

test("so many questions are asked at once, the others in their turn", async () => {
  let [asking, most] = [0, 0];
  const find = async () => {
    most = Math.max(most, ++asking);
    await Promise.resolve();
    asking--;
    return { nameExists: true, records: ["x"], ttlSeconds: 1 };
  };
  const bounded = boundedResolver({ find, txt: () => Promise.reject() }, 3);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => bounded.txt(`s${i}.example`)));
  expect([answers.flat().length, most]).toEqual([20, 3]);
});
