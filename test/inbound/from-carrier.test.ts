// Which reports come from a server that carries our mail: src/mail/inbound/bounces/from-carrier.ts, and through the
// port.
import { expect, test } from "bun:test";
import type { DnsResult } from "../../src/base/dns.ts";
import type { RecordType } from "../../src/base/dns/message.ts";
import { isFromCarrier } from "../../src/mail/inbound/bounces/from-carrier.ts";
import { dsn } from "../support/bounces.ts";
import { bring, ELSEWHERE, signed, startHouse, wire, type House } from "../support/outside.ts";
import type { Json } from "../support/posthorn.ts";
import { TableResolver } from "../support/resolver.ts";

const REFUSED = "550 5.7.1 Blocked: the reputation of your server is low";
const REPORT = dsn({ fields: `Action: failed\nStatus: 5.7.1\nDiagnostic-Code: smtp; ${REFUSED}` });
const ZONES = {
  ...ELSEWHERE,
  "smtp.relay.test": { A: ["192.0.2.10"], AAAA: ["2001:db8::10"] },
  "_dmarc.relay.test": { TXT: ["v=DMARC1; p=reject"] },
  "out.relay.test": { TXT: ["v=spf1 ip4:192.0.2.77 -all"] },
  "mail-1.google.com": { TXT: ["v=spf1 ip4:192.0.2.78 -all"] },
};

type Came = { readonly from?: string; readonly helo?: string; readonly sender?: string; readonly raw?: Buffer };

function came(
  { from = "203.0.113.9", helo = "forger.test", sender = "", raw = wire(REPORT) }: Came,
  carriers: string[],
) {
  const resolver = new TableResolver(ZONES);
  const ask = (name: string, type: RecordType): Promise<DnsResult | null> =>
    resolver.find(name, type).catch(() => null);
  const envelope = { clientAddress: from, helo, sender, recipients: ["bounce@bounces.test"] };
  return isFromCarrier(raw, envelope, carriers, {
    ask,
    host: "mx.example.test",
    nowMs: Date.parse("2026-03-01T09:00:00Z"),
  });
}

const RELAY = ["smtp.relay.test"];

test("a report is the relay's if it comes from the relay's address", async () => {
  expect(await came({ from: "192.0.2.10" }, RELAY)).toBe(true);
  expect(await came({ from: "2001:db8::10" }, RELAY)).toBe(true);
  expect(await came({ from: "127.0.0.1" }, ["localhost"])).toBe(true);
  expect(await came({}, RELAY)).toBe(false);
});

test("what a relay passes on from elsewhere is not the relay's", async () => {
  const field =
    "Received: from forger.test (forger.test [203.0.113.9]) by smtp.relay.test; Sun, 1 Mar 2026 09:00:00 +0000";
  const raw = wire(`${field}\n${REPORT}`);
  expect(await came({ from: "192.0.2.10", raw }, RELAY)).toBe(false);
  const own = wire(`Received: by smtp.relay.test (Postfix) id 4X; Sun, 1 Mar 2026 09:00:00 +0000\n${REPORT}`);
  expect(await came({ from: "192.0.2.10", raw: own }, RELAY)).toBe(true);
});

test("or if SPF of its own name, or its signature, says so", async () => {
  expect(await came({ from: "192.0.2.77", helo: "out.relay.test" }, RELAY)).toBe(true);
  expect(await came({ from: "203.0.113.9", helo: "out.relay.test" }, RELAY)).toBe(false);
  const raw = await signed(REPORT);
  expect(await came({ raw }, ["smtp.elsewhere.test"])).toBe(true);
  expect(await came({ raw }, RELAY)).toBe(false);
});

test("services report from hosts of another name", async () => {
  expect(await came({ from: "192.0.2.78", helo: "mail-1.google.com" }, ["smtp.gmail.com"])).toBe(true);
  expect(await came({ from: "192.0.2.78", helo: "mail-1.google.com" }, RELAY)).toBe(false);
});

test("servers report with the null sender: a customer of the relay cannot", async () => {
  expect(await came({ from: "192.0.2.10", sender: "somebody@relay.test" }, RELAY)).toBe(false);
});

const PEOPLE = ["first@gmail.com", "second@gmail.com", "third@gmail.com"];

async function reportsOn(house: House): Promise<Json[]> {
  const { posthorn } = house;
  for (const to of PEOPLE) {
    await posthorn.call("POST /v1/send", { to, from: "shop@example.test", subject: "Hi", body: "<p>Hi" });
    await posthorn.settle();
    const address = posthorn.transport.sent.at(-1)?.envelope.returnPath as string;
    const reply = await bring(house, REPORT.replaceAll("$ADDRESS", address), { from: "", to: [address] });
    expect(reply).toStartWith("250");
    await posthorn.settle();
  }
  posthorn.clock.advance(20_000);
  await posthorn.settle();
  return (await posthorn.call("GET /queue")).body.brakes;
}

const through = (host: string) => ({
  config: { delivery: { transport: "smtp" as const, returnPathDomain: "bounces.test" }, relay: { host } },
});

test("through the port, reports of the relay brake its provider, and forged ones do not", async () => {
  const own = await startHouse(through("127.0.0.1"));
  await using _ = own.posthorn;
  expect(await reportsOn(own)).toMatchObject([{ mailbox: "gmail", state: "PAUSED", holds: "MARKETING" }]);
  const other = await startHouse(through("smtp.relay.test"));
  await using __ = other.posthorn;
  expect(await reportsOn(other)).toEqual([]);
});
