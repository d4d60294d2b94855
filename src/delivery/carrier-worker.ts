// Runs on the carrying thread: builds its own transport, carries what it is handed, answers in batches.
import { carry, previewOf, rawMessage } from "./carrier.ts";
import type { Draft, Handover } from "./handover.ts";
import type { Transport } from "./transport.ts";
import { stepBack } from "../jobs/thread-priority.ts";
import { transportFor, type TransportOptions } from "./transports.ts";

export type CarrierRequest = { readonly id: number } & (
  | { readonly kind: "open"; readonly options: TransportOptions }
  | { readonly kind: "send" | "raw"; readonly handover: Handover }
  | { readonly kind: "preview"; readonly draft: Draft }
  | { readonly kind: "close" }
);
export type CarrierReply = { readonly id: number } & ({ readonly result: unknown } | { readonly error: string });

declare const self: Worker;

let transport: Promise<Transport> | null = null;
let outbox: CarrierReply[] = [];

self.onmessage = ({ data }: MessageEvent<CarrierRequest[]>) => {
  for (const request of data) void answer(request);
};

async function answer(request: CarrierRequest): Promise<void> {
  try {
    reply({ id: request.id, result: await carriedOut(request) });
  } catch (error) {
    reply({ id: request.id, error: error instanceof Error ? error.message : String(error) });
  }
}

async function carriedOut(request: CarrierRequest): Promise<unknown> {
  if (request.kind === "open") {
    stepBack();
    transport = transportFor(request.options);
    await transport;
    return null;
  }
  if (!transport) throw new Error("The carrying thread has no transport.");
  if (request.kind === "send") return carry(request.handover, await transport);
  if (request.kind === "raw") return rawMessage(request.handover);
  if (request.kind === "preview") return previewOf(request.draft);
  await (await transport).close();
  return null;
}

function reply(message: CarrierReply): void {
  if (outbox.push(message) > 1) return;
  setImmediate(() => {
    self.postMessage(outbox);
    outbox = [];
  });
}
