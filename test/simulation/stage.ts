// Where one seed is played: a workspace of its own with segments, workflows and templates, and callers who ask it for
// things.
import type { Json } from "../support/posthorn.ts";
import type { Chance } from "../support/chance.ts";
import { Book } from "./book.ts";
import type { Installation } from "./installation.ts";

/** Null = no answer came: what was asked may have been done. */
export type Answer = { readonly status: number; readonly body: Json } | null;

export const SEGMENTS = [
  { name: "Pro", condition: { logic: "AND", groups: [{ filters: [equals("plan", "pro")] }] } },
  { name: "Readers", condition: { logic: "AND", groups: [{ filters: [equals("subscribed", true)] }] } },
  {
    name: "Lately",
    condition: {
      logic: "OR",
      groups: [{ filters: [{ field: "event.bought", operator: "triggeredWithin", value: 2, unit: "days" }] }],
    },
  },
] as const;

function equals(field: string, value: string | boolean) {
  return { field, operator: "equals", value };
}

export class Stage {
  readonly book = new Book();
  readonly campaigns: string[] = [];
  readonly segments: string[] = [];
  workspace = 0;
  templates: { readonly marketing: string; readonly plain: string } = { marketing: "", plain: "" };
  #key = "";

  constructor(
    readonly installation: Installation,
    readonly chance: Chance,
    readonly name: string,
  ) {}

  get sender(): string {
    return `hello@${this.name}.test`;
  }

  /** Nobody dies yet. */
  async set(): Promise<void> {
    this.#key = await this.installation.addWorkspace(this.name);
    const [row] = await this.installation.store.read(
      (reader) => reader.all<{ seq: number }>`select seq from workspaces where name = ${this.name}`,
    );
    this.workspace = row?.seq ?? 0;
    for (const segment of SEGMENTS)
      this.segments.push((await this.mustDo("POST /segments", { ...segment, trackMembership: true })).id);
    const letter = { name: "News", subject: "Welcome", body: "<p>Hello</p>", from: this.sender };
    const { id: marketing } = await this.mustDo("POST /templates", { ...letter, type: "MARKETING" });
    const { id: plain } = await this.mustDo("POST /templates", { ...letter, name: "Bill", type: "TRANSACTIONAL" });
    this.templates = { marketing, plain };
    for (const allowReentry of [false, true]) await this.#addWorkflow(allowReentry);
  }

  async #addWorkflow(allowReentry: boolean): Promise<void> {
    const mail = (name: string, templateId: string) => ({ type: "SEND_EMAIL", name, config: { templateId } });
    const steps = [
      mail("First", this.templates.marketing),
      { type: "DELAY", name: "Rest", config: { amount: 2, unit: "hours" } },
      { type: "WAIT_FOR_EVENT", name: "Wait", config: { eventName: "bought", timeout: 86_400 } },
      mail("Last", this.templates.plain),
      { type: "EXIT", name: "End", config: {} },
    ];
    const name = allowReentry ? "Again" : "Once";
    await this.mustDo("POST /workflows", { name, eventName: "signup", enabled: true, steps, allowReentry });
  }

  async ask(route: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const [method = "", path = ""] = route.split(" ");
    const { server, fate } = this.installation;
    const request = new Request(server.url + path, {
      method,
      headers: { authorization: `Bearer ${this.#key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const [response, text] = await this.installation.asked(async () => {
      const answer = await server.answer(request);
      return [answer, await answer.text()] as const;
    });
    const answered = text === "" ? {} : JSON.parse(text);
    if (response.status < 400) return { status: response.status, body: answered };
    if (fate.isDead) return null;
    if (response.status >= 500) this.book.faults.push(`${route} answered ${response.status}`);
    return { status: response.status, body: answered };
  }

  async mustDo(route: string, body?: object): Promise<Json> {
    const answer = await this.ask(route, body);
    if (answer === null || answer.status >= 400) throw new Error(`${route}: ${JSON.stringify(answer)}`);
    return answer.body;
  }

  /** Public ids of the mails of somebody that are being handed over. */
  async inHandOf(address: string): Promise<string[]> {
    const mails = await this.installation.store.read(
      (reader) => reader.all<{ id: string }>`
        select id from emails where workspace = ${this.workspace} and to_address = ${address} and status = 'SENDING'`,
    );
    return mails.map(({ id }) => id);
  }

  /** The next seed has nothing to do with this one's work. */
  async clear(): Promise<void> {
    await this.installation.store.write(async (tx) => {
      await tx.run`update segments set sweep_due_at = null where workspace = ${this.workspace}`;
      await tx.run`update domains set next_check_at = null where workspace = ${this.workspace}`;
      await tx.run`delete from turns where workspace = ${this.workspace}`;
    });
  }

  readonly #recorded = new Map<string, number>();

  /** As a life begins: what is recorded as settled by then must not leave in it. */
  async notesRecorded(): Promise<void> {
    const { store, life } = this.installation;
    const mails = await store.read(
      (reader) => reader.all<{ id: string }>`
        select id from emails where workspace = ${this.workspace} and status not in ('QUEUED', 'SENDING', 'PERHAPS_DELIVERED')`,
    );
    for (const { id } of mails) if (!this.#recorded.has(id)) this.#recorded.set(id, life);
  }

  readonly recordedBefore = (mail: string, life: number): boolean => (this.#recorded.get(mail) ?? Infinity) <= life;

  /** When something of this seed is due next; null = nothing waits. */
  async nextDueMs(): Promise<number | null> {
    const { workspace } = this;
    const [row] = await this.installation.store.read(
      (reader) => reader.all<{ at: string | null }>`
        select min(due_at) as at from (
          select due_at from emails where workspace = ${workspace} union all
          select due_at from executions where workspace = ${workspace} union all
          select due_at from outbox where workspace = ${workspace} union all
          select due_at from campaigns where workspace = ${workspace})`,
    );
    return row?.at ? Date.parse(row.at) : null;
  }
}
