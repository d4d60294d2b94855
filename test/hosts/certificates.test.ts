// Certificates for hosts of workspaces: each its own, from Pebble, shown by name; what cannot be had keeps nobody
// else's.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { selfSigned } from "../../src/base/certificates/self-signed.ts";
import { DAY_MS, HOUR_MS } from "../../src/base/clock.ts";
import { TestClock } from "../support/clock.ts";
import { freePort } from "../support/free-port.ts";
import { leftovers } from "../support/leftovers.ts";
import { hasPebble, startPebble, type Pebble } from "../support/pebble.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask } from "../support/scenario.ts";

const { folder } = leftovers();
const HOST = "links.example.test";
const OWN = "mail.posthorn.test";
const PATH = "/workspace/link-host";
const HERE = { A: ["127.0.0.1"] };

function started(pebble: Pebble, zones: Record<string, Zone>, plainPort = pebble.proofPort) {
  const clock = new TestClock(new Date().toISOString());
  const http = { ...pebble.settings, tls: "acme" as const, baseUrl: `https://${OWN}`, plainPort };
  return startPosthorn({ clock, resolver: new TableResolver(zones), dataDir: folder(), config: { http } });
}

/** Our server speaks TLS; what it shows is looked at by itself. */
async function call(posthorn: Posthorn, route: string, body?: object): Promise<Json> {
  const [method = "GET", path = "/"] = route.split(" ");
  const response = await fetch(posthorn.server.url + path, {
    ...{ method, tls: { rejectUnauthorized: false } },
    headers: { authorization: `Bearer ${posthorn.keys.secret}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

function shownTo(posthorn: Posthorn, servername: string): Promise<X509Certificate> {
  const port = Number(new URL(posthorn.server.url).port);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, servername, rejectUnauthorized: false }, () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw));
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

describe.skipIf(!hasPebble)("with Pebble", () => {
  let pebble: Pebble;
  beforeAll(async () => {
    pebble = await startPebble();
  });
  afterAll(() => pebble[Symbol.asyncDispose]());

  test("a host has a certificate of its own, which names nobody else, is renewed, and is then used", async () => {
    await using posthorn = await started(pebble, { [OWN]: HERE, [HOST]: HERE });
    await posthorn.settle();
    const { host: asked } = await call(posthorn, `PUT ${PATH}`, { host: HOST });
    expect(asked.state).toBe("WAITING");
    await posthorn.settle();
    const { host, base } = await call(posthorn, `GET ${PATH}`);
    expect([host.state, base]).toEqual(["USED", `https://${HOST}`]);
    const first = await shownTo(posthorn, HOST);
    expect([first.subjectAltName, first.issuer.includes("Pebble")]).toEqual([`DNS:${HOST}`, true]);
    expect((await shownTo(posthorn, OWN)).subjectAltName).toContain(`DNS:${OWN}`);
    expect((await shownTo(posthorn, "unknown.example")).subjectAltName).toContain(`DNS:${OWN}`);
    const lifeMs = Date.parse(first.validTo) - Date.parse(first.validFrom);
    posthorn.clock.advance((lifeMs * 2) / 3 + DAY_MS);
    await posthorn.settle();
    expect((await shownTo(posthorn, HOST)).fingerprint256).not.toBe(first.fingerprint256);
    const led = await fetch(`http://127.0.0.1:${pebble.proofPort}/manage/x?y=1`, {
      ...{ headers: { host: HOST }, redirect: "manual" },
    });
    expect([led.status, led.headers.get("location")]).toEqual([308, `https://${HOST}/manage/x?y=1`]);
  });

  test("none is asked for before a host leads here; one that cannot be had is tried again after hours", async () => {
    const zones: Record<string, Zone> = { [OWN]: HERE, [HOST]: {} };
    await using posthorn = await started(pebble, zones, await freePort());
    await call(posthorn, `PUT ${PATH}`, { host: HOST });
    await posthorn.settle();
    const failures = () => posthorn.logLines.filter((line) => line.includes("no certificate for a host"));
    expect(failures()).toEqual([]);
    zones[HOST] = HERE;
    posthorn.clock.advance(HOUR_MS);
    await posthorn.settle();
    expect(failures()).toHaveLength(1);
    const { host, base } = await call(posthorn, `GET ${PATH}`);
    expect([host.state, host.problemCode, base]).toEqual(["CERTIFICATE", "certificate_refused", `https://${OWN}`]);
    posthorn.clock.advance(HOUR_MS / 2);
    await posthorn.settle();
    expect(failures()).toHaveLength(1);
    posthorn.clock.advance(HOUR_MS);
    await posthorn.settle();
    expect(failures()).toHaveLength(2);
  });
});

test("the plain port shows that a host leads here, before there is a certificate", async () => {
  const plainPort = await freePort();
  const settings = { acmeDirectory: `https://127.0.0.1:${await freePort()}/dir`, acmeCaFile: null };
  const http = { ...settings, tls: "acme" as const, baseUrl: `https://${OWN}`, plainPort };
  await using posthorn = await startPosthorn({ config: { http }, dataDir: folder() });
  const path = "/.well-known/posthorn-host/0123456789abcdef0123456789abcdef";
  const plain = await fetch(`http://127.0.0.1:${plainPort}${path}`, { headers: { host: HOST } });
  const own = await fetch(posthorn.server.url + path, { tls: { rejectUnauthorized: false } });
  expect([plain.status, await plain.text()]).toEqual([200, await own.text()]);
});

test("with a certificate in files, a host that it is not for is not used", async () => {
  const dir = folder();
  mkdirSync(dir, { recursive: true });
  const [certFile, keyFile] = [join(dir, "cert.pem"), join(dir, "key.pem")];
  const write = (name: string) => {
    const { cert, key } = selfSigned(name, Date.now());
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
  };
  write(OWN);
  const http = { baseUrl: `https://${OWN}`, certFile, keyFile };
  const resolver = new TableResolver({ [OWN]: HERE, [HOST]: HERE });
  await using posthorn = await startPosthorn({ resolver, config: { http }, dataDir: folder() });
  await call(posthorn, `PUT ${PATH}`, { host: HOST });
  expect((await call(posthorn, `POST ${PATH}/verify`)).host).toMatchObject({ problemCode: "certificate_missing" });
  write(HOST);
  expect((await call(posthorn, `POST ${PATH}/verify`)).host.state).toBe("USED");
});

test("behind a proxy a host is asked as a reader would, and one that another server answers is not used", async () => {
  const { cert, key } = selfSigned(HOST, Date.now());
  let answer = (path: string) => Promise.resolve(`not ${path}`);
  const proxy = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1", tls: { cert, key } },
    fetch: async (request) => new Response(await answer(new URL(request.url).pathname)),
  });
  const baseUrl = `https://${OWN}:${proxy.port}`;
  const resolver = new TableResolver({ [OWN]: HERE, [HOST]: HERE });
  await using posthorn = await startPosthorn({
    ...{ resolver, config: { http: { baseUrl } }, lookUp: () => Promise.resolve(["127.0.0.1"]) },
  });
  await ask(posthorn, `PUT ${PATH}`, { body: { host: HOST } });
  const verified = async () => (await ask(posthorn, `POST ${PATH}/verify`)).body.host;
  // Nobody trusts a certificate that was made here.
  expect(await verified()).toMatchObject({ problemCode: "not_answering", problem: expect.stringContaining("failed") });
  answer = async (path) => (await fetch(posthorn.server.url + path)).text();
  expect(await verified()).toMatchObject({ state: "WAITING" });
  await proxy.stop(true);
});
