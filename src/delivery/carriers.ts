// Who carries mails: a thread of their own, so that rendering, composing and TLS never hold up HTTP; or this one, in tests.
import { carry, previewOf, rawMessage, type Carried, type Preview } from "./carrier.ts";
import type { CarrierReply, CarrierRequest } from "./carrier-worker.ts";
import type { Draft, Handover } from "./handover.ts";
import type { Transport } from "./transport.ts";
import type { TransportOptions } from "./transports.ts";

export interface Carriers {
  send(handover: Handover): Promise<Carried>;
  /** The message as it is or was sent. */
  raw(handover: Handover): Promise<Buffer>;
  /** What a mail would say. */
  preview(draft: Draft): Promise<Preview>;
  close(): Promise<void>;
}

/** In this thread, through a transport that is already there. */
export function carriersHere(transport: Transport): Carriers {
  return {
    send: (handover) => carry(handover, transport),
    raw: rawMessage,
    preview: async (draft) => previewOf(draft),
    close: () => transport.close(),
  };
}

/** In a thread that is started at the first mail and builds its own transport. */
export function carriersInThread(options: TransportOptions): Carriers {
  return new ThreadedCarriers(options);
}

type Pending = { readonly resolve: (result: never) => void; readonly reject: (reason: Error) => void };

class ThreadedCarriers implements Carriers {
  readonly #options: TransportOptions;
  readonly #pending = new Map<number, Pending>();
  #outbox: CarrierRequest[] = [];
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  send(handover: Handover): Promise<Carried> {
    return this.#ask((id) => ({ id, kind: "send", handover }));
  }

  async raw(handover: Handover): Promise<Buffer> {
    return Buffer.from(await this.#ask<Uint8Array>((id) => ({ id, kind: "raw", handover })));
  }

  preview(draft: Draft): Promise<Preview> {
    return this.#ask((id) => ({ id, kind: "preview", draft }));
  }

  async close(): Promise<void> {
    if (!this.#worker) return;
    await this.#ask((id) => ({ id, kind: "close" }));
    this.#worker?.terminate();
    this.#worker = null;
  }

  /** What is asked in one turn of the event loop crosses over in one message. */
  #ask<Result>(request: (id: number) => CarrierRequest): Promise<Result> {
    this.#worker ??= this.#start();
    const id = ++this.#lastId;
    if (this.#outbox.push(request(id)) === 1) setImmediate(() => this.#post());
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }));
  }

  #post(): void {
    this.#worker?.postMessage(this.#outbox);
    this.#outbox = [];
  }

  #start(): Worker {
    const worker = new Worker(new URL("./carrier-worker.ts", import.meta.url).href);
    worker.onmessage = ({ data }: MessageEvent<CarrierReply[]>) => data.forEach((reply) => this.#settle(reply));
    worker.onerror = (event) => this.#lost(event.message);
    worker.postMessage([{ id: 0, kind: "open", options: this.#options }] satisfies CarrierRequest[]);
    worker.unref();
    return worker;
  }

  #settle(reply: CarrierReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ("error" in reply) pending?.reject(new Error(reply.error));
    else pending?.resolve(reply.result as never);
  }

  /** The next mail starts another thread; what was in hand in this one is not known to have left. */
  #lost(message: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    lost.forEach((one) => one.reject(new Error(`The carrying thread stopped: ${message}`)));
  }
}
