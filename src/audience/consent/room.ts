// The consent room: a ledger of what people agreed to.
import type { Ground, Room } from "../../ground/ground.ts";
import { CHAIN_EVERY_MS, Chainer } from "./chain.ts";

export function openConsent({ store }: Ground): Room {
  const chainer = new Chainer(store);
  return {
    loops: [{ name: "chaining the ledger of consent", step: () => chainer.step(), lookEveryMs: CHAIN_EVERY_MS }],
  };
}
