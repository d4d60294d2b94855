// The pace at which each mailbox provider gets mail.
//
// - A provider that asks for less mail, or takes none, has a brake for the workspace and the way out. While there is no
//   brake, nothing here costs anything.
// - Mail to a braked provider is put into a lane of its own as it comes up, with all that is due behind it, so that other
//   mail goes on as if it were not there. Another way out is no way around a brake.
// - From there it leaves at the pace of the brake, transactional mail first.
import { domainOf } from "../../addresses.ts";
import { IN_ORDER } from "../../emails/pace-queries.ts";
import type { MailToSend } from "../../emails/queries.ts";
import type { Ground } from "../../ground.ts";
import { LONGEST_REST_MS } from "../../jobs/due.ts";
import type { LoopSpec } from "../../jobs/loops.ts";
import type { ClaimedMail } from "../slots.ts";
import type { Outcome } from "../transport/transport.ts";
import { paceOfBrake, type Brake } from "./brake.ts";
import { Brakes } from "./brakes.ts";
import type { Limit } from "./claim-stream.ts";
import { Learning } from "./learning.ts";
import { MailboxDomains } from "./mailbox-domains.ts";
import { keepNextOfBrake, lockBrake, type Stream } from "./queries.ts";
import { Streams, type Outlet } from "./streams.ts";

type PacingOptions = Ground & { readonly wayOfHop: (hop: number) => string | null };

export class Pacing {
  readonly #options: PacingOptions;
  readonly #mailboxes: MailboxDomains;
  readonly #brakes: Brakes;
  readonly #streams: Streams;
  readonly #learning: Learning;

  constructor(options: PacingOptions) {
    this.#options = options;
    this.#mailboxes = new MailboxDomains(options);
    this.#brakes = new Brakes(options.store);
    const placeOf = () => IN_ORDER;
    this.#streams = new Streams({ ...options, placeOf, limitsOf: (stream, _, way) => this.#limitsOf(stream, way) });
    this.#learning = new Learning({ ...options, mailboxes: this.#mailboxes, brakes: this.#brakes });
  }

  /** What the store knows: at the start, and on PostgreSQL now and then. */
  async load(): Promise<void> {
    await this.#brakes.load();
    await this.#streams.load();
  }

  /** Whether some of its mail may have to wait. */
  concerns(workspace: number): boolean {
    return this.#brakes.has(workspace);
  }

  /** What a mail has to wait for before it may leave by this way; null = nothing. */
  async waitsFor(mail: MailToSend, way: string): Promise<Omit<Stream, "seq"> | null> {
    const { workspace, senderDomain: domain, toAddress } = mail;
    // A late repeat goes where the first copy went.
    if (!this.concerns(workspace) || mail.repeatsLeft !== null) return null;
    const mailbox = await this.#mailboxes.mailboxOf(domainOf(toAddress));
    return this.#brakes.at({ workspace, way, mailbox }) ? { workspace, domain, mailbox } : null;
  }

  /** Back to the queue, as if it had not been tried. */
  putAside(mail: MailToSend, stream: Omit<Stream, "seq">): Promise<void> {
    return this.#streams.putAside(mail, mail.kind === "MARKETING" ? 1 : 0, stream);
  }

  /** What waited and may leave by this way now; answers how long there is nothing more. */
  async claim(way: Outlet, most: number): Promise<{ mails: readonly ClaimedMail[]; restMs: number }> {
    if (this.#streams.isNone) return { mails: [], restMs: LONGEST_REST_MS };
    const isMore = await this.#streams.sweep();
    const claimed = await this.#streams.claim(way, most);
    return isMore ? { ...claimed, restMs: 0 } : claimed;
  }

  learn(mail: Pick<MailToSend, "workspace" | "toAddress">, way: string, outcome: Outcome): Promise<void> {
    return this.#learning.learn(mail, way, outcome);
  }

  get loops(): readonly LoopSpec[] {
    const { store } = this.#options;
    const step = async () => {
      if (!store.exclusive) await this.load();
      return Math.min(await this.#learning.readReports(), await this.#learning.ease());
    };
    return [{ name: "pacing mailbox providers", step }];
  }

  #limitsOf({ workspace, mailbox }: Stream, way: string): readonly Limit[] | null {
    if (!this.#brakes.isOn({ workspace, mailbox })) return null;
    const brake = this.#brakes.at({ workspace, way, mailbox });
    return brake === null ? [] : [this.#limitOf(brake)];
  }

  #limitOf(brake: Brake): Limit {
    const { clock } = this.#options;
    return {
      pace: paceOfBrake(brake, clock.headStartMs),
      notBefore: brake.pausedUntil,
      lock: (tx) => lockBrake(tx, brake.seq),
      keep: (tx, nextAtMs) => keepNextOfBrake(tx, brake.seq, nextAtMs),
    };
  }
}
