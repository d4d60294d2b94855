// What was answered 250 to another server survives kill -9, and gives one event each.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServerProcess } from "./crash/server-process.ts";
import { freePort } from "./support/free-port.ts";
import { bring, LETTER } from "./support/outside.ts";

const KILLS = 3;
const SENDERS = 8;
const MESSAGES_A_RUN = 40;
const LONGEST_WAIT_MS = 60_000;
/** Some come in several slices. */
const LARGE = `${"x".repeat(70)}\n`.repeat(10_000);

test(`what was answered 250 survives ${KILLS} kills, and each gives one event`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "posthorn-crash-"));
  const port = await freePort();
  const settings = { POSTHORN_SMTP_INBOUND_PORT: String(port), POSTHORN_DNS_SERVERS: "127.0.0.1:9" };
  const accepted = new Set<string>();
  let sent = 0;
  const count = (sql: string): number => {
    using database = new Database(join(dataDir, "posthorn.db"), { readonly: true });
    return (database.query(sql).get() as { count: number }).count;
  };
  for (let run = 0; run <= KILLS; run++) {
    const server = await ServerProcess.start({ dataDir, relayPort: 1, run, settings });
    const wanted = accepted.size + MESSAGES_A_RUN;
    let isOver = false;
    const senders = Array.from({ length: SENDERS }, async () => {
      while (!isOver) {
        const name = `<m${sent++}@elsewhere.test>`;
        const letter = LETTER.replace("<first@elsewhere.test>", name) + (sent % 10 === 0 ? LARGE : "");
        const reply = await bring({ port }, letter).catch(() => "");
        if (reply === "") return;
        expect(reply).toBe("250 2.6.0 Stored");
        accepted.add(name);
        isOver ||= accepted.size >= wanted;
      }
    });
    while (accepted.size < wanted) await Bun.sleep(5);
    if (run < KILLS) await server.kill();
    await Promise.all(senders);
    if (run < KILLS) continue;
    const deadlineMs = performance.now() + LONGEST_WAIT_MS;
    const waiting = () => count("select count(*) as count from messages where due_at is not null");
    while (waiting() > 0 && performance.now() < deadlineMs) await Bun.sleep(20);
    expect((await server.stop()).exitCode).toBe(0);
    expect(server.complaints.filter((line) => !line.includes("certificate"))).toEqual([]);
  }
  const database = new Database(join(dataDir, "posthorn.db"), { readonly: true });
  const told = database
    .query<{ name: string; bytes: number }, []>(
      `select json_extract(json(v.data), '$.messageId') as name,
         (select sum(length(s.bytes)) from message_slices s where s.message = m.seq) as bytes
       from events v join emails e on e.seq = v.email join messages m on m.content = e.content where v.name = 'email.received'`,
    )
    .all();
  database.close();
  expect(count("select count(*) as count from messages where whole = 0 or content is null")).toBe(0);
  rmSync(dataDir, { recursive: true });
  const names = told.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect([...accepted].filter((name) => !names.includes(name))).toEqual([]);
  expect(told.filter(({ bytes }) => bytes > LARGE.length).length).toBeGreaterThan(KILLS);
}, 600_000);
