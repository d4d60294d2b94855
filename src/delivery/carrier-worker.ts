// Runs on the carrying thread: builds its own transport, carries what it is handed, answers in batches.
import { systemClock } from "../clock.ts";
import { LeastCostFirst } from "../jobs/least-cost-first.ts";
import { lowerThreadPriority } from "../jobs/thread-priority.ts";
import { askBack, carryOutWhatIsAsked } from "../jobs/worker-side.ts";
import { carry, rawMessage } from "./carrier.ts";
import type { Handover } from "./handover.ts";
import { mayLeaveBy } from "./hold.ts";
import type { Transport } from "./transport.ts";
import { transportFor, type TransportOptions } from "./transports.ts";

export type CarrierRequest =
  | { readonly kind: "open"; readonly options: TransportOptions }
  | {
      readonly kind: "send";
      readonly handover: Handover;
      /** Whether it is asked, just before it leaves, if the mail is still ours. */ readonly asks: boolean;
    }
  | { readonly kind: "raw"; readonly handover: Handover }
  | { readonly kind: "close" };

let transport: Promise<Transport> | null = null;
const line = new LeastCostFirst();

carryOutWhatIsAsked<CarrierRequest>(carriedOut, true);

async function carriedOut(request: CarrierRequest): Promise<unknown> {
  if (request.kind === "open") {
    lowerThreadPriority();
    transport = transportFor(request.options);
    await transport;
    return null;
  }
  if (!transport) throw new Error("The carrying thread has no transport.");
  if (request.kind === "send")
    return carry(request.handover, { transport: await transport, line, mayLeave: mayLeave(request) });
  if (request.kind === "raw") return rawMessage(request.handover, line);
  await (await transport).close();
  return null;
}

function mayLeave({ handover, asks }: Extract<CarrierRequest, { readonly kind: "send" }>) {
  return asks ? mayLeaveBy(() => askBack<number>(handover.id), systemClock) : undefined;
}
