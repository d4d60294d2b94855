// The API over HTTPS with a certificate from files: it changes while requests are in hand, and everything else goes on
// as before.
import { afterAll, beforeEach, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { selfSigned, type Certificate } from "../../src/base/certificates/self-signed.ts";
import { ConfigFolder } from "../config-folder.ts";
import { posthornCli, serving } from "../support/cli.ts";
import { freePort } from "../support/free-port.ts";
import { OWN_PAGE, somebody } from "../support/people.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { workspace } from "../support/workspace.ts";

const folder = mkdtempSync(join(tmpdir(), "posthorn-https-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const NOW = Date.parse("2026-03-01T09:00:00Z");
const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
let first: Certificate;
let second: Certificate;

beforeEach(() => {
  [first, second] = [selfSigned("localhost", NOW), selfSigned("localhost", NOW)];
  put(first);
});

test("a new certificate is shown at once, and a request that was in hand is answered", async () => {
  const posthorn = await startPosthorn({ config: { http: { certFile, keyFile } } });
  await using _ = posthorn;
  expect(posthorn.server.url).toStartWith("https://");
  const owner = await somebody(posthorn, "OWNER");
  const shown = await fetch(`${posthorn.server.url}/installation`, {
    headers: { ...OWN_PAGE, cookie: owner.cookie },
    tls: { rejectUnauthorized: false },
  });
  expect(shown.headers.get("strict-transport-security")).toBe("max-age=31536000");
  const { httpCertificate } = (await shown.json()) as Json;
  expect(httpCertificate).toMatchObject({ subject: "CN=localhost", isSelfSigned: true });
  const inHand = await openRequest(posthorn);
  expect(inHand.certificate).toBe(fingerprintOf(first));
  put(second);
  await posthorn.settle();
  expect(await shownBy(posthorn)).toBe(fingerprintOf(second));
  expect(await inHand.finish()).toStartWith("HTTP/1.1 401");
  put(first);
  posthorn.server.reload();
  expect(await shownBy(posthorn)).toBe(fingerprintOf(first));
});

test("one that cannot be used is said once, and the old one stays", async () => {
  const posthorn = await startPosthorn({ config: { http: { certFile, keyFile } } });
  await using _ = posthorn;
  put({ cert: second.cert, key: first.key });
  await posthorn.settle();
  await posthorn.settle();
  const said = posthorn.logLines.filter((line) => line.includes("the new HTTP certificate cannot be used"));
  expect(said).toHaveLength(1);
  expect(said[0]).toContain(`http.key_file: the key in ${keyFile} does not belong to the certificate in ${certFile}`);
  expect(await shownBy(posthorn)).toBe(fingerprintOf(first));
});

test("clients behind a trusted proxy are told apart after a change as before", async () => {
  const posthorn = await workspace({
    config: { http: { certFile, keyFile, trustedProxies: ["127.0.0.1"] }, limits: { signUpsPerMinute: 1 } },
  });
  await using _ = posthorn;
  const logIn = (client: string) =>
    fetch(`${posthorn.server.url}/session`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": client, origin: posthorn.server.url },
      body: "{}",
      tls: { rejectUnauthorized: false },
    });
  expect((await logIn("203.0.113.1")).status).toBeLessThan(500);
  put(second);
  await posthorn.settle();
  expect((await logIn("203.0.113.2")).status).toBeLessThan(500);
  expect(posthorn.logLines.join("\n")).not.toContain("X-Forwarded-For is ignored");
});

test.each(["/app/", "/app/mail", "/docs/guide/sending", "/health?x=1"])(
  "%s is there over HTTPS as well",
  async (path) => {
    await using posthorn = await workspace({ config: { http: { certFile, keyFile } } });
    const answer = await fetch(posthorn.server.url + path, { tls: { rejectUnauthorized: false } });
    expect(answer.status).toBe(200);
  },
);

test("no second process takes the port", async () => {
  const port = await freePort();
  const config = { http: { certFile, keyFile, port } };
  await using _ = await workspace({ config });
  await expect(workspace({ config })).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("posthorn ready asks over HTTPS", async () => {
  const port = String(await freePort());
  const variables = { POSTHORN_HTTP_PORT: port, POSTHORN_HTTP_CERT_FILE: certFile, POSTHORN_HTTP_KEY_FILE: keyFile };
  const env = { ...variables, POSTHORN_DATA_DIR: join(folder, "data") };
  await using server = await serving([], env);
  expect(server.url).toBe(`https://127.0.0.1:${port}`);
  expect(await posthornCli(["ready"], env)).toMatchObject({ code: 0, out: "ready" });
});

test("the configuration names both files, and check-config reads them", async () => {
  const files = new ConfigFolder();
  expect(files.faultText(`[http]\ncert_file = "a"`)).toBe("http.key_file: must be set when http.cert_file is");
  expect(files.faultText(`[http]\nkey_file = "a"`)).toBe("http.cert_file: must be set when http.key_file is");
  expect(files.load(`[http]\ncert_file = "a"\nkey_file = "b"`).http.baseUrl).toBe("https://127.0.0.1:8484");
  files.remove();
  const config = join(folder, "config.toml");
  writeFileSync(config, `[http]\ncert_file = "${certFile}"\nkey_file = "${folder}/none.pem"\n`);
  const { code, err } = await posthornCli(["check-config", "--config", config]);
  expect(code).toBe(2);
  expect(err).toContain(`http.key_file: ${folder}/none.pem cannot be read: there is no such file`);
});

function put({ cert, key }: Certificate): void {
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
}

function fingerprintOf({ cert }: Certificate): string {
  return new X509Certificate(cert).fingerprint256;
}

async function connected(posthorn: Posthorn): Promise<TLSSocket> {
  const { port } = new URL(posthorn.server.url);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host: "127.0.0.1", port: Number(port), rejectUnauthorized: false }, resolve);
  socket.once("error", reject);
  await promise;
  return socket;
}

function fingerprintSeen(socket: TLSSocket): string {
  return new X509Certificate(socket.getPeerCertificate().raw).fingerprint256;
}

async function shownBy(posthorn: Posthorn): Promise<string> {
  const socket = await connected(posthorn);
  const fingerprint = fingerprintSeen(socket);
  socket.destroy();
  return fingerprint;
}

/** A request whose body is not whole yet. */
async function openRequest(posthorn: Posthorn) {
  const socket = await connected(posthorn);
  const { promise: answer, resolve } = Promise.withResolvers<string>();
  socket.once("data", (data) => resolve(data.toString()));
  const head = ["POST /v1/send HTTP/1.1", "host: localhost", "content-type: application/json", "content-length: 2"];
  await new Promise<void>((sent) => socket.write(`${head.join("\r\n")}\r\n\r\n{`, () => sent()));
  // The server has read what came before a later answer of its own.
  await fetch(`${posthorn.server.url}/health`, { tls: { rejectUnauthorized: false } });
  return {
    certificate: fingerprintSeen(socket),
    finish: () => {
      socket.write("}");
      return answer.finally(() => socket.destroy());
    },
  };
}
