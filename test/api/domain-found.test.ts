// What is there of a domain's records and what should be: found values, a merged SPF record, since when, a zone file;
// and looks that a page may ask for every few seconds.
import { describe, expect, test } from "bun:test";
import { HOUR_MS } from "../../src/base/clock.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import { lookAt } from "../../src/tenant/domains/dns-check/look.ts";
import { mergedSpf } from "../../src/tenant/domains/dns-check/spf.ts";
import { recordSettings, recordsFor, type DnsRecord } from "../../src/tenant/domains/dns-records.ts";
import { freePort } from "../support/free-port.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const SES = { delivery: { returnPathDomain: null } };
const NAME = "shop.example";

const txt = (...TXT: string[]): Zone => ({ TXT });

async function withZones(zones: Record<string, Zone>, config: object = SES) {
  const resolver = new TableResolver(zones);
  const posthorn = await workspace({ resolver, config });
  const { body } = await ask(posthorn, "POST /domains", { body: { domain: NAME } });
  return { posthorn, resolver, id: body.id as string };
}

async function verified(posthorn: Posthorn, id: string, query = ""): Promise<Json> {
  return (await posthorn.call(`POST /domains/${id}/verify${query}`)).body;
}

function recordOf(domain: Json, purpose: string): Json {
  return domain.records.find((record: Json) => record.purpose === purpose);
}

test("shows what is there of each record, and nothing else that is there (slow)", async () => {
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

test("a record has its state since the look that first found it so, and no answer is a state of its own (slow)", async () => {
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

test("the zone file has each record on a line that name servers read, what replaces another included (slow)", async () => {
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
    expect(mergedSpf(records, "include:relay.example")).toBe(merged);
  });
});

test("a company's mailboxes stay where they are: their MX is right, and nothing asks to replace it (slow)", async () => {
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

describe("the SPF record allows what sends", () => {
  const settingsFor = (host: string) =>
    recordSettings({ ...DEFAULTS, smtp: { ...DEFAULTS.smtp, hostname: "mail.shop.example" } }, [
      { kind: "smtp", relay: { host, port: 587 } },
    ]);

  test.each([
    ["email-smtp.eu-central-1.amazonaws.com", "include:amazonses.com"],
    ["smtp.sendgrid.net", "include:sendgrid.net"],
    ["smtp.eu.mailgun.org", "include:mailgun.org"],
    ["smtp.postmarkapp.com", "include:spf.mtasv.net"],
    ["smtp-relay.brevo.com", "include:spf.brevo.com"],
    ["in-v3.mailjet.com", "include:spf.mailjet.com"],
    ["smtp-relay.gmail.com", "include:_spf.google.com"],
    ["SMTP.Office365.com.", "include:spf.protection.outlook.com"],
    ["shop-example.mail.protection.outlook.com", "include:spf.protection.outlook.com"],
    ["203.0.113.7", "ip4:203.0.113.7"],
    ["2001:db8::25", "ip6:2001:db8::25"],
    ["localhost", "a:mail.shop.example"],
    ["127.0.0.1", "a:mail.shop.example"],
    ["10.0.0.5", "include:<what your relay asks for>"],
    ["relay.example", "include:<what your relay asks for>"],
    ["notsendgrid.net.example", "include:<what your relay asks for>"],
  ])("through the relay %s by %s", (host, term) => {
    const spf = recordsFor(NAME, [], settingsFor(host)).find(({ purpose }) => purpose === "SPF");
    expect(spf?.value).toBe(`v=spf1 ${term} ~all`);
  });

  test.each<[host: string, record: string, state: "OK" | "WRONG"]>([
    ["smtp.sendgrid.net", "v=spf1 include:sendgrid.net ~all", "OK"],
    ["smtp.sendgrid.net", "v=spf1 include:other.example ~all", "WRONG"],
    ["203.0.113.7", "v=spf1 ip4:203.0.113.0/24 ~all", "OK"],
    ["203.0.113.7", "v=spf1 include:sendgrid.net ~all", "OK"],
    ["203.0.113.7", "v=spf1 ip4:198.51.100.1 ~all", "WRONG"],
    ["203.0.113.7", "v=spf1 mx ~all", "OK"],
    ["localhost", "v=spf1 a:mail.shop.example ~all", "OK"],
    ["localhost", "v=spf1 ip4:203.0.113.7 ~all", "OK"],
    ["localhost", "v=spf1 include:other.example ~all", "WRONG"],
  ])("through %s: %s is %s", async (host, record, state) => {
    const included = { "sendgrid.net": txt("v=spf1 ip4:203.0.113.0/24 ~all"), "other.example": txt("v=spf1 ~all") };
    const [spf] = recordsFor(NAME, [], settingsFor(host));
    const checks = await lookAt(new TableResolver({ [NAME]: txt(record), ...included }), NAME, [spf as DnsRecord]);
    expect(Object.values(checks)[0]?.state).toBe(state);
  });
});

test("says of each record what breaks without it", async () => {
  const { posthorn, id } = await withZones({});
  await using _ = posthorn;
  const { records } = (await ask(posthorn, `GET /domains/${id}`)).body;
  for (const { without } of records) expect(without).toStartWith("Without it, ");
});

describe("a faulty SPF record is corrected, not replaced:", () => {
  const lookups = Array.from({ length: 11 }, (_, n) => `include:s${n}.example`).join(" ");
  test.each<[record: string, problem: RegExp]>([
    ["v=spf1 mx ip:192.0.2.1 -all", /invalid because of "ip:192\.0\.2\.1"/],
    ["v=spf1 include:gone.example mx -all", /includes gone\.example, which has no SPF record/],
    [`v=spf1 ${lookups} -all`, /more than 10 DNS lookups/],
  ])("%s", async (record, problem) => {
    const includes = Array.from({ length: 11 }, (_, n) => [`s${n}.example`, txt("v=spf1 ip4:192.0.2.1 -all")]);
    const { posthorn, id } = await withZones({ [NAME]: txt(record), ...Object.fromEntries(includes) });
    await using _ = posthorn;
    const spf = recordOf(await verified(posthorn, id), "SPF");
    expect(spf).toMatchObject({ state: "WRONG", suggestion: null, found: [record] });
    expect(spf.problem).toMatch(problem);
    const zone = (await posthorn.call(`GET /domains/${id}/zone`)).body as string;
    expect(zone).toMatch(problem);
    expect(zone.split("\n").filter((line) => line.startsWith(`${NAME}. `))).toEqual([]);
  });
});
