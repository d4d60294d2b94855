// The consent room: a ledger of what people agreed to.
import type { Ground, Room } from "../ground.ts";
import { Chainer, signerOfHeads } from "./chain.ts";

export function openConsent({ store, secrets }: Ground): Room {
  const chainer = new Chainer(store, signerOfHeads(secrets));
  return { loops: [{ name: "chaining the ledger of consent", step: () => chainer.step() }] };
}
