// What was answered 250 by SMTP survives kill -9, and a message submitted again afterwards is still one mail.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServerProcess } from "./crash/server-process.ts";
import { Sink } from "./crash/sink.ts";
import { seeded } from "./support/seeded.ts";
import { dialogue, plainToken } from "./support/smtp-dialogue.ts";
import { freePort } from "./support/free-port.ts";
import { envelope, idsIn } from "./support/submission.ts";

const KILLS = 3;
const CLIENTS = 8;
const MESSAGES_A_RUN = 40;
const LONGEST_WAIT_MS = 60_000;

test(`what was answered 250 survives ${KILLS} kills, and is one mail however often it was submitted`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "posthorn-crash-"));
  await using sink = await Sink.start(seeded(7));
  const port = await freePort();
  const settings = { POSTHORN_SMTP_SUBMISSION_PORT: String(port), POSTHORN_SMTP_INSECURE_LOOPBACK: "true" };
  const accepted = new Map<string, string>();
  let key = "";
  let again = 0;
  for (let run = 0; run <= KILLS; run++) {
    const server = await ServerProcess.start({ dataDir, relayPort: sink.port, run, settings });
    key ||= server.secretKey ?? "";
    const wanted = accepted.size + MESSAGES_A_RUN;
    let isOver = false;
    const clients = Array.from({ length: CLIENTS }, async (_, place) => {
      // The first message of each run is the last one of the run before: nobody knows what became of it.
      for (let number = countOf(accepted, place); !isOver; number++) {
        const name = `${place}.${number}`;
        const reply = await handIn({ port, key, name }).catch(() => null);
        if (reply === null) return void again++;
        accepted.set(name, idsIn(reply)[0] ?? reply);
        isOver ||= accepted.size >= wanted;
      }
    });
    while (accepted.size < wanted) await Bun.sleep(5);
    if (run < KILLS) await server.kill();
    await Promise.all(clients);
    if (run < KILLS) continue;
    await until(() => new Set(sink.arrivals.map(({ id }) => id)).size >= accepted.size);
    expect((await server.stop()).exitCode).toBe(0);
    expect(server.complaints.filter((line) => !line.includes("certificate"))).toEqual([]);
  }
  const database = new Database(join(dataDir, "posthorn.db"), { readonly: true });
  const mails = database
    .query<{ id: string; message_id: string }, []>(
      "select e.id, c.message_id from emails e join contents c on c.seq = e.content",
    )
    .all();
  database.close();
  rmSync(dataDir, { recursive: true });
  const stored = new Map(mails.map(({ id, message_id: name }) => [name, id]));
  expect(stored.size).toBe(mails.length);
  for (const [name, id] of accepted) expect([name, stored.get(`<${name}@client.test>`)]).toEqual([name, id]);
  expect(new Set(sink.arrivals.map(({ id }) => id)).size).toBe(accepted.size);
  expect(again).toBeGreaterThan(0);
}, 600_000);

type Message = { readonly port: number; readonly key: string; readonly name: string };

async function handIn({ port, key, name }: Message): Promise<string> {
  const words = { token: plainToken(key) };
  const message = `From: hello@example.test\\r\\nMessage-ID: <${name}@client.test>\\r\\n\\r\\nHi\\r\\n.\\r\\n`;
  const replies = await dialogue(
    { port, words },
    `${envelope(`p${name}@example.com`)}\nC+ ${message}\nS: 250 2.6.0\nC: QUIT\nS: 221`,
  );
  return replies.at(-2) ?? "";
}

function countOf(accepted: ReadonlyMap<string, string>, place: number): number {
  return [...accepted.keys()].filter((name) => name.startsWith(`${place}.`)).length;
}

async function until(holds: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + LONGEST_WAIT_MS;
  while (!holds() && performance.now() < deadlineMs) await Bun.sleep(5);
}
