// A blog that sends its newsletter and reads what became of it as Ghost does: by mailgun.js, in calls of a thousand
// members, and by pages of events.
import FormData from "form-data";
import { DAY_MS } from "../../src/base/clock.ts";
import type { Json } from "./posthorn.ts";

// Its types are of another kind of modules.
const MAILGUN: string = "mailgun.js";
const { default: Mailgun } = (await import(MAILGUN)) as { readonly default: new (form: unknown) => Json };

export type Member = { readonly email: string; readonly name: string; readonly uuid: string };
type Issue = {
  readonly id: string;
  readonly subject: string;
  readonly html: string;
  readonly plaintext: string;
  readonly from: string;
};

/** What it knows of one member's copy. */
type Copy = { email: string; delivered?: Date; opened?: Date; failed?: Json; tried?: Json; isLeft?: true };

const CALL = 1_000;
const EVENTS = "delivered OR opened OR failed OR unsubscribed OR complained";
/** The codes by which it learns that an address gets no more mail. */
const SUPPRESSED = new Set([605, 607]);

export class Ghost {
  /** By the id of an issue, then by address. */
  readonly copies = new Map<string, Map<string, Copy>>();
  readonly suppressed = new Map<string, string>();
  /** The issue of each call, by the id of the answer. */
  readonly #calls = new Map<string, string>();
  #lastEvent: Date;
  pages = 0;

  constructor(
    readonly settings: { readonly apiKey: string; readonly domain: string; readonly baseUrl: string },
    readonly now: () => Date,
  ) {
    this.#lastEvent = new Date(now().getTime() - DAY_MS);
  }

  get #client(): Json {
    const { apiKey: key, baseUrl } = this.settings;
    const options = { username: "api", key, url: new URL(baseUrl).origin, timeout: 60_000 };
    return new Mailgun(FormData).client(options);
  }

  /** Answers the ids of its calls. */
  async sendNewsletter(issue: Issue, members: readonly Member[]): Promise<string[]> {
    const copies = new Map(members.map(({ email }) => [email, { email }]));
    this.copies.set(issue.id, copies);
    const ids: string[] = [];
    for (let from = 0; from < members.length; from += CALL)
      ids.push(await this.#call(issue, members.slice(from, from + CALL)));
    return ids;
  }

  async #call({ id, subject, html, plaintext, from }: Issue, members: readonly Member[]): Promise<string> {
    const variables = members.map(({ email, name, uuid }) => [
      email,
      {
        name,
        uuid,
        unsubscribe_url: `https://blog.example/unsubscribe/?uuid=${uuid}&newsletter=1`,
        list_unsubscribe: `https://blog.example/unsubscribe/?uuid=${uuid}&newsletter=1`,
      },
    ]);
    const answer = await this.#client.messages.create(this.settings.domain, {
      to: members.map(({ email }) => email),
      from,
      "h:Reply-To": from,
      subject,
      html,
      text: plaintext,
      "recipient-variables": JSON.stringify(Object.fromEntries(variables)),
      "h:Sender": from,
      "h:Auto-Submitted": "auto-generated",
      "h:X-Auto-Response-Suppress": "OOF, AutoReply",
      "h:List-Unsubscribe": "<%recipient.list_unsubscribe%>, <%tag_unsubscribe_email%>",
      "h:List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "v:email-id": id,
      "o:tag": ["ghost-email", "bulk-email"],
      "o:tracking-opens": true,
      "o:deliverytime": this.now().toUTCString(),
    });
    const call = answer.id.trim().replace(/^<|>$/g, "");
    this.#calls.set(call, id);
    return call;
  }

  /** Reads the events since the last one, as its job does every few minutes. */
  async readEvents(): Promise<void> {
    const options = {
      limit: 300,
      event: EVENTS,
      tags: "ghost-email AND bulk-email",
      begin: this.#lastEvent.getTime() / 1_000,
      end: this.now().getTime() / 1_000,
      ascending: "yes",
    };
    let page = await this.#client.events.get(this.settings.domain, options);
    while (page.items.length > 0) {
      this.pages++;
      for (const event of page.items) this.#take(event);
      page = await this.#client.events.get(this.settings.domain, { page: page.pages.next.page, ...options });
    }
  }

  #take(event: Json): void {
    const at = new Date(event.timestamp * 1_000);
    const issue = event["user-variables"]["email-id"] ?? this.#calls.get(event.message.headers["message-id"]);
    const copy = this.copies.get(issue)?.get(event.recipient);
    if (at > this.#lastEvent) this.#lastEvent = at;
    if (copy === undefined) throw new Error(`An event of nobody: ${JSON.stringify(event)}`);
    const status = event["delivery-status"];
    if (event.event === "delivered") copy.delivered ??= at;
    if (event.event === "opened") copy.opened ??= at;
    if (event.event === "unsubscribed") copy.isLeft = true;
    if (event.event === "complained") this.suppressed.set(event.recipient, "spam");
    if (event.event !== "failed") return;
    copy[event.severity === "permanent" ? "failed" : "tried"] = { code: status.code, message: status.message };
    if (event.severity === "permanent" && SUPPRESSED.has(status.code)) this.suppressed.set(event.recipient, "bounce");
  }

  /** What its screens show of an issue. */
  countsOf(issue: string) {
    const all = [...(this.copies.get(issue)?.values() ?? [])];
    const count = (is: (copy: Copy) => unknown) => all.filter(is).length;
    return {
      sent: all.length,
      delivered: count(({ delivered }) => delivered),
      opened: count(({ opened }) => opened),
      failed: count(({ failed }) => failed),
      tried: count(({ tried }) => tried),
    };
  }

  /** As it does for a member who wants the newsletter again. Answers which lists had the address. */
  async release(email: string): Promise<string[]> {
    const lists: string[] = [];
    for (const list of ["bounces", "complaints", "unsubscribes"]) {
      try {
        await this.#client.suppressions.destroy(this.settings.domain, list, email);
        lists.push(list);
      } catch {
        // It logs the refusal, and goes on.
      }
    }
    this.suppressed.delete(email);
    return lists;
  }
}
