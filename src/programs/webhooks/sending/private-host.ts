// Hosts that are plainly not on the public internet: reported when a webhook is saved, since nothing is resolved then.
import { isIP } from "node:net";
import { isPublicAddress } from "../../../base/ip-addresses.ts";
import { hostOf, isAllowed, originOf } from "./url.ts";

/** Names of one machine, one network, or the containers of one (RFC 6761, RFC 6762, RFC 8375, and Docker's). */
const PRIVATE = /^[^.]+$|(^|\.)(localhost|local|internal|lan|home\.arpa|test|invalid|example)$/i;

/** The fault of a URL whose host webhooks do not go to; null = none is known. */
export function privateHost(url: string, allow: readonly string[]): string | null {
  const origin = originOf(url);
  if (origin === null || isAllowed(new URL(origin), allow)) return null;
  const host = hostOf(new URL(origin));
  if (isIP(host) === 0 ? !PRIVATE.test(host) : isPublicAddress(host)) return null;
  return `${host} is not on the public internet, so nothing is sent there unless [webhooks] allow of the configuration names it.`;
}
