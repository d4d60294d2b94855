// Segments waiting to be shipped: a few in memory, more in files, up to a limit.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** `atMs`: when the oldest change in it was read. `bytes` null: it is in a file. */
type SpoolEntry = {
  readonly name: string;
  readonly atMs: number;
  readonly length: number;
  readonly bytes: Buffer | null;
};

const IN_MEMORY = 16 * 1024 * 1024;

export class Spool {
  readonly #waiting: SpoolEntry[] = [];
  #bytes = 0;
  #inMemory = 0;

  /** Removes what another process has left in the folder: no segment could follow it. */
  constructor(private readonly folder: string) {
    this.clear();
  }

  get bytes(): number {
    return this.#bytes;
  }

  get oldestAtMs(): number | null {
    return this.#waiting[0]?.atMs ?? null;
  }

  add(name: string, bytes: Buffer, atMs: number): void {
    const { length } = bytes;
    const fits = this.#inMemory + length <= IN_MEMORY;
    if (fits) this.#inMemory += length;
    else {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(this.folder, name), bytes, { mode: 0o600 });
    }
    this.#bytes += length;
    this.#waiting.push({ name, atMs, length, bytes: fits ? bytes : null });
  }

  /** The first segment; null = none. */
  first(): { readonly name: string; readonly bytes: Buffer } | null {
    const [first] = this.#waiting;
    return first ? { name: first.name, bytes: first.bytes ?? readFileSync(join(this.folder, first.name)) } : null;
  }

  /** The segment has arrived. Nothing happens if the spool was cleared meanwhile. */
  remove(name: string): void {
    const [first] = this.#waiting;
    if (first?.name !== name) return;
    this.#waiting.shift();
    this.#bytes -= first.length;
    if (first.bytes) this.#inMemory -= first.length;
    else rmSync(join(this.folder, name), { force: true });
  }

  clear(): void {
    this.#waiting.length = 0;
    [this.#bytes, this.#inMemory] = [0, 0];
    rmSync(this.folder, { recursive: true, force: true });
  }
}
