// What is there of a domain's records and what should be: found values, a merged SPF record, since when, a zone file; and looks that a
// page may ask for every few seconds.
import { describe, expect, test } from "bun:test";
import { HOUR_MS } from "../../src/clock.ts";
import { mergedSpf } from "../../src/workspaces/domains/dns-check/spf.ts";
import { freePort } from "../support/free-port.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask } from "../support/scenario.ts";

const SES = { delivery: { returnPathDomain: null } };
const NAME = "shop.example";

async function withZones(zones: Record<string, Zone>, config: object = SES) {
  const resolver = new TableResolver(zones);
  const posthorn = await startPosthorn({ resolver, config });
  const { body } = await ask(posthorn, "POST /domains", { body: { domain: NAME } });
  return { posthorn, resolver, id: body.id as string };
}

async function verified(posthorn: Posthorn, id: string, query = ""): Promise<Json> {
  return (await posthorn.call(`POST /domains/${id}/verify${query}`)).body;
}

function recordOf(domain: Json, purpose: string): Json {
  return domain.records.find((record: Json) => record.purpose === purpose);
}

test("shows what is there of each record, and nothing else that is there", async () => {
  const { posthorn, id } = await withZones({
    [NAME]: { TXT: ["google-site-verification=x", "v=spf1 include:a.example -all", "v=spf1 mx ~all"] },
    [`_dmarc.${NAME}`]: { TXT: ["v=DMARC1; p=reject"] },
  });
  await using _ = posthorn;
  const domain = await verified(posthorn, id);
  expect(recordOf(domain, "SPF")).toMatchObject({
    state: "WRONG",
    found: ["v=spf1 include:a.example -all", "v=spf1 mx ~all"],
    suggestion: "v=spf1 include:a.example mx -all",
  });
  expect(recordOf(domain, "DMARC")).toMatchObject({ state: "OK", found: ["v=DMARC1; p=reject"], suggestion: null });
  expect(recordOf(domain, "DKIM")).toMatchObject({ state: "MISSING", found: [], suggestion: null });
});

test("a record has its state since the look that first found it so, and no answer is a state of its own", async () => {
  const zones: Record<string, Zone> = { [`_dmarc.${NAME}`]: { TXT: ["v=DMARC1; p=none"] } };
  const { posthorn, id } = await withZones(zones);
  await using _ = posthorn;
  const { clock } = posthorn;
  const looked = async () => recordOf(await verified(posthorn, id), "DMARC");
  const first = await looked();
  clock.advance(HOUR_MS);
  const second = await looked();
  zones[`_dmarc.${NAME}`] = "silence";
  clock.advance(HOUR_MS);
  const third = await looked();
  const states = [first, second, third].map(({ state, since, found }) => [state, since, found.length]);
  expect(states).toEqual([
    ["OK", "2026-03-01T09:00:00.000Z", 1],
    ["OK", "2026-03-01T09:00:00.000Z", 1],
    ["UNKNOWN", "2026-03-01T11:00:00.000Z", 0],
  ]);
});

test("a page that asks every few seconds is answered the last look, and other pages share it", async () => {
  const { posthorn, resolver, id } = await withZones({});
  await using _ = posthorn;
  await verified(posthorn, id);
  const asked = resolver.asked.length;
  posthorn.clock.advance(3_000);
  const young = await verified(posthorn, id, "?maxAgeSeconds=4");
  expect([resolver.asked.length, young.checkedAt]).toEqual([asked, "2026-03-01T09:00:00.000Z"]);
  posthorn.clock.advance(1_000);
  const newer = await verified(posthorn, id, "?maxAgeSeconds=4");
  expect([resolver.asked.length > asked, newer.checkedAt]).toEqual([true, "2026-03-01T09:00:04.000Z"]);
  expect(Date.parse(newer.nextCheckAt)).toBeGreaterThan(posthorn.clock.nowMs());
});

test("the zone file has each record on a line that name servers read, what replaces another included", async () => {
  const { posthorn, id } = await withZones(
    {
      [NAME]: { TXT: ["v=spf1 ip4:192.0.2.1 -all", "v=spf1 mx -all"] },
      [`_dmarc.${NAME}`]: { TXT: ["v=DMARC1; p=reject"] },
    },
    { delivery: { returnPathDomain: "b.shop.example" }, smtp: { hostname: "mail.shop.example" } },
  );
  await using _ = posthorn;
  const domain = await verified(posthorn, id);
  const { status, body, headers } = await posthorn.call(`GET /domains/${id}/zone`);
  expect([status, headers.get("content-disposition")]).toEqual([200, `attachment; filename="${NAME}.zone"`]);
  const lines = (body as string).split("\n").filter((line) => line !== "" && !line.startsWith(";"));
  const dkim = recordOf(domain, "DKIM");
  expect(lines).toContain(`${dkim.name}. 3600 IN TXT "${dkim.value.slice(0, 255)}" "${dkim.value.slice(255)}"`);
  expect(lines).toContain(`${NAME}. 3600 IN TXT "v=spf1 ip4:192.0.2.1 mx -all"`);
  expect(lines).toContain("b.shop.example. 3600 IN MX 10 mail.shop.example.");
  expect(body).toContain("; instead of: v=spf1 mx -all");
  expect(body).toContain("; Without it, bounces do not arrive");
  // What is right stays as it is.
  expect(lines).toContain(`_dmarc.${NAME}. 3600 IN TXT "v=DMARC1; p=reject"`);
  // What only the relay knows is not published by accident.
  expect(lines.filter((line) => line.includes("<"))).toEqual([]);
  expect((await ask(posthorn, "GET /domains/00000000-0000-7000-8000-000000000000/zone")).status).toBe(404);
});

describe("SPF records are merged:", () => {
  test.each([
    [["v=spf1 include:_spf.office.example -all"], "v=spf1 include:_spf.office.example include:relay.example -all"],
    [["v=spf1 mx"], "v=spf1 mx include:relay.example ~all"],
    [["v=spf1 +all"], "v=spf1 include:relay.example ~all"],
    [["v=spf1 mx redirect=_spf.example"], "v=spf1 mx include:relay.example redirect=_spf.example"],
    [["v=spf1 include:RELAY.example ~all"], "v=spf1 include:RELAY.example ~all"],
    [["v=spf1 include:<what your relay asks for> ~all"], "v=spf1 include:relay.example ~all"],
    [["v=spf1 a -all", "v=spf1 a ip4:192.0.2.1 ~all"], "v=spf1 a ip4:192.0.2.1 include:relay.example -all"],
    [["v=spf1 redirect=_spf.example"], "v=spf1 include:relay.example redirect=_spf.example"],
    [["v=spf1 redirect=_spf.example", "v=spf1 mx -all"], "v=spf1 include:_spf.example mx include:relay.example -all"],
    [["v=spf1 mx ?all"], "v=spf1 mx include:relay.example ?all"],
    [["v=spf1 nonsense -all"], null],
    [[], null],
  ])("%p", (records, merged) => {
    expect(mergedSpf(records, "relay.example")).toBe(merged);
  });
});

test("a company's mailboxes stay where they are: their MX is right, and nothing asks to replace it", async () => {
  const { posthorn, id } = await withZones(
    { [NAME]: { MX: ["aspmx.l.google.example"] } },
    { delivery: { returnPathDomain: NAME }, smtp: { hostname: "mail.shop.example", inboundPort: await freePort() } },
  );
  await using _ = posthorn;
  const domain = await verified(posthorn, id);
  expect(recordOf(domain, "INBOUND")).toMatchObject({
    state: "OK",
    found: ["aspmx.l.google.example"],
    problemCode: "mx_elsewhere_inbound",
    problemValues: { subdomain: "inbound.shop.example" },
  });
  const zone = (await posthorn.call(`GET /domains/${id}/zone`)).body as string;
  const lines = zone.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
  expect(lines.filter((line) => line.includes(" MX "))).toEqual([]);
});
