// A key under which a call takes effect once, however often it is made: an answer may be lost on its way.
import { useState } from "react";

const KEY_BYTES = 16;

/** The same as long as the part is shown. */
export function useIdempotencyKey(): { readonly headers: { readonly "Idempotency-Key": string } } {
  const [key] = useState(() => crypto.getRandomValues(new Uint8Array(KEY_BYTES)).join("-"));
  return { headers: { "Idempotency-Key": key } };
}
