// The server that is fuzzed, with something of everything in it, and the judge of what it does with a case.
import { columnsOf } from "../../src/audience/csv/columns.ts";
import { readRow } from "../../src/audience/csv/row.ts";
import { CsvReader, type CsvRecord } from "../../src/audience/csv/syntax.ts";
import { AppError } from "../../src/base/errors.ts";
import { readNotice } from "../../src/mail/inbound/bounces/notice.ts";
import { authorsOf, withFewSignatures } from "../../src/mail/inbound/reading/header.ts";
import { headersOf } from "../../src/mail/inbound/reading/header-fields.ts";
import { readContents } from "../../src/mail/inbound/reading/contents.ts";
import { readText } from "../../src/mail/inbound/reading/text.ts";
import { news } from "../support/campaigns.ts";
import { expectDocumented } from "../support/documented.ts";
import { startHouse, type House } from "../support/outside.ts";
import { openSession } from "../../src/operator/team/session/session.ts";
import { createUser } from "../../src/operator/team/user.ts";
import { patiently, somebody, Somebody } from "../support/people.ts";
import type { Json, Reply } from "../support/posthorn.ts";
import { ask, expectRefusal } from "../support/scenario.ts";
import { Amazon, signed, TOPIC } from "../support/sns.ts";
import type { RequestCase } from "./requests.ts";
import { talk } from "./smtp.ts";
import type { TextCase } from "./texts.ts";

export type Case = RequestCase | TextCase;

/** Answers of 503 that say how things are: a notice is to come again, the server is not ready yet. */
const MEANT: ReadonlySet<string> = new Set(["NOTICE_EARLY", "NOT_READY"]);
const ID = /"(?:id|[a-z]+Id)":"([0-9a-f-]{36})"/g;

export class FuzzedHouse implements AsyncDisposable {
  #ids: string[] = [];
  /** By the first word of their path. */
  readonly #idsOf = new Map<string, string[]>();
  #entries = 0;
  document: Json = null;

  private constructor(
    private readonly house: House,
    private person: Somebody,
  ) {}

  static async open(): Promise<FuzzedHouse> {
    const config = { limits: { requestsPerMinute: 0 }, ses: { topics: [TOPIC] } };
    const lookUp = () => Promise.reject(new Error("Nobody is called."));
    const house = await startHouse({ config, lookUp, fetchText: new Amazon().fetchText });
    const opened = new FuzzedHouse(house, await somebody(house.posthorn, "OWNER"));
    await opened.#furnish();
    return opened;
  }

  /** @throws Error that says what was wrong with the answer */
  async play(one: Case): Promise<void> {
    if (one.kind === "request") return this.#request(one);
    if (one.kind === "smtp") return talk(this.house.port, Buffer.from(one.text, "latin1"));
    const raw = Buffer.from(one.text, "latin1");
    if (one.kind === "mail") return readMail(raw);
    if (one.kind === "notice") return void (await readNotice(new Uint8Array(raw)));
    return one.kind === "csv" ? readCsv(one.text) : this.#notify(one.text);
  }

  /** What the cases have left behind is worked off. */
  async settle(): Promise<void> {
    await this.house.posthorn.settle();
    const failed = this.house.posthorn.logLines.filter((line) => /a request failed|a batch failed/.test(line));
    if (failed.length > 0) throw new Error(failed[0]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.house.posthorn[Symbol.asyncDispose]();
  }

  async #request({ method, path, as, headers, body }: RequestCase): Promise<void> {
    const { posthorn } = this.house;
    const filled = this.#pathOf(method, path);
    const request = new Request(posthorn.server.url + filled, {
      ...{ method, redirect: "manual" },
      headers: { "content-type": "application/json", ...this.#credentials(as), ...headers },
      ...(body === null || method === "GET" ? {} : { body: this.#filled(body) }),
    });
    const answered = posthorn.server.answer(request).then(replyOf);
    const reply = await patiently(posthorn, answered);
    await this.#judge(method, new URL(request.url).pathname, reply);
    // Signed out by a case before: the next ones are somebody again.
    if (as === "person" && reply.status === 401) await this.#signInAgain();
  }

  async #signInAgain(): Promise<void> {
    const email = `owner${++this.#entries}@example.com`;
    const token = await this.house.posthorn.store.write(async (tx) => {
      const { seq } = await createUser(tx, { email, name: "Owner", isOwner: true });
      return openSession(tx, seq, "a browser");
    });
    this.person = new Somebody(this.house.posthorn, `posthorn=${token}`, this.person.workspace);
  }

  async #judge(method: string, path: string, reply: Reply): Promise<void> {
    if (reply.status >= 500 && !MEANT.has(reply.body?.error?.code))
      throw new Error(`${reply.status}: ${JSON.stringify(reply.body)}`);
    await expectDocumented(this.house.posthorn.server.url, method, path, reply);
    if (reply.status >= 400 && typeof reply.body === "object") expectRefusal(reply);
  }

  /** Mostly ids of what the path is about. The workspace itself stays, or nothing would be left to ask for. */
  #pathOf(method: string, path: string): string {
    const first = path.split(/[/?]/)[1] ?? "";
    const isEnd = method === "DELETE" && first === "workspaces";
    const own = this.#idsOf.get(isEnd ? "emails" : first) ?? this.#ids;
    const ids = (number: number) => (number % 5 === 0 && !isEnd ? this.#ids : own);
    return path.replace(/\$(\d+)/g, (_, number) => idAt(ids(Number(number)), Number(number)));
  }

  #credentials(as: RequestCase["as"]): Record<string, string> {
    if (as === "key") return { authorization: `Bearer ${this.house.posthorn.keys.secret}` };
    const own = { "sec-fetch-site": "same-origin" };
    return as === "nobody" ? own : { ...own, cookie: this.person.cookie, "x-workspace": this.person.workspace };
  }

  #filled(body: string): string {
    return body.replace(/"\$(\d)"/g, (_, number) => `"${idAt(this.#ids, Number(number))}"`);
  }

  async #notify(text: string): Promise<void> {
    const { posthorn } = this.house;
    const body = JSON.stringify(signed({ Message: text.toWellFormed() }));
    const request = new Request(`${posthorn.server.url}/webhooks/ses`, {
      method: "POST",
      body,
      headers: { "content-type": "text/plain" },
    });
    await this.#judge("POST", "/webhooks/ses", await posthorn.server.answer(request).then(replyOf));
  }

  async #furnish(): Promise<void> {
    const { posthorn } = this.house;
    const keep = (path: string, { body }: Reply) => {
      const ids = [...JSON.stringify(body).matchAll(ID)].map(([, id]) => id as string);
      this.#ids = [...new Set([...this.#ids, ...ids])];
      this.#idsOf.set(path, [...new Set([...(this.#idsOf.get(path) ?? []), ...ids])]);
    };
    const make = async (route: string, body: object) =>
      keep(route.split("/")[1] ?? "", await ask(posthorn, route, { body }));
    await make("POST /contacts", { email: "ada@example.com", data: { plan: "pro" } });
    await make("POST /templates", {
      name: "T",
      subject: "Hi",
      body: "<p>Hi</p>",
      type: "MARKETING",
      from: "hello@example.test",
    });
    await make("POST /segments", {
      name: "S",
      condition: { groups: [{ filters: [{ field: "plan", operator: "equals", value: "pro" }] }] },
    });
    await make("POST /workflows", {
      name: "W",
      eventName: "signup",
      enabled: true,
      steps: [{ type: "DELAY", name: "D", config: { amount: 1, unit: "hours" } }],
    });
    await make("POST /campaigns", news);
    await make("POST /v1/send", {
      to: "ada@example.com",
      from: "hello@example.test",
      subject: "Hi",
      body: "<p>Hi</p>",
    });
    await make("POST /v1/track", { email: "ada@example.com", event: "signup" });
    await posthorn.settle();
    for (const path of ["emails", "members", "domains", "users", "workspaces"])
      keep(path, await this.person.ask(`GET /${path}`));
    this.document = (await ask(posthorn, "GET /openapi.json", { key: "none" })).body;
  }
}

function idAt(ids: readonly string[], number: number): string {
  return ids[number % ids.length] as string;
}

/** An answer without end is not waited for. */
async function replyOf(response: Response): Promise<Reply> {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) await response.body?.cancel();
  const text = type.startsWith("text/event-stream") ? "" : await response.text();
  const body = type.includes("application/json") ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body };
}

async function readMail(raw: Buffer): Promise<void> {
  headersOf(raw);
  authorsOf(raw);
  withFewSignatures(raw);
  await readText(raw);
  await readContents(raw);
}

/** Whole or in pieces, a file says the same. */
function readCsv(text: string): void {
  const [whole, pieces] = [recordsOf([text]), recordsOf(text.match(/[^]{1,3}/g) ?? [])];
  if (JSON.stringify(whole) !== JSON.stringify(pieces)) throw new Error("In pieces the file says something else.");
  const [head, ...rows] = whole ?? [];
  if (!head) return;
  try {
    const columns = columnsOf(head.cells);
    rows.forEach((row) => readRow(columns, row));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/** Null = refused. */
function recordsOf(pieces: readonly string[]): CsvRecord[] | null {
  const reader = new CsvReader();
  try {
    return [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.end()];
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
