// The whole way with nothing swapped: HTTP, store, carrying thread, a TLS relay that wants a login, a verified
// signature.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { dkimVerify } from "mailauth/lib/dkim/verify";
import { simpleParser } from "mailparser";
import { prepareFirstStart } from "../../src/whole/cli/serve/first-start.ts";
import { DEFAULTS, type Config } from "../../src/base/config.ts";
import { makeDkimKey } from "../../src/tenant/domains/dkim-key.ts";
import { createLog } from "../../src/base/log.ts";
import { loadSecrets } from "../../src/base/secrets.ts";
import { startServer } from "../../src/whole/server.ts";
import { dkimRecord } from "../../src/tenant/domains/dns-records.ts";
import { keysOfDomains, type DomainKey } from "../../src/tenant/domains/key-queries.ts";
import { addDomain, takeAsVerified } from "../../src/tenant/domains/domain.ts";
import { findWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { systemClock } from "../../src/base/clock.ts";
import { freshDatabase, freshDirectory } from "../support/database.ts";
import { certificatePem, startRelay } from "../support/relay.ts";

const LOGIN = { user: "posthorn", password: "correct horse" };
const log = createLog({ level: "error", format: "text", clock: systemClock, write: () => {} });

test.each(["starttls", "implicit"] as const)(
  "a mail reaches a relay over %s with a login, signed as the printed DNS record says (slow)",
  async (tls) => {
    const directory = freshDirectory();
    const database = await freshDatabase();
    const caFile = join(directory.path, "ca.pem");
    writeFileSync(caFile, certificatePem());
    const relay = await startRelay({ tls, login: LOGIN });
    const config: Config = {
      ...DEFAULTS,
      http: { ...DEFAULTS.http, port: 0, baseUrl: "https://mail.example.com" },
      data: { dir: directory.path },
      database: { url: database.url, connections: 4 },
      delivery: { ...DEFAULTS.delivery, transport: "smtp", returnPathDomain: "bounces.example.com" },
      relay: { ...DEFAULTS.relay, ...LOGIN, host: "127.0.0.1", port: relay.port, tls, caFile },
    };
    const server = await startServer(config, { log });
    const secrets = loadSecrets(null, directory.path);
    const first = await prepareFirstStart(server.store, secrets, "capture");
    const keyPair = await makeDkimKey();
    const domain = await server.store.write(async (tx) => {
      const { seq } = await findWorkspace(tx, "default");
      const added = await addDomain(tx, secrets, seq, { domain: "shop.example", keyPair });
      await takeAsVerified(tx, added);
      return added;
    });

    const [key] = await server.store.read((reader) => keysOfDomains(reader, [domain.seq]));

    const reply = await fetch(`${server.url}/v1/send`, {
      method: "POST",
      headers: { authorization: `Bearer ${first?.keys.secret}`, "content-type": "application/json" },
      body: JSON.stringify({
        to: { name: "Ada Lovelace", email: "ada@example.com" },
        from: "Büro <news@shop.example>",
        subject: "Grüße, {{ name }}",
        body: '<p>Hallo {{ name }} <img src="cid:logo"></p>',
        attachments: [
          {
            filename: "logo.png",
            content: "iVBORw0KGgo=",
            contentType: "image/png",
            disposition: "inline",
            contentId: "logo",
          },
          {
            filename: "Rechnung März.pdf",
            content: Buffer.from("%PDF-").toString("base64"),
            contentType: "application/pdf",
          },
        ],
      }),
    });
    expect(reply.status).toBe(200);
    await relay.received(1);

    const [mail] = relay.mails;
    expect(mail).toMatchObject({ secure: true, user: LOGIN.user, envelope: { to: ["ada@example.com"] } });
    expect(mail?.envelope.from).toMatch(/^b\+[a-z2-7]{34}@bounces\.example\.com$/);
    const published = dkimRecord("shop.example", key as DomainKey);
    const resolver = async (name: string) => (name === published.name ? [[published.value]] : []);
    const { results } = await dkimVerify(mail?.raw as Buffer, { resolver });
    expect(results.map(({ status, signingDomain }) => [status.result, signingDomain])).toEqual([
      ["pass", "shop.example"],
    ]);
    const parsed = await simpleParser(mail?.raw as Buffer);
    expect(parsed).toMatchObject({
      subject: "Grüße, Ada Lovelace",
      text: expect.stringContaining("Hallo Ada Lovelace"),
    });
    expect(parsed.attachments.map((attachment) => attachment.filename).sort()).toEqual([
      "Rechnung März.pdf",
      "logo.png",
    ]);

    await server[Symbol.asyncDispose]();
    await relay.stop();
    directory.remove();
  },
);
