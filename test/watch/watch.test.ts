// What only others can see of this server: looked at once a day, told when it changes, kept over a restart.
import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../src/base/clock.ts";
import { DEFAULTS, type Config } from "../../src/base/config.ts";
import { lookAtLists } from "../../src/operator/watch/blocklists.ts";
import { publicServerIn } from "../../src/operator/watch/lists.ts";
import { lookAtNames } from "../../src/operator/watch/names.ts";
import { reversed } from "../../src/operator/watch/answers.ts";
import { waysOf } from "../../src/ground/ways/way.ts";
import { askForCertificate } from "../../src/operator/watch/certificates.ts";
import { selfSigned } from "../../src/base/certificates/self-signed.ts";
import { cliBeside } from "../support/cli.ts";
import { TestClock } from "../support/clock.ts";
import { ENGINE } from "../support/database.ts";
import { leftovers } from "../support/leftovers.ts";
import { somebody } from "../support/people.ts";
import { startPosthorn, type Changes, type Json, type Posthorn, type StartOptions } from "../support/posthorn.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { workspace } from "../support/workspace.ts";

const { folder } = leftovers();

const HOST = "mail.operator.example";
const ADDRESS = "192.0.2.7";
const REVERSE = "7.2.0.192.in-addr.arpa";
const ON_ZEN = "7.2.0.192.zen.spamhaus.org";

const config = {
  smtp: { hostname: HOST },
  delivery: { transport: "smtp" as const, returnPathDomain: "bounces.operator.example" },
  relay: { host: "127.0.0.1", tls: "none" as const },
  dns: { servers: ["192.0.2.53"] },
};

/** Everything is as it should be. */
function inOrder(): Record<string, Zone> {
  return {
    [HOST]: { A: [ADDRESS] },
    [REVERSE]: { PTR: [`${HOST}.`] },
    "bounces.operator.example": { MX: [`10 ${HOST}`] },
  };
}

function started(zones: Record<string, Zone>, options: StartOptions = {}) {
  return startPosthorn({ resolver: new TableResolver(zones), ...options, config: { ...config, ...options.config } });
}

/**
 * A look begins between a minute and 61 minutes after the first start; then one a day, or an hour while something is
 * wrong. Settled first, so that the start is before the clock moves.
 */
async function later(posthorn: Posthorn, ms: number): Promise<void> {
  await posthorn.settle();
  for (let passed = 0; passed < ms; passed += HOUR_MS) {
    posthorn.clock.advance(HOUR_MS);
    await posthorn.settle();
  }
}

const faults = async (posthorn: Posthorn) =>
  (
    await posthorn.store.read(
      (reader) => reader.all<Json>`select key from watch_findings where state = 'WRONG' order by key`,
    )
  ).map(({ key }) => key);

describe("the daily look", () => {
  test("does not begin with the start, and finds nothing where all is in order", async () => {
    const resolver = new TableResolver(inOrder());
    await using posthorn = await workspace({ resolver, config });
    await posthorn.settle();
    expect(resolver.asked).toEqual([]);
    await later(posthorn, 2 * HOUR_MS);
    expect(resolver.asked).toContain(`PTR ${REVERSE}`);
    expect(await faults(posthorn)).toEqual([]);
    const asked = resolver.asked.filter((one) => one === `PTR ${REVERSE}`).length;
    await later(posthorn, 20 * HOUR_MS);
    expect(resolver.asked.filter((one) => one === `PTR ${REVERSE}`)).toHaveLength(asked);
    await later(posthorn, 6 * HOUR_MS);
    expect(resolver.asked.filter((one) => one === `PTR ${REVERSE}`)).toHaveLength(asked + 1);
  });

  test("names what is wrong to the operator and to owners, and that it is over", async () => {
    const zones = inOrder();
    await using posthorn = await started(zones, {
      config: { alerts: { ...DEFAULTS.alerts, email: ["ops@operator.example"] } },
    });
    await later(posthorn, 2 * HOUR_MS);
    zones[REVERSE] = { PTR: ["host-7.provider.example."] };
    zones[ON_ZEN] = { A: ["127.0.0.2"] };
    zones["bounces.operator.example"] = {};
    await later(posthorn, DAY_MS);
    expect(await faults(posthorn)).toEqual([
      `BLOCKLIST ${ADDRESS} zen.spamhaus.org`,
      "RETURN_PATH bounces.operator.example",
      `REVERSE_NAME ${ADDRESS} ${HOST}`,
    ]);
    const owner = await somebody(posthorn, "OWNER");
    const { attention } = (await owner.ask("GET /overview")).body;
    expect(attention.filter(({ kind }: Json) => kind === "SEEN_FROM_OUTSIDE")).toMatchObject(
      [
        { aspect: "RETURN_PATH", subject: "bounces.operator.example", detail: null },
        { aspect: "REVERSE_NAME", subject: ADDRESS, by: HOST, detail: "host-7.provider.example" },
        { aspect: "BLOCKLIST", subject: ADDRESS, by: "zen.spamhaus.org", detail: "127.0.0.2" },
      ].toSorted((a, b) => order(attention, a.aspect) - order(attention, b.aspect)),
    );
    expect((await posthorn.call("GET /overview")).body.attention).not.toContainEqual(
      expect.objectContaining({ kind: "SEEN_FROM_OUTSIDE" }),
    );
    const status = await cliBeside(posthorn, ["status"]);
    expect(status.out).toContain(`${ADDRESS} is on the blocklist zen.spamhaus.org (127.0.0.2).`);
    const doctor = await cliBeside(posthorn, ["doctor"]);
    expect(doctor.out).toContain(`WRONG  seen from outside: ${ADDRESS} is on the blocklist zen.spamhaus.org`);
    await later(posthorn, 2 * HOUR_MS);
    const letters = () => posthorn.transport.sent.map(({ raw }) => String(raw));
    expect(letters().join()).toContain("host-7.provider.example");
    Object.assign(zones, { [ON_ZEN]: {} }, inOrder());
    await later(posthorn, 5 * HOUR_MS);
    expect(await faults(posthorn)).toEqual([]);
    expect(letters().at(-1)).toContain("Over:");
  });

  test("that gets no answer changes nothing, and a restart neither forgets nor repeats", async () => {
    const zones = inOrder();
    const dataDir = folder();
    const clock = new TestClock();
    const lines: string[] = [];
    for (let start = 0; start < 2; start++) {
      await using posthorn = await started(zones, { dataDir, clock });
      if (start === 0) await later(posthorn, 2 * HOUR_MS);
      zones[REVERSE] = start === 0 ? {} : "silence";
      await later(posthorn, DAY_MS);
      expect(await faults(posthorn)).toEqual([`REVERSE_NAME ${ADDRESS} ${HOST}`]);
      lines.push(...posthorn.logLines.filter((line) => line.includes("no reverse name") && !line.includes("needs")));
    }
    expect(lines).toHaveLength(1);
  });

  test("forgets what is not its business any more", async () => {
    const zones = inOrder();
    delete zones[REVERSE];
    const dataDir = folder();
    const clock = new TestClock();
    {
      await using posthorn = await started(zones, { dataDir, clock });
      await later(posthorn, 2 * HOUR_MS);
      expect(await faults(posthorn)).toHaveLength(1);
    }
    await using posthorn = await started(zones, {
      dataDir,
      clock,
      config: { relay: { host: "smtp.provider.example" } },
    });
    await later(posthorn, DAY_MS);
    expect(await faults(posthorn)).toEqual([]);
  });

  test("tells the endpoints of a workspace that its domain is on a blocklist", async () => {
    const zones = inOrder();
    await using posthorn = await started(zones);
    await posthorn.call("POST /webhooks", { url: "https://hooks.example/x", events: ["domain.*"] });
    await later(posthorn, 2 * HOUR_MS);
    zones["example.test.dbl.spamhaus.org"] = { A: ["127.0.1.2"] };
    await later(posthorn, DAY_MS);
    const { attention } = (await posthorn.call("GET /overview")).body;
    expect(attention.filter(({ kind }: Json) => kind === "DOMAIN_CHANGED")).toMatchObject([
      {
        what: "BLOCKLIST",
        domain: "example.test",
        problem: "example.test is on the blocklist dbl.spamhaus.org (127.0.1.2).",
      },
    ]);
    zones["example.test.dbl.spamhaus.org"] = {};
    await later(posthorn, 2 * HOUR_MS);
    const told = await posthorn.store.read(
      (reader) => reader.all<{ type: string; data: string }>`select type, data from webhook_events order by seq`,
    );
    expect(told.map(({ type, data }) => [type, (JSON.parse(data) as Json).what])).toEqual([
      ["domain.failing", "BLOCKLIST"],
      ["domain.recovered", "BLOCKLIST"],
    ]);
  });

  test("sees a certificate that ends soon or is for another name", async () => {
    const shown: Record<string, Json> = { [HOST]: { validFrom: "2025-12-20", validTo: "2026-03-09" } };
    await using posthorn = await started(inOrder(), {
      config: {
        http: { baseUrl: `https://${HOST}` },
        relay: { host: "smtp.provider.example", tls: "starttls", verifyCertificate: true },
      },
      certificates: (at) =>
        Promise.resolve("site" in at ? shown[at.site] : { fault: "Hostname/IP does not match certificate's altnames" }),
    });
    await later(posthorn, 2 * HOUR_MS);
    expect(await faults(posthorn)).toEqual([`CERTIFICATE ${HOST}`, "CERTIFICATE smtp.provider.example:587"]);
  });

  test.skipIf(ENGINE !== "postgres")("is made by one of several servers on one database", async () => {
    const resolver = new TableResolver(inOrder());
    const clock = new TestClock();
    const shared = { ...config, secrets: { key: "07".repeat(32) } };
    await using one = await startPosthorn({ resolver, config: shared, clock });
    const database = { url: one.databaseUrl, connections: 4 };
    await using other = await startPosthorn({ resolver, config: { ...shared, database }, clock });
    for (let hours = 0; hours < 3; hours++) {
      clock.advance(HOUR_MS);
      await Promise.all([one.settle(), other.settle()]);
    }
    expect(resolver.asked.filter((name) => name === `PTR ${REVERSE}`)).toHaveLength(1);
  });

  test("is not made where no email leaves", async () => {
    const resolver = new TableResolver(inOrder());
    await using posthorn = await workspace({ resolver });
    await later(posthorn, DAY_MS);
    expect(resolver.asked.filter((one) => one.startsWith("PTR"))).toEqual([]);
  });
});

function order(attention: readonly Json[], aspect: string): number {
  return attention.findIndex((one) => one.aspect === aspect);
}

describe("blocklists", () => {
  const asking = (zones: Record<string, Zone>, changes: Changes = {}) => {
    const settings = { ...DEFAULTS, dns: { servers: ["192.0.2.53"] }, ...changes } as Config;
    return { config: settings, resolver: new TableResolver(zones) };
  };
  const about = async (zones: Record<string, Zone>, changes?: Changes) => {
    const seen = await lookAtLists(asking(zones, changes), "address", [{ name: ADDRESS, domain: null }]);
    return seen.find(({ by }) => by === "zen.spamhaus.org");
  };

  test("that refuse a public name server are not asked, and say why", async () => {
    expect(await about({ [ON_ZEN]: { A: ["127.255.255.254"] } })).toMatchObject({
      state: "UNKNOWN",
      detail: expect.stringContaining("set dns.servers"),
    });
    expect(await about({ [ON_ZEN]: { A: ["127.0.0.2"] } }, { dns: { servers: ["8.8.8.8"] } })).toMatchObject({
      state: "UNKNOWN",
      detail: expect.stringContaining("not asked: 8.8.8.8"),
    });
  });

  test("that list everything are not believed, nor are name servers that make answers up", async () => {
    const everything = { "1.0.0.127.zen.spamhaus.org": { A: ["127.0.0.2"] }, [ON_ZEN]: { A: ["127.0.0.2"] } };
    expect(await about(everything)).toMatchObject({ state: "UNKNOWN" });
    expect(await about({ [ON_ZEN]: { A: ["198.51.100.9"] } })).toMatchObject({ state: "OK" });
    expect(await about({ [ON_ZEN]: "silence" })).toMatchObject({ state: "UNKNOWN" });
  });

  test("of Spamhaus are asked with the key, whatever the name servers are", async () => {
    const keyed = { "7.2.0.192.abcdefghijkl.zen.dq.spamhaus.net": { A: ["127.0.0.3"] } };
    const watch = { ...DEFAULTS.watch, spamhausKey: "abcdefghijkl" };
    expect(await about(keyed, { watch, dns: { servers: ["1.1.1.1"] } })).toMatchObject({
      state: "WRONG",
      by: "zen.spamhaus.org",
      detail: "127.0.0.3",
    });
  });

  test("a public name server is known with its port too, and IPv6 is asked by half bytes", () => {
    expect(publicServerIn(["192.0.2.53", "[2606:4700:4700::1111]:53"])).toBe("2606:4700:4700::1111");
    expect(publicServerIn(["8.8.4.4:53"])).toBe("8.8.4.4");
    expect(publicServerIn(["10.0.0.2"])).toBeNull();
    expect(reversed("2001:db8::1")).toStartWith("1.0.0.0.0.0.0.0.");
  });
});

test("addresses of another relay are not watched, unless they are named", async () => {
  const away = {
    ...DEFAULTS,
    ...config,
    relay: { ...DEFAULTS.relay, host: "smtp.provider.example" },
  } as unknown as Config;
  const full = {
    ...away,
    smtp: { ...DEFAULTS.smtp, ...config.smtp },
    delivery: { ...DEFAULTS.delivery, ...config.delivery },
  };
  const resolver = new TableResolver(inOrder());
  const aspects = async (one: Config) =>
    (await lookAtNames({ config: one, ways: waysOf(one), resolver })).map(({ aspect }) => aspect);
  expect(await aspects(full)).toEqual(["ADDRESS", "RETURN_PATH"]);
  const named = { ...full, watch: { ...DEFAULTS.watch, addresses: ["192.0.2.8"] } };
  expect(await aspects(named)).toEqual(["ADDRESS", "REVERSE_NAME", "RETURN_PATH"]);
});

test("a certificate that nobody trusts is a fault; a server that is away is none", async () => {
  const { cert, key } = selfSigned("localhost", Date.now());
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", tls: { cert, key }, fetch: () => new Response() });
  try {
    for (const host of ["localhost", "127.0.0.1"])
      expect(await askForCertificate({ site: `${host}:${server.port}` })).toMatchObject({ fault: expect.any(String) });
  } finally {
    await server.stop(true);
  }
  expect(await askForCertificate({ site: `localhost:${server.port}` })).toBeNull();
  expect(await askForCertificate({ site: `[::1]:${server.port}` })).toBeNull();
});
