// Learns from answers and reports how much mail each mailbox provider takes, and puts on and eases the brakes.
import { domainOf } from "../../../base/addresses.ts";
import { iso, type Clock } from "../../../base/clock.ts";
import { NOTHING_DUE } from "../../../base/jobs/due.ts";
import type { Log } from "../../../base/log.ts";
import type { Store, Tx } from "../../../store/store.ts";
import type { HandoverOutcome } from "../../carrier/transport/transport.ts";
import { eased, easesAtMs, isPaused, paused, slowed, type Brake } from "./brake.ts";
import { brakeKey, type Brakes } from "./brakes.ts";
import { brakesChanged } from "./remove-brake.ts";
import { isKnown, type MailboxDomains } from "./mailbox-domains.ts";
import { brakeAt, deleteBrake, easeBrake, putOnBrake, reportsSince, type BrakeKey } from "./queries.ts";
import { signOf, signOfReport } from "./signs.ts";
import { withoutAddresses } from "../../carrier/transport/kept-reply.ts";
import { Traffic, type PaceDemand } from "./traffic.ts";

type LearningOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly mailboxes: MailboxDomains;
  readonly brakes: Brakes;
  /** The name of the way with this number (hop-queries.ts); null = the way is gone. */
  readonly wayOfHop: (hop: number) => string | null;
};

type BrakeReply = Pick<Brake, "reply" | "isHearsay">;

type PaceRecipient = { readonly workspace: number; readonly toAddress: string };

const MOST_REPORTS = 500;
/** Longer than it takes to record outcomes of the same moment. */
const RECORDED_MS = 2_000;

export class BrakeLearner {
  readonly #options: LearningOptions;
  readonly #traffic = new Traffic();
  /** Brakes that are being put on: many mails are answered at the same time, with the same sign. */
  readonly #underWay = new Map<string, Promise<void>>();
  #reportsTo: string;

  constructor(options: LearningOptions) {
    this.#options = options;
    this.#reportsTo = iso(options.clock.nowMs() - 1);
  }

  /**
   * Learns from the answer to one mail. Answers whether the mail waits with all others of its provider, which now
   * rests: it was refused for the address or the domain that we send from, and not for its own content.
   */
  async learn({ workspace, toAddress }: PaceRecipient, way: string, outcome: HandoverOutcome): Promise<boolean> {
    const { mailboxes, clock, brakes } = this.#options;
    const domain = domainOf(toAddress);
    if (outcome.kind === "accepted") {
      const mailbox = mailboxes.atOnce(domain);
      if (mailbox !== null) this.#traffic.noteAcceptance(brakeKey({ workspace, way, mailbox }), clock.nowMs());
      return false;
    }
    const sign = signOf(outcome);
    if (sign === null) return false;
    const mailbox = await mailboxes.mailboxOf(domain);
    const key = { workspace, way, mailbox };
    const asked = this.#traffic.demandOf(brakeKey(key), sign, isKnown(mailbox), clock.nowMs());
    await this.#applyDemand(key, asked, { reply: outcome.reply, isHearsay: false });
    const brake = sign === "blocked" ? brakes.at(key) : null;
    return brake !== null && !brake.isHearsay && isPaused(brake, clock.nowMs());
  }

  /**
   * Learns from reports of relays and providers about mails that they had accepted: they get the answers of the mailbox
   * provider.
   */
  async readReports(): Promise<number> {
    const { store, clock, mailboxes, wayOfHop } = this.#options;
    // Many reports share a moment, and are not all recorded in it.
    const span = { since: this.#reportsTo, until: iso(clock.nowMs() - RECORDED_MS) };
    const reports = await store.read((reader) => reportsSince(reader, span, MOST_REPORTS));
    for (const { at, reply, hop, workspace, toAddress } of reports) {
      this.#reportsTo = at;
      const sign = signOfReport(reply);
      const way = hop === null ? null : wayOfHop(hop);
      if (sign === null || way === null) continue;
      const mailbox = await mailboxes.mailboxOf(domainOf(toAddress));
      const key = { workspace, way, mailbox };
      const asked = this.#traffic.heard(brakeKey(key), sign, toAddress, clock.nowMs());
      await this.#applyDemand(key, asked, { reply, isHearsay: true });
    }
    return reports.length === MOST_REPORTS ? 0 : NOTHING_DUE;
  }

  /** Lets brakes grow and end; answers when the next one may. */
  async ease(): Promise<number> {
    const { store, clock, brakes, log } = this.#options;
    let hasChanged = false;
    for (const brake of brakes.all) {
      const change = eased(
        brake,
        this.#traffic.hasTakenSince(brakeKey(brake), Date.parse(brake.changedAt)),
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
    return Math.max(1_000, nextMs);
  }

  async #applyDemand(key: BrakeKey, asked: PaceDemand, said: BrakeReply): Promise<void> {
    if (asked === null) return;
    const name = brakeKey(key);
    const underWay = this.#underWay.get(name);
    if (underWay !== undefined) return underWay;
    const putOn = this.#brake(key, asked, said).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, putOn);
    return putOn;
  }

  async #brake(key: BrakeKey, asked: "less" | "none", said: BrakeReply): Promise<void> {
    const { store, clock, brakes, log } = this.#options;
    const change = asked === "less" ? slowed : paused;
    const perHour = this.#traffic.perHour(brakeKey(key), clock.nowMs());
    const reply = withoutAddresses(said.reply);
    const brake = await store.write(async (tx: Tx) => {
      const known = await brakeAt(tx, key);
      // The provider's own reply replaces a report by others, and no report changes it.
      if (known !== null && said.isHearsay && !known.isHearsay) return null;
      const next = change(known?.isHearsay === said.isHearsay ? known : null, perHour, tx.nowMs);
      if (next === null) return null;
      await putOnBrake(tx, key, next, { ...said, reply });
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
