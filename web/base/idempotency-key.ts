// An idempotency key per form, so that a repeated call takes effect once.
import { useState } from "react";

const KEY_BYTES = 16;

/** Stable while the component is mounted. */
export function useIdempotencyKey(): { readonly headers: { readonly "Idempotency-Key": string } } {
  const [key] = useState(() => crypto.getRandomValues(new Uint8Array(KEY_BYTES)).join("-"));
  return { headers: { "Idempotency-Key": key } };
}
