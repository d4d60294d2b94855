// A thread for tests of WorkerThread: does what it is told, badly if told so.
import { askBack, carryOutWhatIsAsked } from "../../src/base/jobs/worker-side.ts";

export type Order =
  | { readonly kind: "open"; readonly fault?: string }
  | { readonly kind: "note" | "ask"; readonly what: string }
  | { readonly kind: "fail"; readonly message: string; readonly code: string }
  | { readonly kind: "stand still"; readonly until: Int32Array }
  | { readonly kind: "never" | "break" | "leave" };

const noted: string[] = [];
const LONGEST_MS = 4_000;

carryOutWhatIsAsked<Order>((order) => {
  if (order.kind === "open" && order.fault) throw new Error(order.fault);
  if (order.kind === "note") return noted.push(order.what) && [...noted];
  if (order.kind === "ask") return askBack(order.what);
  if (order.kind === "fail") throw Object.assign(new Error(order.message), { code: order.code });
  if (order.kind === "stand still") return Atomics.wait(order.until, 0, 0, LONGEST_MS);
  if (order.kind === "break") setTimeout(() => Promise.reject(new Error("a fault that nobody catches")), 0);
  if (order.kind === "leave") process.exit(0);
  return order.kind === "open" ? null : new Promise(() => {});
});
