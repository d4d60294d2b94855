// Answers whose JSON the store has made.

/**
 * From this size on, Bun writes an answer that was awaited piece by piece, each header in several system calls. It
 * writes a stream immediately.
 */
const LARGE_BYTES = 15 * 1024;

type HeaderSet = { headers: Record<string, string | number> };
type Sink = { readonly write: (text: string) => void; readonly end: () => void };

/** An answer 200 of the joined JSON pieces, with the headers that are set so far; it leaves in one write. */
export function jsonAnswer(pieces: readonly string[], set: HeaderSet): Response {
  const headers = { ...(set.headers as Record<string, string>), "content-type": "application/json" };
  // Elysia would add them once more, to a value that is no longer a plain object.
  set.headers = {};
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return new Response(length < LARGE_BYTES ? pieces.join("") : endingAtOnce(pieces), { headers });
}

/** A stream of known length, as it ends the moment it begins. */
function endingAtOnce(pieces: readonly string[]): ReadableStream {
  const pull = (sink: Sink) => {
    for (const piece of pieces) sink.write(piece);
    sink.end();
  };
  return new ReadableStream({ type: "direct", pull } as never, { highWaterMark: Infinity });
}
