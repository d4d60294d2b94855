// The condition under which new sender domains get a warm-up.
import type { Config } from "../../base/config.ts";

/** Not if no way sends mail. */
export function isWanted({ delivery, ways }: Pick<Config, "delivery" | "ways">): boolean {
  return delivery.warmUp && (delivery.transport !== "capture" || ways.length > 0);
}
