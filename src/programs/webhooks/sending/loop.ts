// Sends webhooks: claims the due ones, stores each attempt before it is made, and settles it. A silent origin gets few
// of the concurrent calls, so that it holds up no other.
import { iso } from "../../../base/clock.ts";
import type { Ground } from "../../../ground/ground.ts";
import { NOTHING_DUE, restUntil } from "../../../base/jobs/due.ts";
import { ClaimedWork } from "../../../base/jobs/in-hand.ts";
import type { Tx } from "../../../store/store.ts";
import { nextTurnAt, takeInTurn, type TurnQueue } from "../../../store/turns.ts";
import { disabledAmong } from "../../../tenant/workspaces/queries.ts";
import { insertAttempts } from "./attempt-queries.ts";
import { UnfitRequest, type WebhookCall, type Senders } from "./call.ts";
import { exchange, type WebhookAnswer, type ExchangeTerms } from "./exchange.ts";
import { OriginChoice, Origins } from "./origins.ts";
import {
  claimCalls,
  dueCalls,
  dueCallsAt,
  giveBack,
  FIRST_CALL_DUE,
  originsDue,
  deferCalls,
  renewCall,
  type WebhookCandidate,
} from "./queries.ts";
import { settleCall } from "./queue.ts";
import { signatureOf } from "./signature.ts";

/** A lease lasts `leaseMs` longer than an attempt may take: a process that has not settled it by then is gone. */
type WebhookLoopOptions = ExchangeTerms &
  Pick<Ground, "store" | "clock" | "log" | "secrets" | "leaseMs"> & {
    readonly senders: Senders;
    /** True while callers leave little time for deferrable work: calls of endpoints. */
    readonly isCrowded?: () => boolean;
  };

/** The runtime makes at most 256 requests at a time, and mail may leave by some of them. */
const MAX_CALLS = 200;
/** Beyond the oldest that are due; the next claim goes on to further ones. */
const MAX_ORIGINS_A_CLAIM = 16;
/** Calls that end together are followed by one claim. */
const GATHERING_MS = 2;
const DISABLED_REST_MS = 600_000;
/** All due webhooks go to origins without room; others may become due. */
const BLOCKED_REST_MS = 500;
/** The endpoint calls in the time of such a rest, while callers are many. */
const CALLS_IN_CROWD = 5;

export class WebhookLoop {
  readonly #options: WebhookLoopOptions;
  readonly #origins = new Origins();
  #notBeforeMs = -Infinity;
  readonly inHand = new ClaimedWork(GATHERING_MS);
  readonly #due: TurnQueue<WebhookCall> = {
    name: "webhooks",
    take: (tx, workspace, most) => this.#claim(tx, workspace, most),
    firstDue: FIRST_CALL_DUE,
  };

  constructor(options: WebhookLoopOptions) {
    this.#options = options;
  }

  /** Claims one batch and starts its attempts; answers how long there will be nothing to claim. */
  async step(): Promise<number> {
    const { store, clock, isCrowded } = this.#options;
    if (this.inHand.size >= MAX_CALLS) return NOTHING_DUE;
    // Without this check, each claim that ends would find the due endpoint calls again, and leave them.
    const crowdMs = this.#notBeforeMs - clock.monotonicMs();
    if (crowdMs > 0 && isCrowded?.()) return crowdMs;
    const shares = this.inHand.shares(MAX_CALLS - this.inHand.size);
    const nextAt = await store.read((reader) => nextTurnAt(reader, "webhooks", shares.without));
    const restMs = restUntil(nextAt, clock.nowMs());
    if (restMs > 0) return restMs;
    const heldUntilMs = clock.monotonicMs() + this.#options.leaseMs;
    const calls = await store.write((tx) => takeInTurn(tx, this.#due, MAX_CALLS - this.inHand.size, shares));
    for (const call of calls) this.inHand.take(call.seq, () => this.#deliver(call, heldUntilMs), call.workspace);
    return calls.length > 0 ? 0 : BLOCKED_REST_MS;
  }

  /**
   * The chosen calls that no other process has claimed. Those of disabled workflows and endpoints wait until these are
   * enabled again.
   */
  async #claim(tx: Tx, workspace: number, most: number): Promise<WebhookCall[]> {
    const { timeoutMs, leaseMs, senders } = this.#options;
    const chosen = (await this.#choose(tx, workspace)).slice(0, most);
    if (chosen.length === 0) return [];
    if ((await disabledAmong(tx, [workspace])).size > 0) {
      await deferCalls(
        tx,
        chosen.map(({ seq }) => seq),
        iso(tx.nowMs + DISABLED_REST_MS),
      );
      return [];
    }
    const calls: WebhookCall[] = [];
    for (const [sender, theirs] of [
      [senders.steps, chosen.filter(({ endpoint }) => endpoint === null)],
      [senders.endpoints, this.#unlessCrowded(chosen.filter(({ endpoint }) => endpoint !== null))],
    ] as const) {
      if (theirs.length === 0) continue;
      const admitted = await sender.admit(
        tx,
        theirs.map(({ seq }) => seq),
      );
      if (admitted.length === 0) continue;
      const claimed = await claimCalls(tx, admitted, iso(tx.nowMs + timeoutMs + leaseMs));
      if (claimed.length === 0) continue;
      await insertAttempts(
        tx,
        claimed.map(({ seq }) => seq),
      );
      calls.push(...(await sender.calls(tx, claimed)));
    }
    return calls;
  }

  /** A few, now and then, while callers are many. */
  #unlessCrowded(candidates: readonly WebhookCandidate[]): readonly WebhookCandidate[] {
    const { clock, isCrowded } = this.#options;
    if (candidates.length === 0 || !isCrowded?.()) return candidates;
    const nowMs = clock.monotonicMs();
    if (nowMs < this.#notBeforeMs) return [];
    this.#notBeforeMs = nowMs + BLOCKED_REST_MS;
    return candidates.slice(0, CALLS_IN_CROWD);
  }

  /** The oldest first; if one origin has no room, the webhooks due at others. */
  async #choose(tx: Tx, workspace: number): Promise<readonly WebhookCandidate[]> {
    const choice = new OriginChoice(workspace, this.#origins, this.inHand);
    choice.add(await dueCalls(tx, workspace, tx.now, MAX_CALLS));
    if (choice.full.length > 0) {
      const full = [...new Set([...choice.full, ...this.#origins.fullFor(workspace)])];
      const due = await originsDue(tx, workspace, full, { now: tx.now, most: MAX_CALLS });
      const others = due.filter((origin) => choice.mayTake(origin)).slice(0, MAX_ORIGINS_A_CLAIM);
      const places = others.map((origin) => ({ origin, limit: this.#origins.room(origin) }));
      if (places.length > 0) choice.add(await dueCallsAt(tx, workspace, places, tx.now));
    }
    return choice.chosen;
  }

  async #deliver(call: WebhookCall, heldUntilMs: number): Promise<void> {
    const { store, clock, log } = this.#options;
    this.#origins.callBegun(call.workspace, call.origin);
    try {
      const startedMs = clock.monotonicMs();
      const answer = await this.#attempt(call, heldUntilMs);
      if (answer === null) return;
      const durationMs = Math.round(clock.monotonicMs() - startedMs);
      this.#origins.noteReached(call.origin, answer.kind !== "unreachable");
      await store.write((tx) => settleCall(tx, call, { answer, durationMs }));
    } catch (error) {
      log.error("a webhook in hand could not be settled; its lease will run out", { webhook: call.id, error });
    } finally {
      this.#origins.callEnded(call.workspace, call.origin);
    }
  }

  /** If the process stood still for longer than a lease, the store knows of another claim. */
  async #isOwn(call: WebhookCall, heldUntilMs: number): Promise<boolean> {
    const { store, clock, log, timeoutMs, leaseMs } = this.#options;
    if (clock.monotonicMs() < heldUntilMs) return true;
    const renewed = await store.write((tx) => renewCall(tx, call, iso(tx.nowMs + timeoutMs + leaseMs)));
    if (renewed === 0) log.warn("this process was suspended; another has taken over a webhook", { webhook: call.id });
    return renewed > 0;
  }

  /** Null: no call was made, since another process has claimed it, or it may not be sent at present. */
  async #attempt(call: WebhookCall, heldUntilMs: number): Promise<WebhookAnswer | null> {
    const { store, secrets, clock, log } = this.#options;
    const { id, signedAs: as } = call;
    const encrypted = as === null ? [] : await store.read((reader) => call.secrets(reader, clock.nowMs()));
    if (as !== null && encrypted.length === 0)
      return { kind: "refused", reason: "The workspace has no webhook secret." };
    if (!(await this.#isOwn(call, heldUntilMs))) return null;
    try {
      const request = await call.request();
      if (request === null) {
        await store.write((tx) => giveBack(tx, call));
        return null;
      }
      const [keys, nowMs] = [encrypted.map((one) => secrets.decrypt(one)), clock.nowMs()];
      const sign = (body: string) => (as === null ? {} : signatureOf({ id, as, secrets: keys }, body, nowMs));
      return await exchange(request, sign, this.#options);
    } catch (error) {
      if (error instanceof UnfitRequest) return { kind: "refused", reason: error.message };
      log.error("a webhook could not be sent", { webhook: call.id, error });
      return { kind: "unreachable", reason: "An unexpected fault; the server's log has it." };
    }
  }
}
