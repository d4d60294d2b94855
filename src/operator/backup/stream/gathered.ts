// The changes committed since the last segment was cut: each page as the last commit left it, as the body of a segment.
import type { LogSink } from "../../../store/sqlite/log.ts";
import { NUMBER_BYTES } from "./segment.ts";

/**
 * `body`: the pages, each after its number. `size`: of the database, in pages. `firstAtMs`: when the first change was
 * read.
 */
export type PageBatch = { readonly body: Memory; readonly size: number; readonly firstAtMs: number };

type Memory = Buffer<ArrayBuffer>;

const FIRST_BYTES = 1024 * 1024;
const MOST_SPARE_BYTES = 8 * 1024 * 1024;

export class PageCollector implements LogSink {
  #body: Memory = Buffer.allocUnsafeSlow(FIRST_BYTES);
  /** New memory costs more than the copy into it. */
  #spare: Memory | null = null;
  #bytes = 0;
  /** Where in the body each page is. */
  readonly #places = new Map<number, number>();
  #size = 0;
  #firstAtMs = 0;

  constructor(
    private readonly started: () => void,
    private readonly nowMs: () => number,
    private readonly committed: () => void,
  ) {}

  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** Null: nothing is gathered. */
  get firstAtMs(): number | null {
    return this.isEmpty ? null : this.#firstAtMs;
  }

  onStart(): void {
    this.started();
  }

  onPage(page: number, content: Buffer): void {
    const place = this.#places.get(page) ?? this.#newPlace(page, content.length);
    content.copy(this.#body, place);
  }

  onCommit(pages: number): void {
    if (this.isEmpty) this.#firstAtMs = this.nowMs();
    this.#size = pages;
    this.committed();
  }

  /** Takes the gathered pages, and begins anew. */
  take(): PageBatch {
    const batch = { body: this.#body.subarray(0, this.#bytes), size: this.#size, firstAtMs: this.#firstAtMs };
    this.#body = this.#spare ?? Buffer.allocUnsafeSlow(FIRST_BYTES);
    this.#spare = null;
    this.#places.clear();
    [this.#size, this.#bytes] = [0, 0];
    return batch;
  }

  /** The body of a batch is no longer needed. */
  giveBack(body: Memory): void {
    if (body.buffer.byteLength <= MOST_SPARE_BYTES) this.#spare = Buffer.from(body.buffer);
  }

  #newPlace(page: number, length: number): number {
    const place = this.#bytes + NUMBER_BYTES;
    if (place + length > this.#body.length) this.#grow();
    this.#body.writeUInt32BE(page, this.#bytes);
    this.#places.set(page, place);
    this.#bytes = place + length;
    return place;
  }

  #grow(): void {
    const larger = Buffer.allocUnsafeSlow(this.#body.length * 2);
    this.#body.copy(larger, 0, 0, this.#bytes);
    this.#body = larger;
  }
}
