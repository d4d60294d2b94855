// The bytes of a message from outside, slice by slice, so that none of it needs much memory.
import type { Store } from "../store/store.ts";
import { sliceOfContent } from "./received-queries.ts";

type Received = { readonly workspace: number; readonly content: number };

/** Ends where the message ends, or where it was deleted meanwhile. */
export async function* slicesOf(store: Store, { workspace, content }: Received): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const slice = await store.read((reader) => sliceOfContent(reader, content, number), { longFor: workspace });
    if (!slice) return;
    yield slice;
  }
}
