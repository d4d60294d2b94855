// Opens the transport that the configuration names.
import type { SesOptions } from "./ses/ses.ts";
import { smtpRelay, type SmtpRelayOptions } from "./smtp/relay.ts";
import { withSimulator } from "./transport/simulated.ts";
import type { Transport } from "./transport/transport.ts";

/** Plain data, as it is posted to a carrying thread. */
export type TransportOptions =
  | { readonly kind: "capture" }
  | { readonly kind: "smtp"; readonly relay: SmtpRelayOptions }
  | { readonly kind: "ses"; readonly ses: SesOptions };

/** The AWS SDK takes 30 MB, so it is loaded only for SES. */
export async function transportFor(options: TransportOptions): Promise<Transport> {
  return withSimulator(await configured(options));
}

async function configured(options: TransportOptions): Promise<Transport> {
  if (options.kind === "smtp") return smtpRelay(options.relay);
  if (options.kind === "ses") return (await import("./ses/ses.ts")).sesTransport(options.ses);
  return capture();
}

/** The default: accepts every mail and sends none. */
function capture(): Transport {
  return {
    send: async () => ({ kind: "accepted", reply: "captured" }),
    close: async () => {},
  };
}
