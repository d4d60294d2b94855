// Real mail programs hand in a message each. One that is not installed here is skipped by name; .ci/run installs them.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import nodemailer from "nodemailer";
import { simpleParser } from "mailparser";
import type { Posthorn } from "../support/posthorn.ts";
import { startSubmission, type Ports } from "../support/submission.ts";

const folder = mkdtempSync(join(tmpdir(), "posthorn-clients-"));
let open: { posthorn: Posthorn; ports: Ports };
beforeAll(async () => {
  open = await startSubmission({ config: { smtp: { insecureLoopback: false } } });
});
afterAll(async () => {
  await open.posthorn[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

type Program = {
  readonly name: string;
  /** What must be there, as a command that succeeds. */
  readonly needs: readonly string[];
  readonly command: (place: Place) => readonly string[];
  readonly input?: string;
};
type Place = { readonly port: number; readonly tlsPort: number; readonly key: string; readonly message: string };

const MESSAGE = `From: Ada <ada@example.test>
To: bob@example.com
Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=
Message-ID: <client@example.test>
Date: Mon, 02 Mar 2026 10:00:00 +0100
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

.Grüße von hier
`;
const PATCH = `From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001
From: Ada <ada@example.test>
Date: Mon, 2 Mar 2026 10:00:00 +0100
Subject: [PATCH] =?utf-8?q?Gr=C3=BC=C3=9Fe?=
MIME-Version: 1.0
Content-Type: text/plain; charset=UTF-8
Content-Transfer-Encoding: 8bit

.Grüße von hier
---
 a | 1 +

diff --git a/a b/a
`;
const PYTHON = `
import smtplib, ssl, sys
from email.message import EmailMessage
port, key = sys.argv[1:3]
mail = EmailMessage()
mail["From"], mail["To"], mail["Subject"] = "Ada <ada@example.test>", "bob@example.com", "Grüße"
mail.set_content(".Grüße von hier\\n")
with smtplib.SMTP("127.0.0.1", int(port)) as server:
    server.starttls(context=ssl._create_unverified_context())
    server.login("any", key)
    server.send_message(mail)
`;

const PROGRAMS: readonly Program[] = [
  {
    name: "swaks, STARTTLS",
    needs: ["swaks", "--version"],
    command: ({ port, key, message }) => [
      ...["swaks", "--server", `127.0.0.1:${port}`, "--tls", "--auth", "PLAIN", "--auth-user", "any"],
      ...["--auth-password", key, "--from", "ada@example.test", "--to", "bob@example.com", "--data", `@${message}`],
    ],
  },
  {
    name: "swaks, TLS, LOGIN, pipelining",
    needs: ["swaks", "--version"],
    command: ({ tlsPort, key, message }) => [
      ...["swaks", "--server", `127.0.0.1:${tlsPort}`, "--tls-on-connect", "--auth", "LOGIN", "--auth-user", "any"],
      ...["--auth-password", key, "--from", "ada@example.test", "--to", "bob@example.com", "--pipeline"],
      ...["--data", `@${message}`],
    ],
  },
  {
    name: "curl",
    needs: ["curl", "--version"],
    command: ({ port, key, message }) => [
      ...[
        "curl",
        "--silent",
        "--show-error",
        "--insecure",
        "--ssl-reqd",
        "--crlf",
        "--url",
        `smtp://127.0.0.1:${port}`,
      ],
      ...["--user", `any:${key}`, "--mail-from", "ada@example.test", "--mail-rcpt", "bob@example.com"],
      ...["--upload-file", message],
    ],
  },
  {
    name: "msmtp",
    needs: ["msmtp", "--version"],
    command: ({ tlsPort, key }) => [
      ...["msmtp", "--host=127.0.0.1", `--port=${tlsPort}`, "--tls=on", "--tls-starttls=off", "--tls-certcheck=off"],
      ...["--auth=on", "--user=any", `--passwordeval=echo ${key}`, "--from=ada@example.test", "bob@example.com"],
    ],
    input: MESSAGE,
  },
  {
    name: "git send-email",
    needs: [
      "perl",
      "-MNet::SMTP",
      "-MIO::Socket::SSL",
      "-MAuthen::SASL",
      "-MMail::Address",
      "-e",
      "exit !-x '/usr/lib/git-core/git-send-email'",
    ],
    command: ({ port, key }) => [
      ...[
        "sh",
        "-c",
        'git init -q . && exec git send-email "$@"',
        "git",
        "--smtp-server=127.0.0.1",
        `--smtp-server-port=${port}`,
        "--smtp-encryption=tls",
      ],
      ...["--smtp-ssl-cert-path", "", "--smtp-user=any", `--smtp-pass=${key}`, "--from=Ada <ada@example.test>"],
      ...["--to=bob@example.com", "--suppress-cc=all", "--confirm=never", "--quiet", join(folder, "0001.patch")],
    ],
  },
  {
    name: "Python's smtplib",
    needs: ["python3", "-c", "import smtplib, ssl"],
    command: ({ port, key }) => ["python3", "-c", PYTHON, String(port), key],
  },
];

for (const { name, needs, command, input } of PROGRAMS) {
  const isHere = Bun.which(needs[0] ?? "") !== null && Bun.spawnSync([...needs]).exitCode === 0;
  test.skipIf(!isHere)(`${name}${isHere ? "" : " (it is not installed here)"}`, async () => {
    const { posthorn, ports } = open;
    const message = join(folder, "message.eml");
    writeFileSync(message, MESSAGE);
    writeFileSync(join(folder, "0001.patch"), PATCH);
    const place = { port: ports.starttls, tlsPort: ports.tls, key: posthorn.keys.secret, message };
    const child = Bun.spawn([...command(place)], {
      ...{ cwd: folder, stdout: "pipe", stderr: "pipe" },
      stdin: input === undefined ? "ignore" : Buffer.from(input),
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, LC_ALL: "C.UTF-8", EMAIL: "ada@example.test" },
    });
    const said = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text());
    expect([await child.exited, said]).toEqual([0, expect.any(String)]);
    await expectArrived();
  });
}

test("nodemailer", async () => {
  const { posthorn, ports } = open;
  const transport = nodemailer.createTransport({
    ...{ host: "127.0.0.1", port: ports.starttls, requireTLS: true, pool: true },
    auth: { user: "any", pass: posthorn.keys.secret },
    tls: { rejectUnauthorized: false },
  });
  const { response } = await transport.sendMail({
    ...{ from: "Ada <ada@example.test>", to: "bob@example.com", subject: "Grüße", text: ".Grüße von hier\n" },
  });
  transport.close();
  expect(response).toStartWith("250 2.6.0 Queued as ");
  await expectArrived();
});

/**
 * One mail has left, and says what was meant. Message-IDs of all programs are the same to us: forgotten between them.
 */
async function expectArrived(): Promise<void> {
  const { posthorn } = open;
  await posthorn.settle();
  const sent = posthorn.transport.sent.splice(0);
  await posthorn.store.write((tx) => tx.run`delete from idempotency_keys`);
  expect(sent.map(({ envelope }) => envelope.recipient)).toEqual(["bob@example.com"]);
  const { from, subject, text } = await simpleParser(sent[0]?.raw ?? Buffer.of());
  expect(from?.value[0]).toMatchObject({ address: "ada@example.test", name: "Ada" });
  expect(subject).toEndWith("Grüße");
  expect(text).toStartWith(".Grüße von hier");
}
