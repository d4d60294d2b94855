// A history of mails as it comes about in life, and a book of what happened: the judge of what the server counts.
import {
  findLeftMail,
  markComplained,
  markDelivered,
  markReturned,
  markUndelivered,
} from "../../src/mail/emails/feedback/feedback.ts";
import { recordVisits } from "../../src/mail/emails/feedback/visits.ts";
import { noteLeftTopic, noteUnsubscribed } from "../../src/mail/emails/feedback/departures.ts";
import type { Mail } from "../../src/mail/emails/queries.ts";
import { MINUTE_MS } from "../../src/base/clock.ts";
import type { Tx } from "../../src/store/store.ts";
import { Chance } from "./chance.ts";
import type { Posthorn } from "./posthorn.ts";
import { ask } from "./scenario.ts";

type What =
  | "accepted"
  | "sent"
  | "delivered"
  | "failed"
  | "hardBounced"
  | "softBounced"
  | "complained"
  | "opened"
  | "clicked"
  | "unsubscribed"
  | "leftTopic"
  | "skipped"
  | "cancelled";

export type Fact = { readonly atMs: number; readonly what: What; readonly domain: string };

type Kept = {
  readonly id: string;
  readonly contact: string;
  readonly domain: string;
  readonly acceptedMs: number;
  readonly done: Set<string>;
};

const FROM = ["example.test", "other.test"] as const;
const OUTCOMES = [
  { kind: "accepted", reply: "250 Ok" },
  { kind: "accepted", reply: "250 Ok" },
  { kind: "accepted", reply: "250 Ok" },
  { kind: "bounced", reply: "550 5.1.1 No such user" },
  { kind: "failed", reply: "554 5.7.1 Spam" },
  { kind: "failed", reply: "552 5.2.2 Mailbox full", transient: true },
] as const;

/** Lives through some hours; nobody waits for the counting, which may come at any moment. */
export class History {
  readonly facts: Fact[] = [];
  readonly #chance: Chance;
  #mails: Kept[] = [];
  #contacts = 0;

  constructor(
    private readonly posthorn: Posthorn,
    seed: number,
  ) {
    this.#chance = new Chance(seed);
  }

  async live(moments: number): Promise<void> {
    for (let moment = 0; moment < moments; moment++) {
      await this.#chance.of([
        () => this.#send(),
        () => this.#send(),
        () => this.#hear(),
        () => this.#hear(),
        () => this.#takeBack(),
      ])();
      if (this.#chance.next() < 0.1) await this.#erase();
      this.posthorn.clock.advance(Math.floor(this.#chance.next() * 40 * MINUTE_MS));
    }
  }

  #note(what: What, domain: string, atMs = this.posthorn.clock.nowMs()): void {
    this.facts.push({ atMs, what, domain });
  }

  async #accept(): Promise<Kept> {
    const domain = this.#chance.of(FROM);
    const address = `person${++this.#contacts}@example.com`;
    const contact = (await ask(this.posthorn, "POST /contacts", { body: { email: address } })).body.id;
    const body = { to: address, from: `hello@${domain}`, subject: "Hi", body: "<p>Hello</p>" };
    const { data } = (await ask(this.posthorn, "POST /v1/send", { body })).body;
    this.#note("accepted", domain);
    return { id: data.emails[0].email, contact, domain, acceptedMs: this.posthorn.clock.nowMs(), done: new Set() };
  }

  async #send(): Promise<void> {
    const mail = await this.#accept();
    const outcome = this.#chance.of(OUTCOMES);
    this.posthorn.transport.answer = () => outcome;
    await this.posthorn.settle();
    if (outcome.kind === "accepted") this.#mails.push(mail);
    this.#note(
      outcome.kind === "accepted"
        ? "sent"
        : outcome.kind === "bounced"
          ? "hardBounced"
          : "transient" in outcome
            ? "softBounced"
            : "failed",
      mail.domain,
    );
  }

  async #takeBack(): Promise<void> {
    const mail = await this.#accept();
    await ask(this.posthorn, `DELETE /emails/${mail.id}`);
    this.#note("cancelled", mail.domain, mail.acceptedMs);
  }

  /** Something becomes of a mail that has left, perhaps long ago. */
  async #hear(): Promise<void> {
    if (this.#mails.length === 0) return;
    const mail = this.#chance.of(this.#mails);
    const news = this.#chance.of([
      "delivered",
      "returned",
      "refused",
      "complained",
      "opened",
      "clicked",
      "unsubscribed",
      "leftTopic",
    ] as const);
    await this.posthorn.store.write(async (tx) => {
      const found = await findLeftMail(tx, mail.id);
      if (found && found !== "early") await NEWS[news](tx, found);
    });
    const { status } = (await ask(this.posthorn, `GET /emails/${mail.id}`)).body;
    const isNew = !mail.done.has(news) && FITS[news](status, mail.done);
    mail.done.add(news);
    mail.done.add(status);
    if (isNew) this.#note(NAMES[news], mail.domain);
  }

  /** Its history is erased at once, whether it was counted or not. */
  async #erase(): Promise<void> {
    const mail = this.#mails.at(-1);
    if (!mail) return;
    this.#mails = this.#mails.filter((one) => one !== mail);
    await ask(this.posthorn, `DELETE /contacts/${mail.contact}`);
    if (this.#chance.next() < 0.5) await this.posthorn.settle();
  }
}

const NEWS = {
  delivered: markDelivered,
  returned: (tx: Tx, mail: Mail) =>
    markReturned(tx, mail, { reason: "550 5.1.1 No such user", byCarrier: false }, "Permanent"),
  refused: (tx: Tx, mail: Mail) =>
    markUndelivered(tx, mail, { reason: "550 5.7.26 Unauthenticated", byCarrier: false }),
  complained: markComplained,
  opened: (tx: Tx, { id: emailId }: Mail) => recordVisits(tx, [{ emailId, link: null, isMachine: false }]),
  clicked: (tx: Tx, { id: emailId }: Mail) =>
    recordVisits(tx, [{ emailId, link: "https://example.com", isMachine: false }]),
  unsubscribed: (tx: Tx, { id }: Mail) => noteUnsubscribed(tx, id),
  leftTopic: (tx: Tx, { id }: Mail) => noteLeftTopic(tx, id),
};
type News = keyof typeof NEWS;

const NAMES: Readonly<Record<News, What>> = {
  delivered: "delivered",
  returned: "hardBounced",
  refused: "failed",
  complained: "complained",
  opened: "opened",
  clicked: "clicked",
  unsubscribed: "unsubscribed",
  leftTopic: "leftTopic",
};

/** Whether the news has changed the mail: its state then is that of the news. */
const FITS: Readonly<Record<News, (status: string, before: ReadonlySet<string>) => boolean>> = {
  delivered: (status, before) => status === "DELIVERED" && !before.has("DELIVERED"),
  returned: (status, before) => status === "BOUNCED" && !before.has("BOUNCED"),
  refused: (status, before) => status === "FAILED" && !before.has("FAILED"),
  complained: (status, before) => status === "COMPLAINED" && !before.has("COMPLAINED"),
  opened: () => true,
  clicked: () => true,
  unsubscribed: () => true,
  leftTopic: () => true,
};
