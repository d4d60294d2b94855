// Which transport the configuration asks for.
import { capture } from "./capture.ts";
import type { SesOptions } from "./ses/ses.ts";
import { smtpRelay, type SmtpRelayOptions } from "./smtp/relay.ts";
import type { Transport } from "./transport.ts";

/** Plain data: it crosses over to the carrying thread. */
export type TransportOptions =
  | { readonly kind: "capture" }
  | { readonly kind: "smtp"; readonly relay: SmtpRelayOptions }
  | { readonly kind: "ses"; readonly ses: SesOptions };

/** The AWS SDK takes 30 MB: who does not send through SES does not load it. */
export async function transportFor(options: TransportOptions): Promise<Transport> {
  if (options.kind === "smtp") return smtpRelay(options.relay);
  if (options.kind === "ses") return (await import("./ses/ses.ts")).sesTransport(options.ses);
  return capture();
}
