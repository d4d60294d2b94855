// Opens the transport that the configuration names.
import { NO_TOKENS, type AccessTokens } from "../../ground/way-tokens/way-tokens.ts";
import type { GraphOptions } from "./graph.ts";
import type { SesOptions } from "./ses/ses.ts";
import { smtpRelay, type SmtpRelayOptions } from "./smtp/relay.ts";
import { withSimulator } from "./transport/simulated.ts";
import type { Transport } from "./transport/transport.ts";

/** Plain data, as it is posted to a carrying thread. */
export type TransportOptions =
  | { readonly kind: "capture" }
  | { readonly kind: "smtp"; readonly relay: SmtpRelayOptions }
  | { readonly kind: "ses"; readonly ses: SesOptions }
  | { readonly kind: "graph"; readonly graph: GraphOptions };

/** The AWS SDK takes 30 MB, so it is loaded only for SES. */
export async function transportFor(options: TransportOptions, tokens: AccessTokens = NO_TOKENS): Promise<Transport> {
  return withSimulator(await configured(options, tokens));
}

async function configured(options: TransportOptions, tokens: AccessTokens): Promise<Transport> {
  if (options.kind === "smtp") return smtpRelay({ ...options.relay, tokens });
  if (options.kind === "ses") return (await import("./ses/ses.ts")).sesTransport(options.ses);
  if (options.kind === "graph") return (await import("./graph.ts")).graphTransport(options.graph, tokens);
  return capture();
}

/** The default: accepts every mail and sends none. */
function capture(): Transport {
  return {
    send: async () => ({ kind: "accepted", reply: "captured" }),
    close: async () => {},
  };
}
