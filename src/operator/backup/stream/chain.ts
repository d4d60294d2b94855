// The unbroken chain of segments that a server cuts its log into.
import { iso, type Clock } from "../../../base/clock.ts";
import type { LogReader } from "../../../store/sqlite/log.ts";
import { PageCollector, type PageBatch } from "./gathered.ts";
import { newGeneration, segmentName } from "./names.ts";
import { MOST_BODY_BYTES, newKey, packSegment, SEGMENT_FORMAT } from "./segment.ts";
import type { Spool } from "./spool.ts";

type ChainOptions = {
  readonly reader: LogReader;
  readonly spool: Spool;
  readonly clock: Clock;
  readonly isSealed: boolean;
};

/** A segment of this size is cut even while others are still waiting. */
const LARGE_BYTES = 16 * 1024 * 1024;

export class Chain {
  readonly generation: string;
  /** The key of its segments, kept in the snapshots, which are encrypted; null: they are not encrypted. */
  readonly key: string | null;
  readonly #around: ChainOptions;
  readonly #gathered: PageCollector;
  readonly #pageBytes: number;
  #sequence = 0;
  #before = "";
  #from = 1;
  #cutting: Promise<void> = Promise.resolve();

  constructor(around: ChainOptions) {
    const { clock, reader, isSealed } = around;
    this.generation = newGeneration(iso(clock.nowMs()));
    this.key = isSealed ? newKey() : null;
    this.#around = around;
    this.#gathered = new PageCollector(
      () => (this.#from = this.#sequence + 1),
      () => clock.nowMs(),
      () => this.#cutIfLarge(),
    );
    this.#pageBytes = reader.pageBytes;
  }

  /** The segment with the first commit that may be missing in the database file from here on. */
  get from(): number {
    return this.#from;
  }

  /** When the oldest change that is in no segment yet was read; null: all are. */
  get firstAtMs(): number | null {
    return this.#gathered.firstAtMs;
  }

  /** Reads all that has been committed. @throws LogChangedError */
  read(): void {
    this.#around.reader.read(this.#gathered);
  }

  /** After a commit. @throws Error if the commit alone is more than a segment may be */
  #cutIfLarge(): void {
    if (this.#gathered.bytes > MOST_BODY_BYTES)
      throw new Error("one transaction has changed more than a segment holds");
    if (this.#gathered.bytes >= LARGE_BYTES) this.cut().catch(() => undefined);
  }

  /**
   * Makes a segment of the changes read, if any. Answers the number of the last segment, once it is in the spool.
   * @throws as the disk says; then and ever after, since the row is broken
   */
  async cut(): Promise<number> {
    const { clock } = this.#around;
    if (!this.#gathered.isEmpty) {
      const [batch, sequence, at] = [this.#gathered.take(), ++this.#sequence, iso(clock.nowMs())];
      this.#cutting = this.#cutting.then(() => this.#pack(batch, sequence, at));
    }
    const last = this.#sequence;
    await this.#cutting;
    return last;
  }

  async #pack({ body, size, firstAtMs }: PageBatch, sequence: number, at: string): Promise<void> {
    const { generation, key } = this;
    const about = { format: SEGMENT_FORMAT, generation, sequence, at, pageBytes: this.#pageBytes, pages: size };
    const { bytes, sha256 } = await packSegment({ ...about, before: this.#before }, body, key);
    this.#before = sha256;
    this.#gathered.giveBack(body);
    this.#around.spool.add(segmentName({ generation, sequence, at }), bytes, firstAtMs);
  }
}
