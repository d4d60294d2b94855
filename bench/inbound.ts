// `bun bench/inbound.ts`: email from outside: how many mails are stored, authenticated, read and emitted in a second;
// how long others wait.
//
// Beside it, by turns, Postfix, which hands what it has taken to `discard`, while we authenticate it, read it and keep
// it.
import { generateKeyPairSync } from "node:crypto";
import { connect } from "node:net";
import { sign } from "../src/sending/carrier/message/dkim.ts";
import type { Bench } from "./support/bench.ts";
import { Child } from "./support/child.ts";
import { cpuSeconds } from "./support/in-turn.ts";
import { probed } from "./support/health-probe.ts";
import { besidePostfix, p50Of, POSTFIX_OPTION, postfixIn, timed, type Pass } from "./support/postfix-beside.ts";
import { BenchNameServer } from "./support/name-server.ts";
import type { Figure } from "./support/report.ts";
import { runBench } from "./support/run-bench.ts";
import { freePort, ServerProcess } from "./support/server-process.ts";
import type { SmtpResult, SmtpTask } from "./support/smtp-load.ts";
import { median } from "./support/statistics.ts";

const KEYS = generateKeyPairSync("rsa", { modulusLength: 2048 });
const FROM = "ada@elsewhere.test";
const SESSIONS = 20;
const MAIL_BYTES = 7_680;
const LEAST_A_SECOND = 600;
/** How soon a mail is answered, whatever becomes of it then. */
const ANSWERED: readonly { readonly sessions: number; readonly timesPostfix?: number }[] = [
  { sessions: 1, timesPostfix: 1.1 },
  { sessions: 10 },
  { sessions: 50 },
];
const P50_MS = 1;
const WARM_UP_MAILS = 500;
const LARGE_BYTES = 10 * 1024 * 1024;
const LARGE_MAILS = 5;
const LONGEST_STALL_MS = 50;
const IDLE = 1_000;
const LOOK_AGAIN_MS = 20;

/** What elsewhere.test publishes: all three checks pass. */
const RECORDS = {
  "elsewhere.test": "v=spf1 ip4:127.0.0.0/8 -all",
  "key._domainkey.elsewhere.test": `v=DKIM1; k=rsa; p=${KEYS.publicKey.export({ type: "spki", format: "der" }).toString("base64")}`,
  "_dmarc.elsewhere.test": "v=DMARC1; p=reject",
};

async function letterOf(bytes: number): Promise<SmtpTask["letter"]> {
  const header = `From: Ada <${FROM}>\r\nTo: help@example.test\r\nSubject: A question\r\nContent-Type: text/html\r\n\r\n`;
  const line = `<p>${"Where is my parcel? ".repeat(3).trim()}</p>\r\n`;
  const raw = Buffer.from(header + line.repeat(Math.ceil((bytes - header.length) / line.length)));
  const privateKeyPem = KEYS.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const signed = await sign(raw, { domain: "elsewhere.test", selector: "key", privateKeyPem }, Date.now());
  return { from: FROM, domain: "example.test", text: signed.toString("latin1") };
}

async function figures({ command, dir, passes, seconds }: Bench, usr?: string): Promise<Figure[]> {
  const port = await freePort();
  await using names = await BenchNameServer.start(RECORDS);
  await using server = await ServerProcess.start(command, dir, {
    POSTHORN_SMTP_INBOUND_PORT: String(port),
    POSTHORN_SMTP_CONNECTIONS_PER_ADDRESS: "5000",
    POSTHORN_LIMITS_INBOUND_PER_MINUTE: "0",
    POSTHORN_DNS_SERVERS: names.address,
  });
  await using load = new Child("smtp-load.ts");
  const ourCpuSeconds = () => cpuSeconds(server);
  const told = () => server.mails("RECEIVED");
  const letter = await letterOf(MAIL_BYTES);
  const common = { port, key: null, seconds, mailBytes: MAIL_BYTES, ...(letter ? { letter } : {}) };
  const bring = (task: Partial<SmtpTask>) =>
    load.ask<SmtpResult>({ ...common, sessions: SESSIONS, ...task } satisfies SmtpTask);
  const allTold = async (count: number) => {
    while ((await told()) < count) await Bun.sleep(LOOK_AGAIN_MS);
  };
  /** Answers when all of them have been read, too. */
  const bringAll = async (task: Partial<SmtpTask>) => {
    const before = await told();
    const result = await bring(task);
    await allTold(before + result.mails);
    return result;
  };
  await bringAll({ mails: WARM_UP_MAILS });
  const rates: number[] = [];
  const waits: number[] = [];
  for (let pass = 0; pass < passes; pass++) {
    const before = await told();
    const startedMs = performance.now();
    const { latencyMs, mails } = await bring({});
    await allTold(before + mails);
    rates.push(((await told()) - before) / ((performance.now() - startedMs) / 1000));
    waits.push(latencyMs.p99);
  }
  await using postfix = await postfixIn(dir, "reads and discards them", usr);
  const answered: Figure[] = [];
  for (const { sessions, timesPostfix } of ANSWERED) {
    const ours: Pass[] = [];
    const peers: Pass[] = [];
    for (let pass = 0; pass < passes; pass++) {
      ours.push(await timed(ourCpuSeconds, () => bringAll({ sessions })));
      if (postfix) peers.push(await timed(postfix.cpuSeconds, () => bring({ sessions, port: postfix.port })));
    }
    if (sessions === 1)
      answered.push({ name: "p50 of a mail, 1 session", unit: "ms", ours: p50Of(ours), goal: { atMost: P50_MS } });
    if (postfix) answered.push(...besidePostfix(sessions, ours, peers, timesPostfix));
  }
  const large = await letterOf(LARGE_BYTES);
  const before = await told();
  const { delayMs } = await probed(server.url, async () => {
    await bring({ sessions: 1, mails: LARGE_MAILS, ...(large ? { letter: large } : {}) });
    await allTold(before + LARGE_MAILS);
  });
  const alone = await bring({ sessions: 1, mails: 300 });
  const idle = await Promise.all(Array.from({ length: IDLE }, () => connected(port)));
  const among = await bring({ sessions: 1, mails: 300 });
  idle.forEach((socket) => socket.destroy());
  return [
    {
      name: `stored, authenticated, read, emitted: ${MAIL_BYTES} bytes, ${SESSIONS} sessions`,
      unit: "mails/s",
      ours: median(rates),
      goal: { atLeast: LEAST_A_SECOND },
      note: `250 after p99 ${median(waits).toFixed(1)} ms`,
    },
    ...answered,
    {
      name: `longest wait of others, ${LARGE_MAILS} mails of 10 MB`,
      unit: "ms",
      ours: delayMs.max,
      goal: { atMost: LONGEST_STALL_MS },
      note: `p99 ${delayMs.p99.toFixed(1)} ms`,
    },
    {
      name: `p99 of a mail among ${IDLE} idle connections, to that alone`,
      unit: "times",
      ours: among.latencyMs.p99 / alone.latencyMs.p99,
      goal: { atMost: 2 },
    },
    { name: "memory, peak", unit: "MB", ours: server.memory.peakMb },
  ];
}

function connected(port: number): Promise<ReturnType<typeof connect>> {
  const socket = connect({ port, host: "127.0.0.1" });
  return new Promise((done, fail) => socket.on("error", fail).once("data", () => done(socket)));
}

await runBench({
  options: { quick: { help: "one short pass" }, postfix: POSTFIX_OPTION },
  measure: (ground, { quick, postfix }) =>
    figures({ ...ground, ...(quick ? { passes: 1, seconds: 2 } : { passes: 5, seconds: 4 }) }, postfix),
});
