// `bun bench/costs.ts`: what each main operation asks of the database, counted and not timed, so that it is the same on
// every machine. docs/dev/costs.md says why each number is needed, and a test holds them.
import { counted, type Counts } from "./support/counting.ts";
import { bring, LETTER, startHouse } from "../test/support/outside.ts";
import { startPosthorn, type Posthorn } from "../test/support/posthorn.ts";
import { Receiver } from "../test/support/receiver.ts";

const UNLIMITED = { limits: { requestsPerMinute: 0 } };
const ports = new WeakMap<Posthorn, number>();
const receiver = new Receiver();
const FROM = "shop@example.test";
const MAIL = { from: FROM, subject: "Hi", body: "<p>Hello</p>" };
const PEOPLE = 50;
const people = (name: string) => Array.from({ length: PEOPLE }, (_, n) => `${name}${n}@example.com`);

type Operation = {
  /** So many pieces of work; one, unless given. */
  readonly pieces?: number;
  /** What the server talks to, or is talked to by; without it, nobody. */
  readonly start?: () => Promise<Posthorn>;
  readonly prepare?: (posthorn: Posthorn) => Promise<unknown>;
  readonly work: (posthorn: Posthorn) => Promise<unknown>;
};

/** Statuses of answers are part of the work: one that is refused costs something else. */
async function asked(posthorn: Posthorn, route: string, body?: object, key = posthorn.keys.secret): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const [method = "", path] = route.split(" ");
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const reply = await fetch(posthorn.server.url + path, init);
  await reply.arrayBuffer();
  if (!reply.ok) throw new Error(`${route} was answered ${reply.status}`);
}

const known = (posthorn: Posthorn) => asked(posthorn, "POST /contacts", { email: "known@example.com", data: { a: 1 } });
const track = (email: string) => ({ email, event: "visited", data: { plan: "pro" } });
const later = () => ({ ...MAIL, sendAt: "2027-01-01T00:00:00.000Z" });

/** Each on a server of its own, after the same once, so that nothing is prepared or looked up for the first time. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  "send to a new person": {
    prepare: (posthorn) => asked(posthorn, "POST /v1/send", { ...later(), to: "first@example.com" }),
    work: (posthorn) => asked(posthorn, "POST /v1/send", { ...later(), to: "second@example.com" }),
  },
  "send to a known person": {
    prepare: (posthorn) => asked(posthorn, "POST /v1/send", { ...later(), to: "known@example.com" }),
    work: (posthorn) => asked(posthorn, "POST /v1/send", { ...later(), to: "known@example.com" }),
  },
  "send to 50 new people": {
    pieces: PEOPLE,
    prepare: (posthorn) => asked(posthorn, "POST /v1/send", { ...later(), to: people("first") }),
    work: (posthorn) => asked(posthorn, "POST /v1/send", { ...later(), to: people("second") }),
  },
  "track of a new person": {
    prepare: (posthorn) => asked(posthorn, "POST /v1/track", track("first@example.com")),
    work: (posthorn) => asked(posthorn, "POST /v1/track", track("second@example.com")),
  },
  "track of a known person": {
    prepare: (posthorn) => asked(posthorn, "POST /v1/track", track("known@example.com")),
    work: (posthorn) => asked(posthorn, "POST /v1/track", track("known@example.com")),
  },
  "track with the public key": {
    prepare: (posthorn) => asked(posthorn, "POST /v1/track", track("known@example.com"), posthorn.keys.public),
    work: (posthorn) => asked(posthorn, "POST /v1/track", track("known@example.com"), posthorn.keys.public),
  },
  "a new contact": {
    prepare: known,
    work: (posthorn) => asked(posthorn, "POST /contacts", { email: "second@example.com", data: { a: 1 } }),
  },
  "a known contact, with the same data": { prepare: known, work: known },
  "a known contact, with other data": {
    prepare: known,
    work: (posthorn) => asked(posthorn, "POST /contacts", { email: "known@example.com", data: { a: 2 } }),
  },
  "a list of contacts": {
    prepare: (posthorn) => asked(posthorn, "GET /contacts?limit=100"),
    work: (posthorn) => asked(posthorn, "GET /contacts?limit=100"),
  },
  "50 emails sent, to the last sum": {
    pieces: PEOPLE,
    prepare: (posthorn) => asked(posthorn, "POST /v1/send", { ...MAIL, to: people("known") }),
    work: async (posthorn) => {
      await asked(posthorn, "POST /v1/send", { ...MAIL, to: people("known") });
      await posthorn.settle();
    },
  },
  "50 emails that come in": {
    pieces: PEOPLE,
    start: async () => {
      const { posthorn, port } = await startHouse({ config: UNLIMITED });
      ports.set(posthorn, port);
      return posthorn;
    },
    prepare: arrives,
    work: arrives,
  },
  "50 events that an endpoint is told of": {
    pieces: PEOPLE,
    start: () => startPosthorn({ config: { ...UNLIMITED, webhooks: { allow: ["127.0.0.1"] } } }),
    prepare: async (posthorn) => {
      await asked(posthorn, "POST /webhooks", { url: `${receiver.url}/in`, events: ["event.tracked"] });
      await visited(posthorn);
    },
    work: visited,
  },
  "a campaign to 50 people": {
    pieces: PEOPLE,
    prepare: async (posthorn) => {
      for (const email of people("reader")) await asked(posthorn, "POST /contacts", { email });
      await posthorn.settle();
      await runCampaign(posthorn);
    },
    work: runCampaign,
  },
};

async function arrives(posthorn: Posthorn): Promise<void> {
  for (const from of people("writer")) await bring({ port: ports.get(posthorn) ?? 0 }, LETTER, { from });
  await posthorn.settle();
}

async function visited(posthorn: Posthorn): Promise<void> {
  for (let n = 0; n < PEOPLE; n++) await asked(posthorn, "POST /v1/track", track("known@example.com"));
  await posthorn.settle();
}

async function runCampaign(posthorn: Posthorn): Promise<void> {
  const input = { name: "News", subject: "News", body: "<p>News</p>", from: FROM, audienceType: "ALL" };
  const { body } = await posthorn.call("POST /campaigns", input);
  await asked(posthorn, `POST /campaigns/${body.data.id}/send`);
  await posthorn.settle();
}

/** Of one piece of work. */
export async function costOf({ pieces = 1, start, prepare, work }: Operation): Promise<Counts> {
  await using posthorn = await (start?.() ?? startPosthorn({ config: UNLIMITED }));
  await prepare?.(posthorn);
  await posthorn.settle();
  const counts = await counted(() => work(posthorn));
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, rounded(count / pieces)])) as Counts;
}

function rounded(count: number): number {
  return Number(count.toFixed(2));
}

if (import.meta.main) {
  const isJson = process.argv.includes("--json");
  const costs: Record<string, Counts> = {};
  for (const [name, operation] of Object.entries(OPERATIONS)) costs[name] = await costOf(operation);
  if (isJson) console.log(JSON.stringify(costs));
  else {
    console.log("| Operation | Statements | Rows | Entries | Commits | Log bytes | Promises |");
    for (const [name, { statements, rows, entries, commits, logBytes, promises }] of Object.entries(costs))
      console.log(`| ${[name, statements, rows, entries, commits, Math.round(logBytes), promises].join(" | ")} |`);
  }
  process.exit(0);
}
