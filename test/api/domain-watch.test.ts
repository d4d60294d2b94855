// Sender domains as time goes by: looked at every day, given up after a while, found again; and their keys replaced.
import { describe, expect, test } from "bun:test";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const FROM_SHOP = { ...letter, from: "hello@shop.example" };

type House = {
  readonly posthorn: Posthorn;
  readonly zones: Record<string, Zone>;
  readonly id: string;
  /** As GET shows the domain. */
  readonly shown: () => Promise<Json>;
};

/** A server with the domain shop.example, whose DKIM record is published. */
async function withShop(work: (house: House) => Promise<void>): Promise<void> {
  const zones: Record<string, Zone> = {};
  await using posthorn = await workspace({ resolver: new TableResolver(zones) });
  const { id, records } = (await ask(posthorn, "POST /domains", { body: { domain: "shop.example" } })).body;
  publish(zones, records[0]);
  await work({ posthorn, zones, id, shown: async () => (await ask(posthorn, `GET /domains/${id}`)).body });
}

function publish(zones: Record<string, Zone>, record: Json): void {
  zones[record.name] = { TXT: [record.value] };
}

async function after(posthorn: Posthorn, ms: number): Promise<void> {
  posthorn.clock.advance(ms);
  await posthorn.settle();
}

async function maySend(posthorn: Posthorn): Promise<boolean> {
  return (await ask(posthorn, "POST /v1/send", { body: FROM_SHOP })).status === 200;
}

/** Of those who look after domains; what needs somebody is said again at a start. */
function warnings({ logLines }: Posthorn): string[] {
  return logLines.filter((line) => line.includes(" warn ") && line.includes("domain=shop.example"));
}

function dkimOf({ records }: Json): Json[] {
  return records.filter(({ purpose }: Json) => purpose === "DKIM");
}

describe("a domain whose record", () => {
  test("is published is verified by itself", () =>
    withShop(async ({ posthorn, shown }) => {
      await posthorn.settle();
      expect((await shown()).verified).toBe(false);
      await after(posthorn, HOUR_MS);
      expect(await shown()).toMatchObject({ verified: true, checkedAt: "2026-03-01T10:00:00.000Z" });
      expect(await maySend(posthorn)).toBe(true);
    }));

  test("disappears goes on sending for three days, then stops, and comes back by itself", () =>
    withShop(async ({ posthorn, zones, id, shown }) => {
      const before = { ...zones };
      await ask(posthorn, `POST /domains/${id}/verify`);
      for (const name of Object.keys(zones)) delete zones[name];
      await after(posthorn, DAY_MS);
      expect(await shown()).toMatchObject({
        verified: true,
        failingSince: "2026-03-02T09:00:00.000Z",
        graceEndsAt: "2026-03-05T09:00:00.000Z",
      });
      expect(warnings(posthorn)).toHaveLength(1);
      for (let hours = 0; hours < 71; hours++) await after(posthorn, HOUR_MS);
      expect(await maySend(posthorn)).toBe(true);
      expect(warnings(posthorn)).toHaveLength(1);
      await after(posthorn, HOUR_MS);
      expect(await shown()).toMatchObject({ verified: false, failingSince: "2026-03-02T09:00:00.000Z" });
      expect(await maySend(posthorn)).toBe(false);
      expect(warnings(posthorn)).toHaveLength(2);
      await after(posthorn, 2 * HOUR_MS);
      expect(warnings(posthorn)).toHaveLength(2);
      Object.assign(zones, before);
      await after(posthorn, HOUR_MS);
      expect(await shown()).toMatchObject({ verified: true, failingSince: null, graceEndsAt: null });
      expect(await maySend(posthorn)).toBe(true);
    }));

  test("cannot be looked for stays as it was", () =>
    withShop(async ({ posthorn, zones, id, shown }) => {
      await ask(posthorn, `POST /domains/${id}/verify`);
      for (const name of Object.keys(zones)) zones[name] = "silence";
      for (let days = 0; days < 10; days++) await after(posthorn, DAY_MS);
      expect(await shown()).toMatchObject({ verified: true, failingSince: null });
      expect(dkimOf(await shown())[0].state).toBe("UNKNOWN");
      expect(warnings(posthorn)).toEqual([]);
    }));
});

describe("another record", () => {
  const needs = async (posthorn: Posthorn) =>
    (await ask(posthorn, "GET /overview")).body.attention.filter(({ kind }: Json) => kind === "DOMAIN_CHANGED");
  const SPF = "v=spf1 include:_spf.example.net ~all";
  const put = (zones: Record<string, Zone>, text: string | null) =>
    void (zones["shop.example"] = text === null ? {} : { TXT: [text] });

  test("that was in order and is not is named once, through silence, until it is back", () =>
    withShop(async ({ posthorn, zones, id }) => {
      zones["_spf.example.net"] = { TXT: ["v=spf1 ip4:192.0.2.1 -all"] };
      put(zones, SPF);
      const look = () => ask(posthorn, `POST /domains/${id}/verify`);
      await look();
      expect(await needs(posthorn)).toEqual([]);
      zones["shop.example"] = "silence";
      await look();
      expect(await needs(posthorn)).toEqual([]);
      put(zones, null);
      await after(posthorn, DAY_MS);
      const since = "2026-03-02T09:00:00.000Z";
      const lost = [{ kind: "DOMAIN_CHANGED", what: "SPF", domain: "shop.example", domainId: id, since }];
      expect(await needs(posthorn)).toMatchObject(lost);
      zones["shop.example"] = "silence";
      await after(posthorn, DAY_MS);
      put(zones, null);
      await after(posthorn, DAY_MS);
      expect(await needs(posthorn)).toMatchObject(lost);
      expect(warnings(posthorn)).toHaveLength(1);
      put(zones, SPF);
      await after(posthorn, DAY_MS);
      expect(await needs(posthorn)).toEqual([]);
      expect(posthorn.logLines.filter((line) => line.includes("is in order again"))).toHaveLength(1);
    }));

  test("that was never there is no news", () =>
    withShop(async ({ posthorn }) => {
      for (let days = 0; days < 3; days++) await after(posthorn, DAY_MS);
      expect(await needs(posthorn)).toEqual([]);
    }));
});

test("what becomes of a domain is told once in the log", () =>
  withShop(async ({ posthorn, zones, id }) => {
    const look = () => ask(posthorn, `POST /domains/${id}/verify`);
    await look();
    await look();
    const [, next] = dkimOf((await ask(posthorn, `POST /domains/${id}/rotate`)).body);
    publish(zones, next);
    await look();
    await look();
    for (const name of Object.keys(zones)) delete zones[name];
    await look();
    await look();
    await ask(posthorn, `DELETE /domains/${id}`);
    expect(posthorn.logLines.filter((line) => line.includes("shop.example"))).toEqual([
      expect.stringContaining("a sender domain is verified"),
      expect.stringContaining("a sender domain has a second DKIM key"),
      expect.stringContaining("a sender domain signs with its new DKIM key"),
      expect.stringContaining("a verified sender domain is no longer confirmed"),
      expect.stringContaining("a sender domain was removed"),
    ]);
  }));

test("without a grace period a domain stops as soon as its record is missed", async () => {
  const zones: Record<string, Zone> = {};
  const config = { delivery: { domainGraceSeconds: 0 } };
  await using posthorn = await workspace({ config, resolver: new TableResolver(zones) });
  const { id, records } = (await ask(posthorn, "POST /domains", { body: { domain: "shop.example" } })).body;
  publish(zones, records[0]);
  expect((await ask(posthorn, `POST /domains/${id}/verify`)).body.verified).toBe(true);
  delete zones[records[0].name];
  expect((await ask(posthorn, `POST /domains/${id}/verify`)).body.verified).toBe(false);
});

test("a domain that was taken as verified unseen does not lose that by what is not there", async () => {
  await using posthorn = await workspace();
  for (let days = 0; days < 10; days++) await after(posthorn, DAY_MS);
  const [domain] = (await ask(posthorn, "GET /domains")).body.data;
  expect(domain).toMatchObject({ domain: "example.test", verified: true, failingSince: null });
  expect(dkimOf(domain)[0].state).toBe("MISSING");
});

test("a domain is looked at once a day, and one that was removed is not", async () => {
  const resolver = new TableResolver({});
  await using posthorn = await workspace({ resolver });
  const looks = () => resolver.asked.filter((question) => question === "TXT example.test").length;
  await after(posthorn, HOUR_MS);
  expect(looks()).toBe(1);
  await after(posthorn, 12 * HOUR_MS);
  expect(looks()).toBe(1);
  await after(posthorn, 12 * HOUR_MS);
  expect(looks()).toBe(2);
  const [{ id }] = (await ask(posthorn, "GET /domains")).body.data;
  await ask(posthorn, `DELETE /domains/${id}`);
  await after(posthorn, 2 * DAY_MS);
  expect(looks()).toBe(2);
});

describe("rotating the DKIM key", () => {
  test("the new key signs once its record is found; the old one is needed for a week, and forgotten when it is gone", () =>
    withShop(async ({ posthorn, zones, id, shown }) => {
      await ask(posthorn, `POST /domains/${id}/verify`);
      const first = await sent(posthorn);
      expect(first).toContain("s=posthorn2603;");
      const rotated = await ask(posthorn, `POST /domains/${id}/rotate`);
      expect([rotated.status, rotated.body]).toMatchObject([
        200,
        { selector: "posthorn2603", nextSelector: "posthorn2603-2", verified: true },
      ]);
      const [old, next] = dkimOf(rotated.body);
      expect([old, next]).toMatchObject([
        { name: "posthorn2603._domainkey.shop.example", required: true, state: "OK", removableAt: null },
        { name: "posthorn2603-2._domainkey.shop.example", required: true, state: "UNKNOWN", removableAt: null },
      ]);
      expect(next.value).not.toBe(old.value);
      await after(posthorn, HOUR_MS);
      expect(await sent(posthorn)).toContain("s=posthorn2603;");
      expect((await ask(posthorn, `POST /domains/${id}/rotate`)).body.error.code).toBe("CONFLICT");

      publish(zones, next);
      await ask(posthorn, `POST /domains/${id}/verify`);
      const turned = await shown();
      expect(turned).toMatchObject({ selector: "posthorn2603-2", nextSelector: null, verified: true });
      expect(dkimOf(turned)[0]).toMatchObject({ required: false, removableAt: "2026-03-08T10:00:00.000Z" });
      posthorn.clock.advance(1);
      expect(await sent(posthorn)).toContain("s=posthorn2603-2;");
      const [mail] = (await ask(posthorn, "GET /emails?pageSize=100")).body.data.slice(-1);
      expect((await ask(posthorn, `GET /emails/${mail.id}/raw`)).body).toBe(first);

      delete zones[old.name];
      await after(posthorn, DAY_MS);
      expect(dkimOf(await shown())).toMatchObject([{ state: "MISSING" }, { state: "OK" }]);
      expect((await shown()).failingSince).toBeNull();
      expect((await ask(posthorn, `POST /domains/${id}/rotate`)).body.error.message).toContain(
        "2026-03-08T10:00:00.000Z",
      );
      for (let days = 0; days < 7; days++) await after(posthorn, DAY_MS);
      expect(dkimOf(await shown()).map(({ name }) => name)).toEqual([next.name]);
      const third = await ask(posthorn, `POST /domains/${id}/rotate`);
      expect([third.status, third.body.nextSelector]).toEqual([200, "posthorn2603-3"]);
    }));

  test.each(["v=DKIM1; p=", "v=DKIM1; k=rsa; p=AAAA"])(
    "an old key whose record became %j is forgotten in time",
    (record) =>
      withShop(async ({ posthorn, zones, id, shown }) => {
        await ask(posthorn, `POST /domains/${id}/verify`);
        const [old, next] = dkimOf((await ask(posthorn, `POST /domains/${id}/rotate`)).body);
        publish(zones, next);
        await ask(posthorn, `POST /domains/${id}/verify`);
        zones[old.name] = { TXT: [record] };
        for (let days = 0; days < 6; days++) await after(posthorn, DAY_MS);
        expect(dkimOf(await shown())).toMatchObject([
          { name: old.name, state: "WRONG" },
          { name: next.name, state: "OK" },
        ]);
        for (let days = 0; days < 2; days++) await after(posthorn, DAY_MS);
        expect(dkimOf(await shown()).map(({ name }) => name)).toEqual([next.name]);
      }),
  );

  test("under the same Idempotency-Key makes one key", () =>
    withShop(async ({ posthorn, id }) => {
      const question = { headers: { "idempotency-key": "k" } };
      const first = await ask(posthorn, `POST /domains/${id}/rotate`, question);
      const second = await ask(posthorn, `POST /domains/${id}/rotate`, question);
      expect([second.status, second.body]).toEqual([200, first.body]);
    }));
});

/** The message of a mail that is sent now, as it left. */
async function sent(posthorn: Posthorn): Promise<string> {
  await ask(posthorn, "POST /v1/send", { body: FROM_SHOP });
  await posthorn.settle();
  return posthorn.transport.sent.at(-1)?.raw.toString() ?? "";
}
