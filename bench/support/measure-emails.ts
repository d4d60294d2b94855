// Lists of mails over HTTP: saved views, filters, their common pairs, and searches; the first page of each, and pages
// far down. And the numbers that open such lists.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { Child } from "./child.ts";
import { CAMPAIGN, stockEmails, TEMPLATES, WORKFLOW, type Stock } from "./emails-stock.ts";
import { stockNumbers } from "./numbers-stock.ts";
import type { RepeatResult, RepeatTask } from "./repeat.ts";
import type { Figure } from "./report.ts";
import { prepareInstallation, ServerProcess, UNLIMITED, type Environment } from "./server-process.ts";
import { cursorOf } from "../../src/store/page.ts";

const CONNECTIONS = 4;
const DAY_MS = 24 * 60 * 60 * 1000;
const COMMON = 20;
/** What no index decides: a bounded number of mails is looked at. */
const SELDOM = 400;
/** Answered as "about" where it would take longer; for one who asks, as others wait their turn. */
const NUMBERS = 300;

type Asked = { readonly count: number; readonly database: string | null; readonly only: string };

/** `database`: of PostgreSQL, and empty; null = SQLite. */
export async function measureEmails(bench: Bench, { count, database, only }: Asked): Promise<Figure[]> {
  const dir = join(bench.dir, "emails");
  await prepareInstallation(bench.command, dir);
  const nowMs = Date.now();
  const stock = stockEmails(dir, count, nowMs);
  stockNumbers(dir, nowMs);
  const env = database === null ? UNLIMITED : await moved(bench, dir, database);
  await using server = await ServerProcess.start(bench.command, dir, env);
  await using client = new Child("repeat.ts");
  const figures: Figure[] = [];
  const all = [...lists(count, nowMs, stock), ...numbers(nowMs)];
  for (const [name, query, goal] of all.filter(([name]) => name.startsWith(only))) {
    const path = query.startsWith("/") ? query : `/emails?limit=50${query}`;
    const found = await lengthOf(server, path);
    const { latencyMs, perSecond } = await client.ask<RepeatResult>({
      url: server.url,
      connections: goal === NUMBERS ? 1 : CONNECTIONS,
      seconds: bench.seconds,
      requests: [requestOf(server, path)],
    } satisfies RepeatTask);
    const note = `${found}; p50 ${latencyMs.p50.toFixed(1)}, ${Math.round(perSecond)} a second`;
    figures.push({ name: `${name}: p99`, unit: "ms", ours: latencyMs.p99, goal: { atMost: goal }, note });
  }
  return [...figures, { name: "memory: peak", unit: "MB", ours: server.memory.peakMb }];
}

/** As an operator moves an installation. @throws Error if it cannot be moved there */
async function moved({ command }: Bench, dir: string, database: string): Promise<Environment> {
  const move = ["migrate-store", "--from", join(dir, "posthorn.db"), "--to", database];
  const child = Bun.spawn([...command, ...move], { cwd: dir, stdout: "ignore", stderr: "inherit" });
  if ((await child.exited) !== 0) throw new Error("The mails were not moved to PostgreSQL.");
  const key = readFileSync(join(dir, "secret.key"), "utf8").trim();
  return { ...UNLIMITED, POSTHORN_DATABASE_URL: database, POSTHORN_SECRETS_KEY: key };
}

type List = readonly [name: string, query: string, atMostMs: number];

function lists(count: number, nowMs: number, { contactId, emailId, address }: Stock): readonly List[] {
  const middle = `&cursor=${cursorOf("emails", count / 2)}`;
  const ago = (days: number) => new Date(nowMs - days * DAY_MS).toISOString();
  return [
    ["newest", "", COMMON],
    ["middle", middle, COMMON],
    ["FAILED", "&status=FAILED", COMMON],
    ["FAILED, middle", `&status=FAILED${middle}`, COMMON],
    ["BOUNCED", "&status=BOUNCED", COMMON],
    ["RECEIVED", "&status=RECEIVED", COMMON],
    ["held", "&held=true", COMMON],
    ["queued", "&status=QUEUED&held=false", COMMON],
    ["SENT, DELIVERED", "&status=SENT,DELIVERED", COMMON],
    ["a contact", `&contactId=${contactId}`, COMMON],
    ["a contact, FAILED", `&contactId=${contactId}&status=FAILED`, COMMON],
    ["a campaign", `&campaignId=${CAMPAIGN}`, COMMON],
    ["a campaign, FAILED", `&campaignId=${CAMPAIGN}&status=FAILED`, COMMON],
    ["a campaign, SENT", `&campaignId=${CAMPAIGN}&status=SENT`, COMMON],
    ["a workflow", `&workflowId=${WORKFLOW}`, COMMON],
    ["a workflow, FAILED", `&workflowId=${WORKFLOW}&status=FAILED`, SELDOM],
    ["a template", `&templateId=${TEMPLATES.usual}`, COMMON],
    ["a template that is used seldom", `&templateId=${TEMPLATES.seldom}`, COMMON],
    ["opened", "&happened=opened", COMMON],
    ["opened on a day long ago", `&happened=opened&since=${ago(60)}&until=${ago(59)}`, COMMON],
    ["opened, from a domain that no mail is from", "&happened=opened&domain=example.com", SELDOM],
    ["delivered on a day long ago", `&happened=delivered&since=${ago(60)}&until=${ago(59)}`, COMMON],
    ["of workflows", "&sourceType=WORKFLOW", COMMON],
    ["transactional", "&sourceType=TRANSACTIONAL", COMMON],
    ["a domain", "&domain=example.test", COMMON],
    ["a domain that no mail is from", "&domain=example.com", SELDOM],
    ["a day long ago", `&since=${ago(60)}&until=${ago(59)}`, COMMON],
    ["FAILED in a week", `&status=FAILED&since=${ago(60)}&until=${ago(53)}`, COMMON],
    ["search: an address", `&search=${address}`, COMMON],
    ["search: the beginning of many addresses", "&search=person.1", COMMON],
    ["search: an id", `&search=${emailId}`, COMMON],
    ["search: a Message-ID", `&search=${emailId}@example.test`, COMMON],
    ["search: a request", "&search=order-1234", COMMON],
    ["search: a word of many subjects", "&search=order", COMMON],
    ["search: a word of no subject", "&search=zebra", SELDOM],
    ["a mail with its timeline", `/emails/${emailId}`, COMMON],
  ];
}

function numbers(nowMs: number): readonly List[] {
  const since = (days: number) => `from=${new Date(nowMs - days * DAY_MS).toISOString()}&timeZone=Europe/Berlin`;
  const apart = ["template", "campaign", "provider", "domain"] as const;
  return [
    ["links of a campaign", `/campaigns/${CAMPAIGN}/links`, NUMBERS],
    ["course of a campaign", `/campaigns/${CAMPAIGN}/series`, NUMBERS],
    ["statistics of 90 days", `/statistics/mails?${since(90)}`, NUMBERS],
    ...[7, 30, 90].flatMap((days) =>
      apart.map((by): List => [
        `statistics of ${days} days by ${by}`,
        `/statistics/mails?${since(days)}&by=${by}`,
        NUMBERS,
      ]),
    ),
  ];
}

function requestOf({ url, key }: ServerProcess, path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

/** @throws Error if it is refused: such a run is void */
async function lengthOf({ url, key }: ServerProcess, path: string): Promise<string> {
  const reply = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  const { data, hasMore } = (await reply.json()) as { data?: unknown; hasMore?: boolean };
  return Array.isArray(data) ? `${data.length} mails${hasMore ? " and more" : ""}` : "one answer";
}
