// What commits have changed since the last segment was cut: each page as the last one left it.
import type { LogSink } from "../../store/sqlite-log.ts";

/** `firstAtMs`: when the first of it was read. */
export type Batch = { readonly pages: Map<number, Buffer>; readonly size: number; readonly firstAtMs: number };

export class Gathered implements LogSink {
  #pages = new Map<number, Buffer>();
  #size = 0;
  #bytes = 0;
  #firstAtMs = 0;

  constructor(
    private readonly started: () => void,
    private readonly nowMs: () => number,
  ) {}

  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** Null: there is nothing. */
  get firstAtMs(): number | null {
    return this.isEmpty ? null : this.#firstAtMs;
  }

  onStart(): void {
    this.started();
  }

  onPage(page: number, content: Buffer): void {
    const known = this.#pages.get(page);
    if (known) return void content.copy(known);
    this.#pages.set(page, Buffer.from(content));
    this.#bytes += content.length;
  }

  onCommit(pages: number): void {
    if (this.isEmpty) this.#firstAtMs = this.nowMs();
    this.#size = pages;
  }

  /** Takes what there is, and begins anew. */
  take(): Batch {
    const batch = { pages: this.#pages, size: this.#size, firstAtMs: this.#firstAtMs };
    this.#pages = new Map();
    [this.#size, this.#bytes] = [0, 0];
    return batch;
  }
}
