// The doctor: each look passes or says what to do; what it cannot know is a note.
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { DAY_MS, HOUR_MS, iso } from "../../src/base/clock.ts";
import { DEFAULTS, type Config } from "../../src/base/config.ts";
import { mailQueue } from "../../src/mail/emails/queue/queue-queries.ts";
import { PlainPort } from "../../src/base/certificates/acme/plain-port.ts";
import { lookAtCertificates } from "../../src/operator/operation/doctor/certificates.ts";
import type { DoctorFinding } from "../../src/operator/operation/doctor/finding.ts";
import { lookAtPlainPort } from "../../src/operator/operation/doctor/plain-port.ts";
import { lookAtDirectories, lookAtPorts, lookForFirstKeys } from "../../src/operator/operation/doctor/machine.ts";
import {
  lookAtBlocklists,
  lookAtDomains,
  lookAtOwnName,
  lookAtRelay,
  lookAtReturnPath,
} from "../../src/operator/operation/doctor/network.ts";
import {
  lookAtClock,
  lookAtIntegrity,
  lookForStuck,
  lookForUnpruned,
} from "../../src/operator/operation/doctor/store.ts";
import { isShort } from "../../src/store/space.ts";
import { takeInTurn } from "../../src/store/turns.ts";
import { createLog } from "../../src/base/log.ts";
import { cliBeside, posthornCli } from "../support/cli.ts";
import { TestClock } from "../support/clock.ts";
import { freshDirectory } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { letter } from "../support/mails.ts";
import { nameServer } from "../support/name-server.ts";
import { startPosthorn, type Changes, type Posthorn } from "../support/posthorn.ts";
import { startRelay } from "../support/relay.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";

const directory = freshDirectory();
afterAll(directory.remove);

function configured(changes: Changes): Config {
  const sections = Object.entries(changes).map(([name, section]) => [
    name,
    { ...DEFAULTS[name as keyof Config], ...section },
  ]);
  return { ...DEFAULTS, ...Object.fromEntries(sections) } as Config;
}

const states = (findings: readonly DoctorFinding[]) => findings.map(({ check, state }) => `${check}: ${state}`);

describe("the network", () => {
  const config = configured({
    http: { baseUrl: "https://mail.example.com" },
    delivery: { returnPathDomain: "bounces.example.com" },
  });
  const NAMES: Readonly<Record<string, Zone>> = {
    "mail.example.com": { A: ["192.0.2.1"], AAAA: ["2001:db8::1"] },
    "1.2.0.192.in-addr.arpa": { PTR: ["Mail.example.com."] },
    "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa": { PTR: ["host.provider.example"] },
    "bounces.example.com": { MX: ["10 mail.example.com"] },
    "1.2.0.192.zen.spamhaus.org": { A: ["127.0.0.4"] },
    "1.2.0.192.b.barracudacentral.org": { A: ["127.255.255.254"] },
  };

  test("a name that leads here and back passes, another reverse name is worth knowing", async () => {
    const findings = await lookAtOwnName(config, new TableResolver(NAMES));
    expect(findings.map(({ state, text }) => [state, text.split(":")[0]])).toEqual([
      ["ok", "mail.example.com is 192.0.2.1, and 192.0.2.1 is mail.example.com"],
      ["note", "mail.example.com is 2001"],
    ]);
    expect(states(await lookAtOwnName(config, new TableResolver()))).toEqual(["own name: wrong"]);
    expect(states(await lookAtOwnName(DEFAULTS, new TableResolver()))).toEqual(["own name: note"]);
  });

  test("the return path needs its MX", async () => {
    expect((await lookAtReturnPath(config, new TableResolver(NAMES))).state).toBe("ok");
    expect(await lookAtReturnPath(config, new TableResolver())).toMatchObject({
      state: "wrong",
      text: "bounces.example.com has no MX record.",
      todo: "Publish: bounces.example.com MX 10 mail.example.com.",
    });
    expect((await lookAtReturnPath(config, new TableResolver({ "bounces.example.com": "silence" }))).state).toBe(
      "note",
    );
  });

  test("blocklists are asked about each address; one that refuses to answer says nothing", async () => {
    expect(states(await lookAtBlocklists(config, new TableResolver(NAMES)))).toEqual([
      "blocklist zen.spamhaus.org: wrong",
      "blocklist zen.spamhaus.org: ok",
      "blocklist bl.spamcop.net: ok",
      "blocklist b.barracudacentral.org: note",
    ]);
  });

  test("a relay that takes the login passes, without a mail; one that refuses it or is away says why", async () => {
    await using relay = await startRelay({ login: { user: "posthorn", password: "right" } });
    const at = (password: string, port = relay.port) =>
      configured({
        delivery: { transport: "smtp" },
        relay: { host: "127.0.0.1", port, tls: "none", user: "posthorn", password },
      });
    expect(await lookAtRelay(at("right"))).toMatchObject({ state: "ok" });
    expect(relay.mails).toEqual([]);
    expect(await lookAtRelay(at("wrong"))).toMatchObject({ state: "wrong", text: expect.stringContaining("535") });
    expect(await lookAtRelay(at("right", await freePort()))).toMatchObject({ state: "wrong" });
    expect((await lookAtRelay(DEFAULTS)).state).toBe("note");
  });

  test("a verified domain without its record is named", async () => {
    await using posthorn = await startPosthorn();
    const look = async () => (await lookAtDomains(looked(posthorn, config), new TableResolver()))[0];
    await posthorn.store.write((tx) => tx.run`update domains set taken_unseen = 1`);
    expect((await look())?.state).toBe("note");
    await posthorn.store.write((tx) => tx.run`update domains set taken_unseen = 0`);
    expect(await look()).toMatchObject({
      ...{ check: "domain example.test", state: "wrong" },
      todo: "posthorn domain verify example.test shows what to publish.",
    });
  });

  test("of a domain whose other records are not as they should be it is said why", async () => {
    await using posthorn = await startPosthorn();
    await posthorn.store.write((tx) => tx.run`update domains set taken_unseen = 0`);
    const [{ records }] = (await posthorn.call("GET /domains")).body.data;
    const [dkim] = records;
    const zones = {
      [dkim.name]: { TXT: [dkim.value] },
      "example.test": { TXT: ["v=spf1 mx +all"] },
      "_dmarc.example.test": { TXT: ["v=DMARC1; p=none"] },
    };
    const [finding] = await lookAtDomains(looked(posthorn, DEFAULTS), new TableResolver(zones));
    expect(finding).toMatchObject({ state: "note", text: expect.stringContaining("lets everybody send") });
  });
});

describe("the machine", () => {
  test("files that others can read are named", () => {
    const dir = directory.path;
    chmodSync(dir, 0o700);
    const config = configured({ data: { dir } });
    expect(states(lookAtDirectories(config))).toEqual(["directories: ok"]);
    writeFileSync(join(dir, "secret.key"), "", { mode: 0o644 });
    chmodSync(join(dir, "secret.key"), 0o644);
    chmodSync(dir, 0o755);
    expect(lookAtDirectories(config).map(({ todo }) => todo)).toEqual([
      "Close it as it says.",
      `chmod 600 ${join(dir, "secret.key")}`,
    ]);
  });

  test("first keys that are still there are a note", () => {
    const config = configured({ data: { dir: directory.path } });
    expect(lookForFirstKeys(config)).toEqual([]);
    writeFileSync(join(directory.path, "first-keys.txt"), "");
    expect(states(lookForFirstKeys(config))).toEqual(["first keys: note"]);
    rmSync(join(directory.path, "first-keys.txt"));
  });

  test.each([
    [0.65e9, 1e9, false],
    [0.2e9, 1e9, true],
    [4e9, 100e9, true],
    [6e9, 100e9, false],
  ])("%d bytes free of %d: too few %p", (freeBytes, totalBytes, isTooFew) => {
    expect(isShort({ path: "/", freeBytes, totalBytes })).toBe(isTooFew);
  });

  test("where no server runs its ports have to be free", async () => {
    const port = await freePort();
    const off = { submissionPort: 0, submissionsPort: 0, inboundPort: 0 };
    const config = configured({ http: { port }, smtp: off });
    expect(states(await lookAtPorts(config, false))).toEqual(["port http: note"]);
    const other = createServer().listen(port, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    expect(states(await lookAtPorts(config, false))).toEqual(["port http: wrong"]);
    other.close();
  });

  test("where certificates come by ACME, each name has to lead to the port of plain HTTP", async () => {
    const port = await freePort();
    const config = configured({ http: { tls: "acme", baseUrl: "https://localhost", plainPort: port } });
    expect(await lookAtPlainPort(configured({}), true)).toEqual([]);
    expect(states(await lookAtPlainPort(config, false))).toEqual(["port plain http: note"]);
    expect((await lookAtPlainPort(config, true, port))[0]).toMatchObject({
      state: "wrong",
      todo: `Make sure that localhost:${port} leads to http.plain_port (${port}) of this machine: DNS, firewall, other programs.`,
    });
    const log = createLog({ level: "error", format: "text", clock: new TestClock(), write: () => {} });
    const plain = new PlainPort({ ...config, http: { ...config.http, host: "127.0.0.1" } }, log);
    plain.open();
    expect((await lookAtPlainPort(config, true, port))[0]?.text).toBe(
      `localhost:${port} leads here, so certificates can be had`,
    );
    await plain.stop();
  });

  test("the SMTP ports of a running server greet", async () => {
    const smtp = { submissionPort: await freePort(), submissionsPort: await freePort(), inboundPort: 0 };
    await using _ = await startPosthorn({ config: { smtp } });
    const config = configured({ smtp: { ...smtp, inboundPort: await freePort() } });
    expect(states(await lookAtPorts(config, true))).toEqual([
      ...["port http: ok", "port submission: ok", "port submissions: ok", "port inbound: wrong"],
    ]);
  });

  test("a certificate has to be for our name, and to be renewed two weeks before its end", async () => {
    const [certFile, keyFile] = ["cert", "key"].map((kind) => `test/support/certificates/localhost.${kind}.pem`);
    const smtp = { certFile: certFile ?? "", keyFile: keyFile ?? "" };
    const look = async (hostname: string, nowMs: number) =>
      (await lookAtCertificates(configured({ smtp: { ...smtp, hostname } }), nowMs))[0];
    expect(await look("mail.example.com", Date.now())).toMatchObject({
      state: "wrong",
      text: expect.stringContaining("is not for mail.example.com"),
    });
    expect(await look("localhost", Date.parse("2999-01-01"))).toMatchObject({ state: "wrong", todo: "Renew it." });
    expect((await lookAtCertificates(DEFAULTS, Date.now()))[0]?.state).toBe("note");
  });

  test("a certificate by a private ACME authority is not wrong for that; of anybody else's it is said", async () => {
    const [cert, key] = ["cert", "key"].map((kind) => `test/support/certificates/receiver.${kind}.pem`) as [
      string,
      string,
    ];
    await using server = Bun.serve({
      port: 0,
      tls: { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") },
      fetch: () => new Response(),
    });
    const data = { dir: freshDirectory().path };
    const look = async (http: Changes["http"], host = "localhost", nowMs = Date.now()) =>
      (
        await lookAtCertificates(
          configured({ data, http: { ...http, baseUrl: `https://${host}:${server.port}` } }),
          nowMs,
        )
      )[1];
    const own = { tls: "acme", acmeDirectory: "https://ca.internal/acme/directory" } as const;
    expect(await look(own)).toMatchObject({ state: "wrong", text: expect.stringContaining("unable to") });
    copyFileSync(cert, join(data.dir, "acme.pem"));
    expect(await look(own)).toMatchObject({
      state: "ok",
      text: expect.stringContaining(
        "by the authority of http.acme_directory, which this machine does not know, is valid",
      ),
    });
    expect(await look(own, "127.0.0.1")).toMatchObject({
      state: "wrong",
      text: expect.stringContaining("is not for it"),
    });
    expect(await look(own, "localhost", Date.parse("2999-01-01"))).toMatchObject({ state: "wrong", todo: "Renew it." });
    expect((await look({ tls: "acme" }))?.state).toBe("wrong");
    expect((await look({}))?.state).toBe("wrong");
    copyFileSync("test/support/certificates/elsewhere.cert.pem", join(data.dir, "acme.pem"));
    expect((await look(own))?.state).toBe("wrong");
  });
});

const looked = (posthorn: Posthorn, config = DEFAULTS) => ({
  store: posthorn.store,
  config,
  ways: posthorn.server.ways.all,
  machineMs: posthorn.clock.nowMs(),
});

describe("the store", () => {
  test("a damaged file is named", () => {
    const file = join(directory.path, "posthorn.db");
    writeFileSync(file, Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(8192, 7)]));
    const config = configured({ database: { url: `sqlite:${file}` } });
    expect(lookAtIntegrity(config, false)).toMatchObject({ state: "wrong" });
  });

  test("leases that nobody renews and work that is late are named", async () => {
    await using posthorn = await startPosthorn();
    await posthorn.call("POST /v1/send", { ...letter, to: ["ada@example.com", "bob@example.com"] });
    expect(states(await lookForStuck(looked(posthorn)))).toEqual(["leases: ok", "events: ok", "queues: ok"]);
    await posthorn.store.write((tx) =>
      takeInTurn(tx, mailQueue({ lane: 0, leaseUntil: iso(tx.nowMs + 60_000), only: null }), 1),
    );
    await posthorn.store.write(
      (tx) => tx.run`
      insert into outbox (workspace, subjects, contact, event, for_endpoints, due_at) values (1, '[]', null, null, 0, null)`,
    );
    posthorn.clock.advance(2 * HOUR_MS);
    const findings = await lookForStuck(looked(posthorn));
    expect(states(findings)).toEqual(["leases: wrong", "events: wrong", "queues: wrong"]);
    expect(findings[2]?.text).toBe("Work has been due for more than an hour: transactional.");
  });

  test("a clock that is behind what was written is named", async () => {
    await using posthorn = await startPosthorn();
    await posthorn.call("POST /v1/send", letter);
    await posthorn.settle();
    expect((await lookAtClock(looked(posthorn))).state).toBe("ok");
    posthorn.clock.jump(-DAY_MS);
    expect(await lookAtClock(looked(posthorn))).toMatchObject({
      state: "wrong",
      text: expect.stringContaining("The clock is behind"),
    });
  });

  test("what should have been pruned two days ago is counted", async () => {
    await using posthorn = await startPosthorn();
    await posthorn.call("POST /v1/send", letter);
    await posthorn.settle();
    const config = configured({ retention: { mailDays: 30 } });
    posthorn.clock.advance(31 * DAY_MS);
    expect((await lookForUnpruned(looked(posthorn, config))).state).toBe("ok");
    posthorn.clock.advance(2 * DAY_MS);
    expect(await lookForUnpruned(looked(posthorn, config))).toMatchObject({ state: "wrong" });
  });
});

test("posthorn doctor looks at everything, says what to do, and ends with 1 where something is wrong", async () => {
  const names = await nameServer();
  const port = await freePort();
  const clock = new TestClock(new Date().toISOString());
  await using posthorn = await startPosthorn({ clock, config: { http: { port } } });
  const none = {
    POSTHORN_SMTP_SUBMISSION_PORT: "0",
    POSTHORN_SMTP_SUBMISSIONS_PORT: "0",
    POSTHORN_SMTP_INBOUND_PORT: "0",
  };
  const env = { ...none, POSTHORN_HTTP_PORT: String(port), POSTHORN_DNS_SERVERS: names.address };
  await posthorn.store.write((tx) => tx.run`update domains set taken_unseen = 0`);
  const { code, out } = await cliBeside(posthorn, ["doctor", "--full"], env);
  expect(code).toBe(1);
  expect(out.split("\n").filter((line) => !/^(ok   |note |WRONG)  \S.*: |^       → /.test(line))).toEqual([]);
  expect(out).toMatch(/^ok     server: version \S+ is ready$/m);
  expect(out).toContain(
    "WRONG  domain example.test: DKIM missing or wrong.\n       → posthorn domain verify example.test",
  );
  const findings = JSON.parse((await cliBeside(posthorn, ["doctor", "--json"], env)).out) as DoctorFinding[];
  const wrong = findings.filter(({ state }) => state === "wrong");
  expect(wrong.map(({ check }) => check)).toEqual(["domain example.test"]);
  await names[Symbol.asyncDispose]();
});

test("posthorn doctor without a store names that, and looks at the rest", async () => {
  const names = await nameServer();
  const dir = join(directory.path, "nothing-here");
  const words = ["doctor", "--json", "--data", dir];
  const { code, out } = await posthornCli(words, {
    POSTHORN_HTTP_PORT: String(await freePort()),
    POSTHORN_DNS_SERVERS: names.address,
  });
  const findings = JSON.parse(out) as DoctorFinding[];
  expect(code).toBe(1);
  expect(findings.find(({ check }) => check === "store")?.text).toStartWith(`There is no database ${dir}`);
  expect(findings.find(({ check }) => check === "server")?.text).toContain("nobody answers");
  await names[Symbol.asyncDispose]();
});
