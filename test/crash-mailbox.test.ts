// A server that is killed between taking a message out of a bounce mailbox and moving it takes it once, and moves it
// later.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServerProcess } from "./crash/server-process.ts";
import { MailboxServer } from "./support/mailbox-server.ts";
import { LETTER } from "./support/outside.ts";

const CERTIFICATE = new URL("./support/certificates/localhost.cert.pem", import.meta.url).pathname;

test("what was taken is taken once, though the server is killed before it is moved", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "posthorn-crash-"));
  await using mailbox = await MailboxServer.start();
  const file = join(dataDir, "mailbox.toml");
  const login = `host = "localhost"\nport = ${mailbox.port}\nca_file = "${CERTIFICATE}"\nuser = "help@example.test"\npassword = "p"`;
  writeFileSync(file, `[[bounce_mailbox]]\nname = "office"\nas_inbound = true\n${login}\n`);
  const settings = { POSTHORN_CONFIG: file, POSTHORN_DNS_SERVERS: "127.0.0.1:9" };
  const idles = () => new Promise<void>((resolve) => (mailbox.onIdle = resolve));
  const isIdle = idles();
  const server = await ServerProcess.start({ dataDir, relayPort: 1, run: 0, settings });
  await isIdle;
  const moves = Promise.withResolvers<void>();
  mailbox.instead = (command) => {
    if (!command.startsWith("UID MOVE")) return null;
    moves.resolve();
    // No answer comes.
    return "* OK not yet";
  };
  mailbox.deliver(LETTER);
  await moves.promise;
  await server.kill();
  mailbox.instead = () => null;
  const isIdleAgain = idles();
  const again = await ServerProcess.start({ dataDir, relayPort: 1, run: 1, settings });
  await isIdleAgain;
  expect((await again.stop()).exitCode).toBe(0);
  expect([mailbox.subjects(), mailbox.subjects("Posthorn")]).toEqual([[], ["Hello"]]);
  const database = new Database(join(dataDir, "posthorn.db"), { readonly: true });
  expect(database.query("select count(*) as count from messages").get()).toEqual({ count: 1 });
  database.close();
  rmSync(dataDir, { recursive: true });
});
