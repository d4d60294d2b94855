// Everything that callers do, each so many times a second, whatever the server can do: sends, events, contacts, lists,
// campaigns, visits.
import { HTML, SENDER } from "./letter.ts";
import type { ServerProcess } from "./server-process.ts";

/** Of each action, so many in ten seconds. */
const IN_TEN_SECONDS = { send: 200, track: 60, contact: 40, list: 30, visit: 60 } as const;
type Action = keyof typeof IN_TEN_SECONDS;

const CAMPAIGN_EVERY_MS = 20_000;
/** All of them are there after a minute and a half. */
const PEOPLE = 400;
/** Each in one of these, for good; a campaign goes to one. */
const GROUPS = 20;
const LISTS = ["/emails?limit=50", "/contacts?limit=50", "/queue", "/statistics/mails", "/events?limit=50"];
/** Beyond so many requests under way the server does not keep up, and the figures would say nothing. */
const MOST_UNDER_WAY = 500;

type Answer = { readonly data?: { readonly id?: string; readonly emails?: readonly { readonly email: string }[] } };

export class MixedLoad {
  /** Of sends, since they were last taken. */
  #tookMs: number[] = [];
  readonly counts: Record<Action | "campaigns", number> = {
    send: 0,
    track: 0,
    contact: 0,
    list: 0,
    visit: 0,
    campaigns: 0,
  };
  readonly #timers: Timer[] = [];
  #marks: string[] = [];
  #underWay = 0;
  #fault: unknown = null;

  constructor(private readonly server: ServerProcess) {
    for (const action of Object.keys(IN_TEN_SECONDS) as Action[])
      this.#every(10_000 / IN_TEN_SECONDS[action], () => this.#do(action, ++this.counts[action]));
    this.#every(CAMPAIGN_EVERY_MS, () => this.#campaign(++this.counts.campaigns));
  }

  /** @throws what went wrong since: such a run is void */
  takeTimes(): number[] {
    if (this.#fault !== null) throw this.#fault;
    const taken = this.#tookMs;
    this.#tookMs = [];
    return taken;
  }

  async end(): Promise<void> {
    this.#timers.forEach((timer) => clearInterval(timer));
    while (this.#underWay > 0) await Bun.sleep(20);
    if (this.#fault !== null) throw this.#fault;
  }

  #every(ms: number, work: () => Promise<unknown>): void {
    const once = async () => {
      if (++this.#underWay > MOST_UNDER_WAY) throw new Error("The server does not keep up.");
      await work();
    };
    const timer = setInterval(
      () =>
        void once()
          .catch((error) => (this.#fault ??= error))
          .finally(() => this.#underWay--),
      ms,
    );
    this.#timers.push(timer);
  }

  #do(action: Action, number: number): Promise<unknown> {
    const email = `person.${number % PEOPLE}@mail.example.com`;
    if (action === "send") return this.#send(email, number);
    if (action === "track") return this.#ask("POST", "/v1/track", { email, event: "bought", data: { number } });
    if (action === "contact")
      return this.#ask("POST", "/contacts", { email, data: { number, group: number % GROUPS } });
    if (action === "list") return this.#ask("GET", LISTS[number % LISTS.length] as string);
    return this.#visit(number);
  }

  async #send(to: string, number: number): Promise<void> {
    const startedMs = performance.now();
    const answer = await this.#ask("POST", "/v1/send", { to, from: SENDER, subject: `Order ${number}`, body: HTML });
    this.#tookMs.push(performance.now() - startedMs);
    const id = answer.data?.emails?.[0]?.email;
    if (number % 50 === 1 && id) await this.#note(id);
  }

  /** What readers open and click. */
  async #note(id: string): Promise<void> {
    const { url, key } = this.server;
    const reply = await fetch(`${url}/emails/${id}/raw`, { headers: { authorization: `Bearer ${key}` } });
    const raw = (await reply.text()).replace(/=\r\n/g, "").replaceAll("=3D", "=");
    const marks = [...raw.matchAll(/:\/\/[\w.:-]+(\/[oc]\/[\w-]+)/g)].map(([, mark]) => mark as string);
    this.#marks = [...this.#marks, ...marks].slice(-100);
  }

  async #visit(number: number): Promise<void> {
    const mark = this.#marks[number % Math.max(1, this.#marks.length)];
    if (mark !== undefined) await (await fetch(this.server.url + mark, { redirect: "manual" })).arrayBuffer();
  }

  async #campaign(number: number): Promise<void> {
    const filter = { field: "group", operator: "equals", value: number % GROUPS };
    const audience = { audienceType: "FILTERED", audienceCondition: { logic: "AND", groups: [{ filters: [filter] }] } };
    const letter = { name: `News ${number}`, subject: "News", body: HTML, from: SENDER, ...audience };
    const { data } = await this.#ask("POST", "/campaigns", letter);
    await this.#ask("POST", `/campaigns/${data?.id}/send`);
  }

  async #ask(method: string, path: string, body?: object): Promise<Answer> {
    const { url, key } = this.server;
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const reply = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return JSON.parse(text) as Answer;
  }
}
