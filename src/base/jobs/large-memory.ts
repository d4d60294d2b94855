// Memory of megabytes, freed ahead of the garbage collector, which would let too many large mails pile up.

/** Below this size, the collector is quick enough. */
const LARGE_BYTES = 1024 * 1024;

/** Frees a buffer that is no longer used; nothing else may share its memory. */
export function release({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= LARGE_BYTES) buffer.transfer(0);
}

/** Collects the garbage of earlier work on this thread, before work that takes so many bytes. */
export function makeRoom(bytes: number): void {
  if (bytes >= LARGE_BYTES) Bun.gc(true);
}
