// Two servers on one PostgreSQL that take mail by SMTP, from programs and from other servers; one of them is killed now
// and then.
import { SQL } from "bun";
import { bring, LETTER } from "../support/outside.ts";
import { dialogue, plainToken } from "../support/smtp-dialogue.ts";
import { freePort } from "../support/free-port.ts";
import { envelope, idsIn } from "../support/submission.ts";
import { Installation } from "./installation.ts";

export type MailPlan = { readonly messages: number; readonly kills: number; readonly seed: number };

export type MailReport = {
  readonly faults: readonly string[];
  /** Answered 250. */
  readonly submitted: number;
  readonly broughtIn: number;
  /** Handed in again, for nobody knew what had become of it. */
  readonly again: number;
};

type Ports = { readonly submission: number; readonly inbound: number };
/** Names of messages, with the ids that they were answered with. */
type Answered = Map<string, string>;

const CLIENTS = 4;
const SHORTEST_RUN_MS = 300;
const LONGEST_RUN_MS = 900;
const REST_MS = 20;

export async function killOneOfTwoDuringMail({ messages, kills, seed }: MailPlan): Promise<MailReport> {
  const ports = await Promise.all([portsOfOne(), portsOfOne()]);
  await using installation = await Installation.set({
    seed,
    ratePerSecond: 0,
    nodes: ports.map((one) => ({ settings: settingsOf(one) })),
  });
  const { secretKey } = installation.address(0);
  const submitted: Answered = new Map();
  const broughtIn: Answered = new Map();
  let again = 0;
  let next = 0;
  const client = async () => {
    for (let number = next++; number < messages; number = next++) {
      const answered = number % 2 === 0 ? submitted : broughtIn;
      const name = `m${number}`;
      while (!answered.has(name)) {
        const { submission, inbound } = ports[installation.random.below(2)] as Ports;
        const port = number % 2 === 0 ? submission : inbound;
        const reply = await (answered === submitted ? handIn(port, secretKey, name) : bringIn(port, name)).catch(
          () => "",
        );
        if (reply.startsWith("250")) answered.set(name, idsIn(reply)[0] ?? "");
        else again++;
        if (!reply.startsWith("250")) await Bun.sleep(REST_MS);
      }
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  for (let kill = 0; kill < kills; kill++) {
    await Bun.sleep(SHORTEST_RUN_MS + installation.random.below(LONGEST_RUN_MS));
    const node = installation.nodes[installation.random.below(2)];
    if (!node) continue;
    await installation.kill(node);
    await installation.startAgain(node);
  }
  await clients;
  await using sql = new SQL(installation.database.url, { max: 1 });
  await installation.until(async () => (await unread(sql)) === 0, "every message was read");
  await installation.drain();
  const told =
    (await sql`select data::json ->> 'messageId' as name from events where name = 'email.received'`) as Named[];
  const mails = (await sql`
    select e.id, c.message_id as name from emails e join contents c on c.seq = e.content
    where e.status <> 'RECEIVED'`) as Mail[];
  const arrived = new Set(installation.sink.arrivals.map(({ id }) => id));
  return {
    faults: [
      ...installation.book.faults.filter((fault) => !fault.includes("a self-signed certificate")),
      ...faultsOf("submitted", submitted, mails),
      ...faultsOf("brought in", broughtIn, told),
      ...mails
        .filter(({ name }) => !arrived.has(name.slice(1, name.indexOf("@"))))
        .map(({ name }) => `${name} never left`),
    ],
    submitted: submitted.size,
    broughtIn: broughtIn.size,
    again,
  };
}

type Named = { readonly name: string; readonly id?: string };
type Mail = Required<Named>;

/**
 * Each is there once, under the id that was answered. What other servers bring twice is two messages, if it was stored
 * twice.
 */
function faultsOf(what: string, answered: Answered, stored: readonly Named[]): string[] {
  return [...answered].flatMap(([name, id]) => {
    const found = stored.filter((one) => one.name === nameOf(name));
    if (found.length === 0) return [`${name}, ${what}, is lost`];
    if (id !== "" && (found.length > 1 || found[0]?.id !== id)) return [`${name} is stored ${found.length} times`];
    return [];
  });
}

async function portsOfOne(): Promise<Ports> {
  return { submission: await freePort(), inbound: await freePort() };
}

function settingsOf({ submission, inbound }: Ports): Record<string, string> {
  return {
    POSTHORN_SMTP_SUBMISSION_PORT: String(submission),
    POSTHORN_SMTP_INBOUND_PORT: String(inbound),
    POSTHORN_SMTP_INSECURE_LOOPBACK: "true",
    POSTHORN_DNS_SERVERS: "127.0.0.1:9",
  };
}

function nameOf(name: string): string {
  return `<${name}@client.test>`;
}

async function handIn(port: number, key: string, name: string): Promise<string> {
  const message = `From: hello@example.test\\r\\nMessage-ID: ${nameOf(name)}\\r\\n\\r\\nHi\\r\\n.\\r\\n`;
  const lines = `${envelope(`${name}@example.com`)}\nC+ ${message}\nS: 250 2.6.0\nC: QUIT\nS: 221`;
  return (await dialogue({ port, words: { token: plainToken(key) } }, lines)).at(-2) ?? "";
}

function bringIn(port: number, name: string): Promise<string> {
  return bring({ port }, LETTER.replace("<first@elsewhere.test>", nameOf(name)));
}

async function unread(sql: SQL): Promise<number> {
  const [row] = await sql`select count(*)::int as count from messages where due_at is not null`;
  return (row as { count: number }).count;
}
