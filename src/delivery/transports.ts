// Which transport the configuration asks for.
import { capture } from "./capture.ts";
import { sesTransport, type SesOptions } from "./ses.ts";
import { smtpRelay, type SmtpRelayOptions } from "./smtp-relay.ts";
import type { Transport } from "./transport.ts";

/** Plain data: it crosses over to the carrying thread. */
export type TransportOptions =
  | { readonly kind: "capture" }
  | { readonly kind: "smtp"; readonly relay: SmtpRelayOptions }
  | { readonly kind: "ses"; readonly ses: SesOptions };

export function transportFor(options: TransportOptions): Transport {
  if (options.kind === "smtp") return smtpRelay(options.relay);
  if (options.kind === "ses") return sesTransport(options.ses);
  return capture();
}
