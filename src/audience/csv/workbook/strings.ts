// The texts that cells share, in one piece of memory: a million of them would fill it many times over as values.
import { WorkbookFault } from "./fault.ts";

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_STRINGS = 4_000_000;

export class SharedStrings {
  #bytes = Buffer.alloc(64 * 1024);
  /** Where each text ends. */
  #ends = new Uint32Array(1024);
  #count = 0;

  /** @throws WorkbookFault */
  add(text: string): void {
    const start = this.#end(this.#count);
    const end = start + Buffer.byteLength(text);
    if (end > MAX_BYTES || this.#count >= MAX_STRINGS) throw new WorkbookFault("big_file");
    if (end > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], Math.max(end, 2 * this.#bytes.length));
    if (this.#count === this.#ends.length) {
      const longer = new Uint32Array(2 * this.#count);
      longer.set(this.#ends);
      this.#ends = longer;
    }
    this.#bytes.write(text, start);
    this.#ends[this.#count++] = end;
  }

  /** @throws WorkbookFault if there is no such text */
  at(index: number): string {
    if (!(index >= 0 && index < this.#count)) throw new WorkbookFault("broken_file");
    return this.#bytes.toString("utf8", this.#end(index), this.#end(index + 1));
  }

  #end(count: number): number {
    return count === 0 ? 0 : (this.#ends[count - 1] as number);
  }
}
