// Memory of megabytes, freed before the garbage collector gets to it: it would let too many large mails pile up.

/** Below, the collector is quick enough. */
const LARGE_BYTES = 1024 * 1024;

/** Frees what nobody looks at any more; nothing else may share its memory. */
export function release({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= LARGE_BYTES) buffer.transfer(0);
}

/** Collects what earlier work of this thread has left behind, before work that takes so many bytes. */
export function makeRoom(bytes: number): void {
  if (bytes >= LARGE_BYTES) Bun.gc(true);
}
