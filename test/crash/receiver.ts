// The receiver's process, as the test sees it.
import type { Subprocess } from "bun";
import { Lines } from "./lines.ts";
import type { Delivery } from "./receiver-process.ts";

const PROGRAM = new URL("receiver-process.ts", import.meta.url).pathname;

export class Receiver implements AsyncDisposable {
  readonly deliveries: Delivery[] = [];
  readonly #child: Subprocess<"pipe", "pipe", "inherit">;
  #onUrl: (url: string) => void = () => {};

  private constructor() {
    this.#child = Bun.spawn([process.execPath, PROGRAM], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
    void this.#listen();
  }

  static async start(): Promise<{ readonly receiver: Receiver; readonly url: string }> {
    const receiver = new Receiver();
    const url = await new Promise<string>((resolve) => (receiver.#onUrl = resolve));
    return { receiver, url };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill();
    await this.#child.exited;
  }

  async #listen(): Promise<void> {
    const [lines, decoder] = [new Lines(), new TextDecoder()];
    for await (const piece of this.#child.stdout) {
      for (const line of lines.add(decoder.decode(piece, { stream: true }))) {
        if (line.startsWith("http")) this.#onUrl(line);
        else this.deliveries.push(JSON.parse(line) as Delivery);
      }
    }
  }
}
