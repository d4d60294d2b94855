// What a check tells besides the records: BIMI, MTA-STS and DANE, which are never a fault.
import { expect, test } from "bun:test";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask } from "../support/scenario.ts";

const POLICY = "version: STSv1\r\nmode: enforce\r\nmx: mx.example.test\r\nmx: *.mx.example.test\r\nmax_age: 604800\r\n";
const STS: Record<string, Zone> = {
  "_mta-sts.example.test": { TXT: ["v=STSv1; id=20260301;"] },
  "mta-sts.example.test": { A: ["93.184.216.34"] },
};

type Open = {
  readonly posthorn: Posthorn;
  readonly zones: Record<string, Zone>;
  readonly fetched: string[];
  policy: string;
};

async function open(host: string | null = "smtp.relay.test"): Promise<Open> {
  const zones: Record<string, Zone> = {};
  const opened = { zones, fetched: [] as string[], policy: POLICY };
  const posthorn = await startPosthorn({
    resolver: new TableResolver(zones),
    config: host === null ? {} : { delivery: { transport: "smtp" }, relay: { host, port: 587 } },
    fetchText: async (url) => (opened.fetched.push(url), opened.policy),
  });
  return Object.assign(opened, { posthorn });
}

async function look({ posthorn }: Pick<Open, "posthorn">): Promise<Record<string, Json>> {
  const [{ id }] = (await ask(posthorn, "GET /domains")).body.data;
  const { information } = (await ask(posthorn, `POST /domains/${id}/verify`)).body;
  return Object.fromEntries(information.map((one: Json) => [one.topic, one]));
}

test("nothing of it is there at first, and the domain is none the worse (slow)", async () => {
  const house = await open();
  await using _ = house.posthorn;
  const [{ information }] = (await ask(house.posthorn, "GET /domains")).body.data;
  expect(information.map(({ topic, state }: Json) => [topic, state])).toEqual([
    ["BIMI", "UNKNOWN"],
    ["MTA_STS", "UNKNOWN"],
    ["DANE", "UNKNOWN"],
  ]);
  expect(await look(house)).toMatchObject({
    BIMI: { name: "default._bimi.example.test", state: "ABSENT", problemCode: "bimi_none" },
    MTA_STS: { name: "_mta-sts.example.test", state: "ABSENT", problemCode: "mta_sts_none" },
    DANE: { name: "_587._tcp.smtp.relay.test", state: "ABSENT", problemCode: "dane_none" },
  });
  expect((await ask(house.posthorn, "GET /domains")).body.data[0]).toMatchObject({
    verified: true,
    failingSince: null,
  });
});

test("a logo is shown with a strict policy alone", async () => {
  const house = await open();
  await using _ = house.posthorn;
  const record = "v=BIMI1; l=https://example.test/logo.svg; a=https://example.test/mark.pem";
  house.zones["default._bimi.example.test"] = { TXT: [record] };
  expect((await look(house))["BIMI"]).toMatchObject({ state: "PRESENT", problemCode: "bimi_policy", found: [record] });
  house.zones["_dmarc.example.test"] = { TXT: ["v=DMARC1; p=quarantine"] };
  expect((await look(house))["BIMI"]).toMatchObject({ state: "PRESENT", problem: null });
  house.zones["default._bimi.example.test"] = { TXT: ["v=BIMI1; l=http://example.test/logo.svg"] };
  expect((await look(house))["BIMI"]).toMatchObject({ state: "INVALID", problemCode: "bimi_bad" });
});

test("the policy of MTA-STS is fetched once an hour, and again when its id is another (slow)", async () => {
  const house = await open();
  await using _ = house.posthorn;
  Object.assign(house.zones, STS);
  const expected = {
    ...{ state: "PRESENT", problemCode: "mta_sts_mode" },
    problemValues: {
      ...{ mode: "enforce", hosts: "mx.example.test, *.mx.example.test", id: "20260301" },
      url: "https://mta-sts.example.test/.well-known/mta-sts.txt",
    },
  };
  expect((await look(house))["MTA_STS"]).toMatchObject(expected);
  house.posthorn.clock.advance(50 * 60_000);
  expect((await look(house))["MTA_STS"]).toMatchObject(expected);
  expect(house.fetched).toEqual([expected.problemValues.url]);
  house.zones["_mta-sts.example.test"] = { TXT: ["v=STSv1; id=20260302;"] };
  house.policy = POLICY.replace("enforce", "testing");
  expect((await look(house))["MTA_STS"].problemValues.mode).toBe("testing");
  house.posthorn.clock.advance(61 * 60_000);
  await look(house);
  expect(house.fetched).toHaveLength(3);
});

test.each<[string, string, Record<string, Zone>, string]>([
  ["without a policy", "mta_sts_no_policy", STS, "<html>"],
  ["with a mode that nobody knows", "mta_sts_no_policy", STS, POLICY.replace("enforce", "sometimes")],
  ["at no public address", "mta_sts_no_policy", { ...STS, "mta-sts.example.test": { A: ["10.0.0.1"] } }, POLICY],
  ["at no address", "mta_sts_no_policy", { ...STS, "mta-sts.example.test": {} }, POLICY],
  ["without an id", "mta_sts_bad", { "_mta-sts.example.test": { TXT: ["v=STSv1"] } }, POLICY],
  ["twice", "mta_sts_bad", { "_mta-sts.example.test": { TXT: ["v=STSv1; id=1", "v=STSv1; id=2"] } }, POLICY],
])("a record %s counts for nothing", async (name, code, zones, policy) => {
  const house = await open();
  await using _ = house.posthorn;
  Object.assign(house.zones, zones);
  house.policy = policy;
  expect((await look(house))["MTA_STS"]).toMatchObject({ state: "INVALID", problemCode: code });
  if (/address/.test(name)) expect(house.fetched).toEqual([]);
});

test("a relay has TLSA records; one without a name has none, and silence says nothing (slow)", async () => {
  const house = await open();
  await using _ = house.posthorn;
  house.zones["_587._tcp.smtp.relay.test"] = { TLSA: ["3 1 1 0123abcd"] };
  expect((await look(house))["DANE"]).toMatchObject({ state: "PRESENT", found: ["3 1 1 0123abcd"] });
  house.zones["_587._tcp.smtp.relay.test"] = "silence";
  expect((await look(house))["DANE"]).toMatchObject({ state: "UNKNOWN" });
  const local = await open("192.0.2.1");
  await using __ = local.posthorn;
  expect((await look(local))["DANE"]).toBeUndefined();
});
