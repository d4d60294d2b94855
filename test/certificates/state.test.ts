// Certificates as operators see them: in the status, the overview, the figures and the log, before one ends or once it
// cannot be renewed.
import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { selfSigned } from "../../src/base/certificates/self-signed.ts";
import { DAY_MS, HOUR_MS, iso } from "../../src/base/clock.ts";
import { cliBeside, jsonBeside, type Env } from "../support/cli.ts";
import { TestClock } from "../support/clock.ts";
import { freshDirectory } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { OWN_PAGE, somebody } from "../support/people.ts";
import { startPosthorn, type Changes, type Json, type Posthorn } from "../support/posthorn.ts";

const clean: (() => void)[] = [];
afterEach(() => clean.splice(0).forEach((one) => one()));

const YEARS_10_MS = 10 * 365 * DAY_MS;

/** The command line goes by the clock on the wall. */
const now = () => Date.now();

/** In files; it ends so long from now. */
function certificate(endsInMs: number) {
  const directory = freshDirectory();
  clean.push(directory.remove);
  const [certFile, keyFile] = [join(directory.path, "cert.pem"), join(directory.path, "key.pem")];
  const put = (ms: number) => {
    const { cert, key } = selfSigned("localhost", now() - YEARS_10_MS + ms);
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
  };
  put(endsInMs);
  return { certFile, keyFile, put };
}

function start(config: Changes): Promise<Posthorn> {
  const metrics = { path: "/metrics", token: null };
  return startPosthorn({ clock: new TestClock(iso(now())), config: { metrics, ...config } });
}

/** Over no network: its port may speak TLS. */
async function asked(posthorn: Posthorn, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const authorization = `Bearer ${posthorn.keys.secret}`;
  return posthorn.server.answer(new Request(posthorn.server.url + path, { headers: { authorization, ...headers } }));
}

async function needs(posthorn: Posthorn): Promise<Json[]> {
  return ((await (await asked(posthorn, "/overview")).json()) as Json).attention;
}

async function figures(posthorn: Posthorn, port: string): Promise<Record<string, number>> {
  posthorn.clock.advance(6_000);
  const text = await (await asked(posthorn, "/metrics")).text();
  const lines = [...text.matchAll(/^posthorn_certificate_(\w+)\{port="(\w+)"\} (\S+)$/gm)];
  return Object.fromEntries(lines.flatMap(([, name, of, value]) => (of === port ? [[name, Number(value)]] : [])));
}

const said = (posthorn: Posthorn) => posthorn.logLines.filter((line) => line.includes("needs attention: "));

async function statusOf(posthorn: Posthorn, env: Env) {
  const database: Env = { POSTHORN_HTTP_PORT: new URL(posthorn.server.url).port };
  const { certificates, needs: words } = await jsonBesideFailing(posthorn, { ...database, ...env });
  return { certificates, words: words.filter((one: string) => one.includes("certificate")) };
}

/** The exit code is 1 where something needs somebody. */
async function jsonBesideFailing(posthorn: Posthorn, env: Env): Promise<Json> {
  return JSON.parse((await cliBeside(posthorn, ["status", "--json"], env)).out);
}

test("A certificate of HTTPS in files that ends within two weeks needs somebody, everywhere, until it is renewed", async () => {
  const { certFile, keyFile, put } = certificate(9 * DAY_MS);
  await using posthorn = await start({ http: { certFile, keyFile } });
  await posthorn.settle();
  const env = { POSTHORN_HTTP_CERT_FILE: certFile, POSTHORN_HTTP_KEY_FILE: keyFile };
  const { certificates, words } = await statusOf(posthorn, env);
  const [{ validTo }] = certificates;
  expect(Math.round((Date.parse(validTo) - now()) / DAY_MS)).toBe(9);
  expect(words).toEqual([`The certificate of HTTPS ends at ${validTo}, and has not been renewed.`]);
  expect(await needs(posthorn)).toEqual([{ kind: "CERTIFICATE", of: ["HTTPS"], validTo, fault: null }]);
  expect(said(posthorn)).toEqual([expect.stringContaining(words[0])]);
  const expiry = Date.parse(validTo) / 1000;
  expect(await figures(posthorn, "HTTPS")).toEqual({ expiry_seconds: expiry, ends_soon: 1, fault: 0 });
  put(90 * DAY_MS);
  await posthorn.settle();
  expect(await needs(posthorn)).toEqual([]);
  expect(await figures(posthorn, "HTTPS")).toMatchObject({ ends_soon: 0, fault: 0 });
});

test("A certificate comes into its last two weeks while the server runs, and that is said once", async () => {
  const { certFile, keyFile } = certificate(15 * DAY_MS);
  await using posthorn = await start({ http: { certFile, keyFile } });
  await posthorn.settle();
  expect(said(posthorn)).toEqual([]);
  for (let days = 0; days < 3; days++) {
    posthorn.clock.advance(DAY_MS);
    await posthorn.settle();
  }
  expect(said(posthorn)).toEqual([expect.stringContaining("The certificate of HTTPS ends at")]);
});

test("A new certificate of the SMTP ports that cannot be used needs somebody, with its reason", async () => {
  const { certFile, keyFile } = certificate(90 * DAY_MS);
  await using posthorn = await start({ smtp: { certFile, keyFile, submissionPort: await freePort() } });
  await posthorn.settle();
  expect(await needs(posthorn)).toEqual([]);
  expect(await figures(posthorn, "SMTP")).toMatchObject({ ends_soon: 0, fault: 0 });
  writeFileSync(certFile, "none");
  await posthorn.settle();
  const fault = `smtp.cert_file: ${certFile} contains no certificate (PEM)`;
  expect(await needs(posthorn)).toEqual([{ kind: "CERTIFICATE", of: ["SMTP"], validTo: null, fault }]);
  expect(await figures(posthorn, "SMTP")).toMatchObject({ fault: 1 });
  const owner = await somebody(posthorn, "OWNER");
  const answer = await asked(posthorn, "/installation", { ...OWN_PAGE, cookie: owner.cookie, authorization: "" });
  const { certificate: shown } = (await answer.json()) as Json;
  expect(shown).toMatchObject({ subject: "CN=localhost", fault });
});

test("Without a certificate, nothing is said of one", async () => {
  await using posthorn = await start({});
  await posthorn.settle();
  expect(await needs(posthorn)).toEqual([]);
  expect(await figures(posthorn, "HTTPS")).toEqual({});
  expect(
    await jsonBeside(posthorn, ["status"], { POSTHORN_HTTP_PORT: new URL(posthorn.server.url).port }),
  ).toMatchObject({
    certificates: [],
  });
});

test("Why ACME gets no certificate is said in the status, the overview and the log, again after a restart", async () => {
  const directory = freshDirectory();
  clean.push(directory.remove);
  const acmeDirectory = `https://127.0.0.1:${await freePort()}/dir`;
  const http = { tls: "acme" as const, baseUrl: "https://mail.posthorn.test", acmeDirectory, acmeCaFile: null };
  const metrics = { path: "/metrics", token: null };
  const clock = new TestClock(iso(now()));
  const run = async () =>
    startPosthorn({
      ...{ clock, dataDir: directory.path },
      config: { metrics, http: { ...http, plainPort: await freePort() }, smtp: { submissionsPort: await freePort() } },
    });
  {
    await using posthorn = await run();
    await posthorn.settle();
    const [need] = await needs(posthorn);
    expect(need).toMatchObject({ kind: "CERTIFICATE", of: ["HTTPS", "SMTP"] });
    expect(need.fault).toStartWith("the authority cannot be reached");
    expect(await figures(posthorn, "SMTP")).toMatchObject({ fault: 1, ends_soon: 0 });
    const env = {
      ...{
        POSTHORN_HTTP_TLS: "acme",
        POSTHORN_HTTP_BASE_URL: http.baseUrl,
        POSTHORN_HTTP_ACME_DIRECTORY: acmeDirectory,
      },
      POSTHORN_SMTP_SUBMISSIONS_PORT: "465",
    };
    const { words } = await statusOf(posthorn, env);
    expect(words).toEqual([expect.stringContaining("No new certificate for HTTPS and SMTP: the authority cannot be")]);
  }
  clock.advance(HOUR_MS / 2);
  await using again = await run();
  await again.settle();
  expect(said(again)).toEqual([expect.stringContaining("No new certificate for HTTPS and SMTP: the authority cannot")]);
});
