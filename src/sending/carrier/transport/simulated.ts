// The simulator in front of every transport: mail to simulator.test goes no further, and gets the answer in its
// address.
import { BoundedMap } from "../../../base/brakes/bounded-map.ts";
import { FATES, fateOf, type SimulationFate } from "../../../mail/emails/health/simulated-addresses.ts";
import { TAKEN_OVER, type FinishedMessage, type HandoverOutcome, type Transport } from "./transport.ts";

const SLOW_MS = 10_000;
/** Slow answers in parallel: each holds a connection for leaving mail. */
const MOST_SLOW = 4;
/** Mails that were deferred, and are accepted the next time. */
const MOST_DEFERRED = 10_000;

const REFUSALS: Partial<Record<SimulationFate | "unknown", HandoverOutcome>> = {
  failed: { kind: "failed", reply: "554 5.7.1 Simulated: refused because of its content" },
  unknown: {
    kind: "bounced",
    reply: `550 5.1.1 Simulated: there is no such mailbox. Those that are there: ${FATES.join(", ")}`,
  },
};
const LATER: HandoverOutcome = { kind: "later", reply: "451 4.7.1 Simulated: try again later" };
const ACCEPTED: HandoverOutcome = { kind: "accepted", reply: "250 2.0.0 Simulated: accepted" };

export function withSimulator(transport: Transport, slowMs = SLOW_MS): Transport {
  const deferred = new BoundedMap<string, true>(MOST_DEFERRED);
  let slow = 0;
  const simulate = async (
    { id, mayLeave, onSaid }: FinishedMessage,
    fate: SimulationFate | "unknown",
  ): Promise<HandoverOutcome> => {
    if (mayLeave && !(await mayLeave())) return TAKEN_OVER;
    const refusal = REFUSALS[fate];
    if (refusal) return refusal;
    if (fate === "deferred" && deferred.get(id) === undefined) {
      deferred.set(id, true);
      return LATER;
    }
    onSaid?.();
    if (fate === "slow" && slow < MOST_SLOW) {
      slow++;
      await new Promise((resolve) => setTimeout(resolve, slowMs));
      slow--;
    }
    return ACCEPTED;
  };
  return {
    send: (message) => {
      const fate = fateOf(message.envelope.recipient);
      return fate === null ? transport.send(message) : simulate(message, fate);
    },
    look: async () => (await transport.look?.()) ?? null,
    close: () => transport.close(),
  };
}
