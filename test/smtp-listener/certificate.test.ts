// The certificate: made by hand, taken from files, changed while listeners listen.
import { afterAll, describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { selfSigned } from "../../src/base/certificates/self-signed.ts";
import { posthornCli } from "../support/cli.ts";
import { dialogue } from "../support/smtp-dialogue.ts";
import { startSubmission } from "../support/submission.ts";

const folder = mkdtempSync(join(tmpdir(), "posthorn-certificate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const NOW = Date.parse("2026-03-01T09:00:00Z");

test.each([
  ["mail.example.com", "DNS:mail.example.com"],
  ["bücher.example", "DNS:xn--bcher-kva.example"],
  ["127.0.0.1", "IP Address:127.0.0.1"],
  ["2001:db8::1", "IP Address:2001:DB8:0:0:0:0:0:1"],
  [`${"a".repeat(60)}.${"b".repeat(60)}.example`, `DNS:${"a".repeat(60)}.${"b".repeat(60)}.example`],
])("one of our own for %s is whole, signed by its own key, and for that name", (name, alternative) => {
  const { cert } = selfSigned(name, NOW);
  const read = new X509Certificate(cert);
  expect(read.verify(read.publicKey)).toBe(true);
  expect(read.subjectAltName).toBe(alternative);
  expect(Date.parse(read.validFrom)).toBe(NOW - 86_400_000);
  expect(Date.parse(read.validTo)).toBe(NOW + 3650 * 86_400_000);
});

test("one of our own is made once, its key readable by nobody else", async () => {
  const dataDir = mkdtempSync(join(folder, "data-"));
  const names: string[] = [];
  for (let start = 0; start < 2; start++) {
    const { posthorn, ports } = await startSubmission({ dataDir });
    names.push(await fingerprint(ports.tls));
    expect(posthorn.logLines.filter((line) => line.includes("self-signed certificate"))).toHaveLength(1 - start);
    await posthorn[Symbol.asyncDispose]();
  }
  expect(names[0]).toBe(names[1] ?? "");
  expect(statSync(join(dataDir, "smtp.key.pem")).mode & 0o777).toBe(0o600);
});

test("one of our own is made anew for another name, and where it is broken", async () => {
  const dataDir = mkdtempSync(join(folder, "data-"));
  const shown = async (hostname: string) => {
    const { posthorn, ports } = await startSubmission({ dataDir, config: { smtp: { hostname } } });
    await using _ = posthorn;
    return await fingerprint(ports.tls);
  };
  const first = await shown("mail.example.com");
  expect(await shown("mail.example.com")).toBe(first);
  const second = await shown("bücher.example");
  expect(second).not.toBe(first);
  expect(await shown("bücher.example")).toBe(second);
  const third = await shown("127.0.0.1");
  expect(third).not.toBe(second);
  writeFileSync(join(dataDir, "smtp.cert.pem"), "-----BEGIN");
  expect(await shown("127.0.0.1")).not.toBe(third);
});

describe("files that cannot be used", () => {
  const good = selfSigned("mail.example.com", NOW);
  const other = selfSigned("mail.example.com", NOW);
  const noChain = `${good.cert}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`;

  test.each([
    ["no certificate", null, good.key, "smtp.cert_file: $CERT cannot be read: there is no such file"],
    ["no key", good.cert, null, "smtp.key_file: $KEY cannot be read: there is no such file"],
    ["junk for a certificate", "junk", good.key, "smtp.cert_file: $CERT contains no certificate (PEM)"],
    ["junk for a key", good.cert, "junk", "smtp.key_file: $KEY contains no private key (PEM, without a passphrase)"],
    ["the key of another", good.cert, other.key, "smtp.key_file: the key in $KEY does not belong to the certificate"],
    [
      "junk for a chain",
      noChain,
      good.key,
      "smtp.cert_file: the certificates after the first one in $CERT are not a chain",
    ],
  ])("%s: is reported by check-config and at the start, and changes nothing later", async (_, cert, key, words) => {
    const place = mkdtempSync(join(folder, "files-"));
    const [certFile, keyFile] = [join(place, "cert.pem"), join(place, "key.pem")];
    const put = (file: string, text: string | null) => (text === null ? rmSync(file) : writeFileSync(file, text));
    writeFileSync(certFile, good.cert);
    writeFileSync(keyFile, good.key);
    const { posthorn, ports } = await startSubmission({ config: { smtp: { certFile, keyFile } } });
    await using __ = posthorn;
    put(certFile, cert);
    put(keyFile, key);
    await posthorn.settle();
    const expected = words.replace("$CERT", certFile).replace("$KEY", keyFile);
    expect(posthorn.logLines.join("\n")).toContain(expected);
    expect(await fingerprint(ports.tls)).toBe(new X509Certificate(good.cert).fingerprint256);
    await dialogue({ port: ports.starttls }, "S: 220\nC: EHLO x\nS: 250\nC: STARTTLS\nS: 220\nTLS\nC: EHLO x\nS: 250");
    await expect(startSubmission({ config: { smtp: { certFile, keyFile } } })).rejects.toThrow(expected);
    const config = join(place, "config.toml");
    writeFileSync(config, `[smtp]\ncert_file = "${certFile}"\nkey_file = "${keyFile}"\n`);
    const { code, err } = await posthornCli(["check-config", "--config", config]);
    expect(code).toBe(2);
    expect(err).toContain(expected);
  });
});

test("a new one in the files is shown from the next handshake on; one that is broken is not, and said once", async () => {
  const certFile = join(folder, "cert.pem");
  const keyFile = join(folder, "key.pem");
  let atSeconds = 1_000;
  const put = (cert: string, key: string) => {
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
    utimesSync(certFile, ++atSeconds, atSeconds);
  };
  const [first, second] = [selfSigned("mail.example.com", NOW), selfSigned("mail.example.com", NOW)];
  put(first.cert, first.key);
  const { posthorn, ports } = await startSubmission({ config: { smtp: { certFile, keyFile } } });
  await using _ = posthorn;
  expect(await fingerprint(ports.tls)).toBe(new X509Certificate(first.cert).fingerprint256);
  put(second.cert, first.key);
  await posthorn.settle();
  await posthorn.settle();
  expect(posthorn.logLines.filter((line) => line.includes("the new SMTP certificate cannot be used"))).toEqual([
    expect.stringContaining(`reason="smtp.key_file: the key in ${keyFile} does not belong to the certificate`),
  ]);
  expect(await fingerprint(ports.tls)).toBe(new X509Certificate(first.cert).fingerprint256);
  put(second.cert, second.key);
  await posthorn.settle();
  expect(await fingerprint(ports.tls)).toBe(new X509Certificate(second.cert).fingerprint256);
});

function fingerprint(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, rejectUnauthorized: false }, () => {
      resolve(
        socket.getPeerX509Certificate()?.fingerprint256 ??
          new X509Certificate(socket.getPeerCertificate().raw).fingerprint256,
      );
      socket.destroy();
    });
    socket.once("error", reject);
  });
}
