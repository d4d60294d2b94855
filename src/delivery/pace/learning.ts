// Learns from answers and reports how much mail each mailbox provider takes, and puts on and eases the brakes.
import { domainOf } from "../../addresses.ts";
import { iso, type Clock } from "../../clock.ts";
import { LONGEST_REST_MS } from "../../jobs/due.ts";
import type { Log } from "../../log.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { Outcome } from "../transport/transport.ts";
import { eased, easesAtMs, paused, slowed, type Brake } from "./brake.ts";
import { named, type Brakes } from "./brakes.ts";
import { brakesChanged } from "./let-go.ts";
import { isKnown, type MailboxDomains } from "./mailbox-domains.ts";
import { brakeAt, deleteBrake, easeBrake, putOnBrake, reportsSince, type BrakeKey } from "./queries.ts";
import { signOf, signOfReport, withoutAddresses, type Sign } from "./signs.ts";
import { Traffic } from "./traffic.ts";

type LearningOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly mailboxes: MailboxDomains;
  readonly brakes: Brakes;
  /** The name of the way whose number is this (hop-queries.ts); null = there is none any more. */
  readonly wayOfHop: (hop: number) => string | null;
};

type Sent = { readonly workspace: number; readonly toAddress: string };

const MOST_REPORTS = 500;
const REPORTS_EVERY_MS = 2 * LONGEST_REST_MS;

export class Learning {
  readonly #options: LearningOptions;
  readonly #traffic = new Traffic();
  /** Those that are being put on: many mails are answered at once, and say the same. */
  readonly #underWay = new Set<string>();
  #reportsTo: string;

  constructor(options: LearningOptions) {
    this.#options = options;
    this.#reportsTo = iso(options.clock.nowMs());
  }

  /** From the answer to one mail. */
  async learn({ workspace, toAddress }: Sent, way: string, outcome: Outcome): Promise<void> {
    const domain = domainOf(toAddress);
    if (outcome.kind === "accepted") {
      const mailbox = this.#options.mailboxes.atOnce(domain);
      if (mailbox !== null) this.#traffic.taken(named({ workspace, way, mailbox }), this.#options.clock.nowMs());
      return;
    }
    const sign = signOf(outcome);
    if (sign !== null) await this.#noted({ workspace, toAddress }, way, sign, outcome.reply);
  }

  /** From what came back about mails that were accepted: a relay hears what the provider says, and tells us later. */
  async readReports(): Promise<number> {
    const reports = await this.#options.store.read((reader) => reportsSince(reader, this.#reportsTo, MOST_REPORTS));
    for (const { at, reply, hop, ...sent } of reports) {
      this.#reportsTo = at;
      const sign = signOfReport(reply);
      const way = hop === null ? null : this.#options.wayOfHop(hop);
      if (sign !== null && way !== null) await this.#noted(sent, way, sign, reply);
    }
    return reports.length === MOST_REPORTS ? 0 : REPORTS_EVERY_MS;
  }

  /** Lets brakes grow, and go; answers when the next one may. */
  async ease(): Promise<number> {
    const { store, clock, brakes, log } = this.#options;
    let hasChanged = false;
    for (const brake of brakes.all) {
      const change = eased(
        brake,
        this.#traffic.hasTakenSince(named(brake), Date.parse(brake.changedAt)),
        clock.nowMs(),
      );
      if (change === null) continue;
      hasChanged = true;
      await store.write(async (tx) => {
        await (change === "gone" ? deleteBrake(tx, brake) : easeBrake(tx, brake, change));
        brakesChanged(tx, brake.workspace);
      });
      if (change === "gone") log.info("a mailbox provider has its mail at full pace again", place(brake));
    }
    if (hasChanged) await brakes.load();
    const nextMs = Math.min(...brakes.all.map((brake) => easesAtMs(brake) - clock.nowMs()));
    return Math.min(LONGEST_REST_MS, Math.max(1_000, nextMs));
  }

  async #noted({ workspace, toAddress }: Sent, way: string, sign: Sign, reply: string): Promise<void> {
    const { clock, mailboxes } = this.#options;
    const mailbox = await mailboxes.mailboxOf(domainOf(toAddress));
    const key = { workspace, way, mailbox };
    const asked = this.#traffic.asked(named(key), sign, isKnown(mailbox), clock.nowMs());
    if (asked === null || this.#underWay.has(named(key))) return;
    this.#underWay.add(named(key));
    await this.#brake(key, asked, reply).finally(() => this.#underWay.delete(named(key)));
  }

  async #brake(key: BrakeKey, asked: "less" | "none", said: string): Promise<void> {
    const { store, clock, brakes, log } = this.#options;
    const change = asked === "less" ? slowed : paused;
    const perHour = this.#traffic.perHour(named(key), clock.nowMs());
    const reply = withoutAddresses(said);
    const brake = await store.write(async (tx: Tx) => {
      const next = change(await brakeAt(tx, key), perHour, tx.nowMs);
      if (next === null) return null;
      await putOnBrake(tx, key, next, reply);
      brakesChanged(tx, key.workspace);
      return next;
    });
    if (brake === null) return;
    await brakes.load();
    const { pausedUntil, perHour: most } = brake;
    log.warn("a mailbox provider is sent less mail", { ...place(key), mostAnHour: most, pausedUntil, reply });
  }
}

function place({ workspace, way, mailbox }: Pick<Brake, "workspace" | "way" | "mailbox">) {
  return { workspace, way, mailbox };
}
