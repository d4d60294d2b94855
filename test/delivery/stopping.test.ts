// What a stop does with mails that are on their way out.
import { expect, test } from "bun:test";
import { DEFAULTS } from "../../src/base/config.ts";
import { carriersInThread } from "../../src/sending/carrier/carriers.ts";
import type { Handover } from "../../src/sending/carrier/handover.ts";
import { CLOSING, type HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import { createLog } from "../../src/base/log.ts";
import { loadSecrets } from "../../src/base/secrets.ts";
import { startServer } from "../../src/whole/server.ts";
import { TestClock } from "../support/clock.ts";
import { freshDatabase, freshDirectory } from "../support/database.ts";
import { letter } from "../support/mails.ts";
import { TableResolver } from "../support/resolver.ts";
import { RecordingTransport } from "../support/transport.ts";
import { addFirstWorkspace } from "../support/workspaces.ts";

test("a stop turns a mail away at once that has not begun to leave, and costs it no attempt (slow)", async () => {
  const directory = freshDirectory();
  const { url } = await freshDatabase();
  const logLines: string[] = [];
  const log = createLog({
    level: "info",
    format: "text",
    clock: new TestClock(),
    write: (line) => logLines.push(line),
  });
  const config = {
    ...DEFAULTS,
    http: { ...DEFAULTS.http, port: 0 },
    data: { dir: directory.path },
    database: { url, connections: 4 },
    smtp: { ...DEFAULTS.smtp, submissionPort: 0, submissionsPort: 0, inboundPort: 0 },
  };
  const start = (transport: RecordingTransport) =>
    startServer(config, { transports: { default: transport }, log, resolver: new TableResolver() });

  const [waits, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<HandoverOutcome>()];
  const busy = new RecordingTransport();
  busy.answer = () => (waits.resolve(), closed.promise);
  busy.close = async () => closed.resolve(CLOSING);
  const server = await start(busy);
  const secrets = loadSecrets(null, directory.path);
  const keys = await addFirstWorkspace({ store: server.store, secrets });
  const headers = { authorization: `Bearer ${keys?.secret}`, "content-type": "application/json" };
  await fetch(`${server.url}/v1/send`, { method: "POST", headers, body: JSON.stringify(letter) });
  await waits.promise;
  await server[Symbol.asyncDispose]();
  expect(logLines.filter((line) => /next hop|still in hand/.test(line))).toEqual([]);

  const [sent, left] = [new RecordingTransport(), Promise.withResolvers<void>()];
  sent.answer = () => (left.resolve(), { kind: "accepted", reply: "250 Ok" });
  const next = await start(sent);
  await left.promise;
  await next[Symbol.asyncDispose]();
  const again = await start(new RecordingTransport());
  const reply = await fetch(`${again.url}/emails`, { headers });
  const { data } = (await reply.json()) as { data: { status: string; attempts: number }[] };
  expect(data.map(({ status, attempts }) => [status, attempts])).toEqual([["SENT", 1]]);
  await again[Symbol.asyncDispose]();
  directory.remove();
});

test("a thread that was not needed before the end is not started by a late mail", async () => {
  const carriers = carriersInThread(null as never);
  await carriers.finish();
  expect(await carriers.send({ subject: "Hi" } as Handover, null)).toEqual({ outcome: CLOSING, subject: "Hi" });
});

test("a thread that stops while it is to finish does not keep us from closing (slow)", async () => {
  const carriers = carriersInThread(null as never);
  const sent = carriers.send({ id: "e1", subject: "Hi", attachments: [], raw: null } as unknown as Handover, null);
  const ending = await Promise.allSettled([sent, carriers.finish()]);
  expect(ending.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await carriers.close();
});
