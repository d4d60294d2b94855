// Load on one server from a process of its own, which adds up what was acknowledged.
import { Child } from "./child.ts";
import type { LoadResult, LoadTask } from "./client.ts";
import { sendRequestText, type SendTerms } from "./send-requests.ts";
import type { ServerProcess } from "./server-process.ts";

export type LoadTerms = Omit<LoadTask, "url" | "text"> & Pick<SendTerms, "recipients" | "sendAt">;

export class Load implements AsyncDisposable {
  readonly #server: ServerProcess;
  readonly #client = new Child("client.ts");
  #runs = 0;
  #mails = 0;

  constructor(server: ServerProcess) {
    this.#server = server;
  }

  /** Mails that the server has answered 200 for. */
  get acknowledged(): number {
    return this.#mails;
  }

  /** @throws Error if anything but 200 was answered: such a run is void */
  async run(terms: LoadTerms): Promise<LoadResult> {
    const { url, key } = this.#server;
    const text = sendRequestText({ ...terms, url, key, run: `r${++this.#runs}` });
    const result = await this.#client.ask<LoadResult>({ ...terms, url, text } satisfies LoadTask);
    if (Object.keys(result.refused).length > 0) throw new Error(`Refused: ${JSON.stringify(result.refused)}`);
    this.#mails += result.acknowledged * terms.recipients;
    return result;
  }

  /** @throws Error unless the server has exactly as many mails as it has acknowledged */
  async verify(): Promise<void> {
    const stored = await this.#server.mails();
    if (stored !== this.#mails) throw new Error(`${this.#mails} mails acknowledged, ${stored} stored`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client[Symbol.asyncDispose]();
  }
}
