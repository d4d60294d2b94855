// The default transport: every mail is accepted and kept (GET /emails/{id}/raw shows it), none leaves.
import type { Transport } from "./transport.ts";

export function capture(): Transport {
  return {
    send: async () => ({ kind: "accepted", reply: "captured" }),
    close: async () => {},
  };
}
