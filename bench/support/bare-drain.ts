// The limit of sending: nodemailer's own pool in a loop, same mail, same sink, signing in its one thread or not at all.
import { createTransport } from "nodemailer";
import { makeDkimKey } from "../../src/tenant/domains/dkim-key.ts";
import { answerTasks } from "./child.ts";
import { HTML, SENDER, SUBJECT, TEXT } from "./letter.ts";

export type BareDrainTask = {
  readonly port: number;
  readonly connections: number;
  readonly signed: boolean;
  readonly warmUpSeconds: number;
  readonly seconds: number;
};

/** Mails in flight for each connection, so that none of them ever waits for the loop. */
const AHEAD = 2;
const key = await makeDkimKey();

async function drain({ port, connections, signed, warmUpSeconds, seconds }: BareDrainTask): Promise<number> {
  const dkim = { domainName: "example.test", keySelector: "bench", privateKey: key.privateKeyPem };
  const pool = {
    pool: true,
    host: "127.0.0.1",
    port,
    ignoreTLS: true,
    maxConnections: connections,
    maxMessages: Infinity,
  } as const;
  const transport = createTransport(signed ? { ...pool, dkim } : pool);
  const fromMs = performance.now() + warmUpSeconds * 1000;
  const untilMs = fromMs + seconds * 1000;
  let sent = 0;
  const keepSending = async (lane: number) => {
    for (let number = 0; performance.now() < untilMs; number++) {
      await transport.sendMail({
        from: SENDER,
        to: `u${number}.${lane}@example.com`,
        subject: SUBJECT,
        html: HTML,
        text: TEXT,
      });
      const nowMs = performance.now();
      if (nowMs >= fromMs && nowMs <= untilMs) sent++;
    }
  };
  await Promise.all(Array.from({ length: connections * AHEAD }, (_, lane) => keepSending(lane)));
  transport.close();
  return sent / seconds;
}

answerTasks(drain);
