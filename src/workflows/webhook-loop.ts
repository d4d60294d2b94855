// Sends webhooks: claims what is due, each attempt written before it is made, and records what came back. One place that does
// not answer takes up few of the hands, so that it holds up no other.
import { iso, type Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Secrets } from "../secrets.ts";
import type { Reader, Store, Tx } from "../store/store.ts";
import { disabledAmong, workspaceBySeq } from "../workspaces/queries.ts";
import type { WebhookConfig } from "./definition.ts";
import { Versions } from "./version.ts";
import type { Payload } from "./webhook.ts";
import { exchange, type Answer, type ExchangeTerms } from "./webhook-exchange.ts";
import {
  callsInHand,
  claimCalls,
  dueCalls,
  dueCallsTo,
  insertAttempt,
  nextCallDue,
  originAfter,
  putOffCalls,
  workspacesOfCalls,
  type CallRow,
  type Candidate,
} from "./webhook-queries.ts";
import { requestOf, signatureOf, UnfitRequest } from "./webhook-request.ts";
import { settleCall } from "./webhook-settle.ts";

export type WebhookLoopOptions = ExchangeTerms & {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: Secrets;
  /** How much longer than an attempt may take nobody else takes it on: whoever has not recorded it by then is gone. */
  readonly leaseMs: number;
};

/** The runtime makes at most 256 requests at a time, and mail may leave by some of them. */
const HANDS = 200;
const HANDS_AN_ORIGIN = 50;
/** Where the last attempts found nobody, so many look whether that has changed. */
const HANDS_AT_A_SILENT_ORIGIN = 2;
const FAULTS_TO_BE_SILENT = 3;
const LONGEST_REST_MS = 5_000;
/** Hands that come free together are filled by one claim. */
const GATHERING_MS = 2;
const DISABLED_REST_MS = 600_000;

export class WebhookLoop {
  readonly #options: WebhookLoopOptions;
  readonly #versions = new Versions();
  readonly #inHand = new Map<number, Promise<void>>();
  readonly #handsAt = new Map<string, number>();
  readonly #faultsInARow = new Map<string, number>();
  #roomSoon: ReturnType<typeof setTimeout> | null = null;
  /** Called when there is room for others. */
  onRoom: () => void = () => {};

  constructor(options: WebhookLoopOptions) {
    this.#options = options;
  }

  /** Claims one batch and starts its attempts; answers how long there will be nothing to claim. */
  async step(): Promise<number> {
    const { store, clock } = this.#options;
    if (this.#inHand.size >= HANDS) return LONGEST_REST_MS;
    const dueAt = await store.read(nextCallDue);
    const waitMs = dueAt === null ? LONGEST_REST_MS : Date.parse(dueAt) - clock.nowMs();
    if (waitMs > 0) return Math.min(waitMs, LONGEST_REST_MS);
    const calls = await store.write((tx) => this.#claim(tx));
    for (const call of calls) this.#take(call);
    return calls.length > 0 ? 0 : LONGEST_REST_MS;
  }

  /** Answers when everything in hand is settled: true if there was anything. */
  async idle(): Promise<boolean> {
    const busy = this.#inHand.size > 0;
    while (this.#inHand.size > 0) await Promise.all(this.#inHand.values());
    return busy;
  }

  async #claim(tx: Tx): Promise<CallRow[]> {
    const { timeoutMs, leaseMs } = this.#options;
    const chosen = await this.#ofEnabled(tx, await this.#choose(tx, tx.now));
    if (chosen.length === 0) return [];
    const claimed = await claimCalls(tx, chosen, iso(tx.nowMs + timeoutMs + leaseMs));
    for (const { execution_step: step, attempts } of claimed) await insertAttempt(tx, step, attempts);
    if (claimed.length === 0) return [];
    return callsInHand(
      tx,
      claimed.map(({ execution_step: step }) => step),
    );
  }

  /** The oldest first; where one origin has no hand free, what is due elsewhere is looked for origin by origin. */
  async #choose(reader: Reader, now: string): Promise<number[]> {
    const free = HANDS - this.#inHand.size;
    const oldest = await dueCalls(reader, now, free);
    const chosen = this.#fitting(oldest, []);
    if (chosen.length === oldest.length) return chosen.map(({ execution_step: step }) => step);
    for (let origin = await originAfter(reader, ""); origin !== null; origin = await originAfter(reader, origin)) {
      if (chosen.length >= free) break;
      const known = new Set(chosen.map(({ execution_step: step }) => step));
      const due = await dueCallsTo(reader, origin, now, HANDS_AN_ORIGIN);
      chosen.push(
        ...this.#fitting(
          due.filter(({ execution_step: step }) => !known.has(step)),
          chosen,
        ),
      );
    }
    return chosen.slice(0, free).map(({ execution_step: step }) => step);
  }

  #fitting(candidates: readonly Candidate[], taken: readonly Candidate[]): Candidate[] {
    const at = new Map<string, number>();
    for (const { origin } of taken) at.set(origin, (at.get(origin) ?? 0) + 1);
    return candidates.filter(({ origin }) => {
      const hands = (this.#handsAt.get(origin) ?? 0) + (at.get(origin) ?? 0);
      if (hands >= this.#handsFor(origin)) return false;
      at.set(origin, (at.get(origin) ?? 0) + 1);
      return true;
    });
  }

  #handsFor(origin: string): number {
    const isSilent = (this.#faultsInARow.get(origin) ?? 0) >= FAULTS_TO_BE_SILENT;
    return isSilent ? HANDS_AT_A_SILENT_ORIGIN : HANDS_AN_ORIGIN;
  }

  /** What belongs to a disabled workspace waits until it is enabled again. */
  async #ofEnabled(tx: Tx, steps: readonly number[]): Promise<readonly number[]> {
    if (steps.length === 0) return steps;
    const rows = await workspacesOfCalls(tx, steps);
    const disabled = await disabledAmong(tx, [...new Set(rows.map(({ workspace }) => workspace))]);
    for (const workspace of disabled) await putOffCalls(tx, workspace, steps, iso(tx.nowMs + DISABLED_REST_MS));
    const left = rows.filter(({ workspace }) => !disabled.has(workspace));
    return disabled.size === 0 ? steps : left.map(({ execution_step: step }) => step);
  }

  #take(call: CallRow): void {
    const { origin, execution_step: step } = call;
    this.#handsAt.set(origin, (this.#handsAt.get(origin) ?? 0) + 1);
    const work = this.#deliver(call).finally(() => {
      this.#inHand.delete(step);
      const hands = (this.#handsAt.get(origin) ?? 1) - 1;
      if (hands === 0) this.#handsAt.delete(origin);
      else this.#handsAt.set(origin, hands);
      this.#roomSoon ??= setTimeout(() => this.#tellRoom(), GATHERING_MS);
    });
    this.#inHand.set(step, work);
  }

  #tellRoom(): void {
    this.#roomSoon = null;
    this.onRoom();
  }

  async #deliver(call: CallRow): Promise<void> {
    const { store, clock, log } = this.#options;
    try {
      const config = await this.#configOf(call);
      const startedMs = clock.monotonicMs();
      const answer = await this.#attempt(call, config);
      const durationMs = Math.round(clock.monotonicMs() - startedMs);
      this.#notice(call.origin, answer);
      await store.write((tx) => settleCall(tx, call, config, { answer, durationMs }));
    } catch (error) {
      log.error("a webhook in hand could not be settled; its lease will run out", { webhook: call.id, error });
    }
  }

  async #configOf({ version, step }: CallRow): Promise<WebhookConfig> {
    const { steps } = await this.#options.store.read((reader) => this.#versions.bySeq(reader, version));
    return steps.find(({ id }) => id === step)?.config as WebhookConfig;
  }

  async #attempt(call: CallRow, config: WebhookConfig): Promise<Answer> {
    const { store, secrets, clock } = this.#options;
    const workspace = await store.read((reader) => workspaceBySeq(reader, call.workspace));
    const encrypted = workspace?.webhook_secret ?? null;
    if (encrypted === null) return { kind: "refused", reason: "The workspace has no webhook secret." };
    try {
      const request = requestOf(config, JSON.parse(call.payload) as Payload, clock);
      const [secret, nowMs] = [secrets.decrypt(encrypted), clock.nowMs()];
      return await exchange(request, (body) => signatureOf(call.id, body, secret, nowMs), this.#options);
    } catch (error) {
      if (!(error instanceof UnfitRequest)) throw error;
      return { kind: "refused", reason: error.message };
    }
  }

  #notice(origin: string, answer: Answer): void {
    if (answer.kind === "unreachable") this.#faultsInARow.set(origin, (this.#faultsInARow.get(origin) ?? 0) + 1);
    else this.#faultsInARow.delete(origin);
  }
}
