// Whether new sender domains get a warm-up.
import type { Config } from "../../base/config.ts";

/** Not where mail does not leave. */
export function isWanted({ delivery, ways }: Pick<Config, "delivery" | "ways">): boolean {
  return delivery.warmUp && (delivery.transport !== "capture" || ways.length > 0);
}
