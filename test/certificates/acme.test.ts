// Certificates by ACME, from Pebble: the first one, renewal, what goes wrong, and the port that leads to HTTPS.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { CERTIFICATE } from "../../src/operator/backup/parts.ts";
import { namesOf } from "../../src/base/certificates/acme/kept.ts";
import { PlainPort } from "../../src/base/certificates/acme/plain-port.ts";
import { cautionsOf, DEFAULTS } from "../../src/base/config.ts";
import { createLog } from "../../src/base/log.ts";
import { ConfigFolder } from "../config-folder.ts";
import { TestClock } from "../support/clock.ts";
import { freePort } from "../support/free-port.ts";
import { hasPebble, startPebble, type Pebble } from "../support/pebble.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

describe.skipIf(!hasPebble)("with Pebble", () => {
  let pebble: Pebble;
  beforeAll(async () => {
    pebble = await startPebble();
  });
  afterAll(() => pebble[Symbol.asyncDispose]());

  test("one certificate for both names comes by itself, is shown by HTTPS and SMTP, and is kept", async () => {
    await using run = await started(pebble);
    const { posthorn, smtpPort, dataDir } = run;
    expect((await shownAt(posthorn)).issuer).toBe("CN=mail.posthorn.test");
    await posthorn.settle();
    const certificate = await shownAt(posthorn);
    expect(certificate.issuer).toContain("Pebble Intermediate");
    expect(certificate.subjectAltName?.split(", ").toSorted()).toEqual([
      "DNS:mail.posthorn.test",
      "DNS:smtp.posthorn.test",
    ]);
    expect((await shownBy(smtpPort)).fingerprint256).toBe(certificate.fingerprint256);
    const ca = await pebble.rootCertificate();
    await trusted(Number(new URL(posthorn.server.url).port), ca);
    for (const name of ["acme.pem", "acme.json"]) {
      expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
      expect(CERTIFICATE).toContain(name);
    }
    expect(posthorn.logLines.filter((line) => line.includes("got a certificate by ACME"))).toHaveLength(1);
    await posthorn[Symbol.asyncDispose]();
    await using again = await started(pebble, { dataDir, smtpPort: await freePort() });
    await again.posthorn.settle();
    expect((await shownAt(again.posthorn)).fingerprint256).toBe(certificate.fingerprint256);
  });

  test("it is renewed in the last third of its time, by the same account", async () => {
    await using run = await started(pebble);
    const { posthorn, dataDir, clock } = run;
    await posthorn.settle();
    const first = await shownAt(posthorn);
    const account = accountIn(dataDir);
    const lifeMs = Date.parse(first.validTo) - Date.parse(first.validFrom);
    clock.advance((lifeMs * 2) / 3 - DAY_MS);
    await posthorn.settle();
    expect((await shownAt(posthorn)).fingerprint256).toBe(first.fingerprint256);
    clock.advance(2 * DAY_MS);
    await posthorn.settle();
    expect((await shownAt(posthorn)).fingerprint256).not.toBe(first.fingerprint256);
    expect(accountIn(dataDir).accountKey).toBe(account.accountKey);
  });

  test("a port 80 that nobody reaches is told; it is tried again after hours, or when asked", async () => {
    await using run = await started(pebble, { plainPort: await freePort() });
    const { posthorn, clock, dataDir } = run;
    const failures = () => posthorn.logLines.filter((line) => line.includes("no certificate for"));
    await posthorn.settle();
    expect(failures()).toHaveLength(1);
    expect(failures()[0]).toMatch(/port 80 of (mail|smtp)\.posthorn\.test cannot be reached: open it in the firewall/);
    expect(failures()[0]).toContain("or after SIGHUP");
    clock.advance(HOUR_MS - 60_000);
    await posthorn.settle();
    expect(failures()).toHaveLength(1);
    clock.advance(60_000);
    await posthorn.settle();
    expect(failures()).toHaveLength(2);
    expect(accountIn(dataDir)).toMatchObject({ failures: 2, nextTryMs: clock.nowMs() + 2 * HOUR_MS });
    posthorn.server.reload();
    await posthorn.settle();
    expect(failures()).toHaveLength(3);
    expect((await fetchFrom(posthorn, "/health")).status).toBe(200);
  });

  test("a name that leads to another server is told", async () => {
    const other = Bun.serve({ hostname: "127.0.0.1", port: pebble.proofPort, fetch: () => new Response("other") });
    await using run = await started(pebble, { plainPort: await freePort() });
    await run.posthorn.settle();
    await other.stop(true);
    expect(run.posthorn.logLines.join("\n")).toMatch(
      /another server answers at http:\/\/(mail|smtp)\.posthorn\.test\//,
    );
  });

  test("a name that the DNS does not know is told", async () => {
    await pebble.nameGoesNowhere("lost.posthorn.test");
    await using run = await started(pebble, { host: "lost.posthorn.test" });
    await run.posthorn.settle();
    expect(run.posthorn.logLines.join("\n")).toContain("the DNS has no address for lost.posthorn.test");
  });
});

test("an authority that cannot be reached keeps nobody from starting", async () => {
  const acmeDirectory = `https://127.0.0.1:${await freePort()}/dir`;
  await using run = await started({ settings: { acmeDirectory, acmeCaFile: null }, proofPort: await freePort() });
  await run.posthorn.settle();
  expect((await fetchFrom(run.posthorn, "/health")).status).toBe(200);
  expect(run.posthorn.logLines.join("\n")).toContain("the authority cannot be reached");
});

test("the plain port leads readers to HTTPS and refuses what carries secrets", async () => {
  const plainPort = await freePort();
  const settings = { acmeDirectory: `https://127.0.0.1:${await freePort()}/dir`, acmeCaFile: null };
  await using _ = await started({ settings, proofPort: plainPort });
  const ask = (path: string, method = "GET") =>
    fetch(`http://127.0.0.1:${plainPort}${path}`, { method, redirect: "manual" });
  const led = await ask("/app?page=2");
  expect(led.status).toBe(308);
  expect(led.headers.get("location")).toBe("https://mail.posthorn.test/app?page=2");
  expect((await ask("/v1/send", "POST")).status).toBe(403);
  expect((await ask("/.well-known/acme-challenge/unknown")).status).toBe(404);
});

test("the certificate is for the hosts of [compat] too, and the plain port leads no program away from them", async () => {
  const plainPort = await freePort();
  const http = { tls: "acme" as const, baseUrl: "https://mail.posthorn.test", plainPort };
  const compat = { ...DEFAULTS.compat, resendHost: "resend.posthorn.test" };
  const config = { ...DEFAULTS, http: { ...DEFAULTS.http, ...http }, compat };
  expect(namesOf(config)).toEqual(["mail.posthorn.test", "resend.posthorn.test"]);
  const plain = new PlainPort(
    config,
    createLog({ level: "error", format: "text", clock: new TestClock(), write: () => {} }),
  );
  plain.open();
  const headers = { host: "resend.posthorn.test" };
  const said = await fetch(`http://127.0.0.1:${plainPort}/emails`, { headers, redirect: "manual" });
  expect([said.status, await said.text()]).toEqual([403, "This server speaks HTTPS: https://resend.posthorn.test\n"]);
  await plain.stop();
});

test("a plain port that is taken is said once, and taken later", async () => {
  const plainPort = await freePort();
  const other = Bun.serve({ hostname: "127.0.0.1", port: plainPort, fetch: () => new Response("other") });
  const settings = { acmeDirectory: `https://127.0.0.1:${await freePort()}/dir`, acmeCaFile: null };
  await using run = await started({ settings, proofPort: plainPort });
  await run.posthorn.settle();
  const said = run.posthorn.logLines.filter((line) => line.includes("http.plain_port"));
  expect(said).toHaveLength(1);
  expect(said[0]).toContain(`127.0.0.1:${plainPort} cannot be listened on: another program listens there`);
  await other.stop(true);
  await run.posthorn.settle();
  expect((await fetch(`http://127.0.0.1:${plainPort}/`, { redirect: "manual" })).status).toBe(308);
});

test("the configuration has what an authority needs", () => {
  const files = new ConfigFolder();
  const name =
    'http.base_url: must be an https address with a full host name when http.tls is "acme": the certificate is for that name';
  for (const base of ["http://mail.example.com", "https://192.0.2.1", "https://localhost", "https://[2001:db8::1]"])
    expect(files.faultText(`[http]\ntls = "acme"\nbase_url = "${base}"`)).toBe(name);
  const acme = `[http]\ntls = "acme"\nbase_url = "https://mail.example.com"\n`;
  expect(files.faultText(`${acme}plain_port = 0`)).toStartWith(
    'http.plain_port: must not be 0 when http.tls is "acme"',
  );
  expect(files.faultText(`${acme}port = 80`)).toBe("http.plain_port: must be another port than http.port");
  expect(files.faultText(`${acme}cert_file = "a"\nkey_file = "b"`)).toStartWith("http.tls: must not be set together");
  expect(cautionsOf(files.load(`[http]\nplain_port = 80`))).toEqual([
    "http.plain_port should not be set unless http.tls or http.cert_file is: it leads to HTTPS",
  ]);
  expect(files.faultText(`${acme}acme_email = "nobody"`)).toStartWith("http.acme_email: must be an email address");
  expect(files.faultText(`${acme}acme_directory = "http://x"`)).toStartWith("http.acme_directory: must be an address");
  expect(() => files.load(acme)).not.toThrow();
  files.remove();
});

type Asked = { readonly settings: { acmeDirectory: string; acmeCaFile: string | null }; readonly proofPort: number };
type Wanted = {
  readonly dataDir?: string;
  readonly smtpPort?: number;
  readonly plainPort?: number;
  readonly host?: string;
};

async function started({ settings, proofPort }: Asked, wanted: Wanted = {}) {
  const dataDir = wanted.dataDir ?? mkdtempSync(join(tmpdir(), "posthorn-acme-"));
  const smtpPort = wanted.smtpPort ?? (await freePort());
  const clock = new TestClock(new Date().toISOString());
  const baseUrl = `https://${wanted.host ?? "mail.posthorn.test"}`;
  const http = { ...settings, tls: "acme" as const, baseUrl, plainPort: wanted.plainPort ?? proofPort };
  const smtp = { submissionsPort: smtpPort, hostname: "smtp.posthorn.test" };
  const posthorn = await startPosthorn({ dataDir, clock, config: { http, smtp } });
  let isOpen = true;
  const stop = posthorn[Symbol.asyncDispose].bind(posthorn);
  posthorn[Symbol.asyncDispose] = async () => {
    if (isOpen) await stop();
    isOpen = false;
  };
  return {
    ...{ posthorn, smtpPort, dataDir, clock },
    async [Symbol.asyncDispose]() {
      await posthorn[Symbol.asyncDispose]();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function accountIn(dataDir: string): { accountKey: string; failures: number; nextTryMs: number } {
  return JSON.parse(readFileSync(join(dataDir, "acme.json"), "utf8"));
}

function fetchFrom(posthorn: Posthorn, path: string): Promise<Response> {
  return fetch(posthorn.server.url + path, { tls: { rejectUnauthorized: false } });
}

function shownAt(posthorn: Posthorn): Promise<X509Certificate> {
  return shownBy(Number(new URL(posthorn.server.url).port));
}

/** With the whole chain. @throws as the handshake does */
function trusted(port: number, ca: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, ca, servername: "mail.posthorn.test" }, () => {
      socket.destroy();
      resolve();
    });
    socket.once("error", reject);
  });
}

function shownBy(port: number): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw));
      socket.destroy();
    });
    socket.once("error", reject);
  });
}
