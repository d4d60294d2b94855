// The bytes of a message from outside, slice by slice, so that none of it needs much memory.
import type { Store } from "../store/store.ts";
import { sliceOfContent } from "./received-queries.ts";

/** Ends where the message ends, or where it was deleted meanwhile. */
export async function* slicesOf(store: Store, content: number): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const slice = await store.read((reader) => sliceOfContent(reader, content, number), { long: true });
    if (!slice) return;
    yield slice;
  }
}

/** For an answer: goes on when the caller has taken what is there. */
export function receivedBytes(store: Store, content: number): ReadableStream<Uint8Array> {
  const slices = slicesOf(store, content);
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await slices.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await slices.return(undefined)),
  });
}
