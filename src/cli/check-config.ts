// `posthorn check-config`: reports that the configuration is fine, or every fault at once.
import { configOrigin } from "../config.ts";
import { transportOptions } from "../delivery/sending-options.ts";
import { warningsOf } from "../ground.ts";
import { readCertificate } from "../smtp-listener/certificate.ts";
import type { Call, Verb } from "./verb.ts";

export const CHECK_CONFIG: Verb = {
  name: "check-config",
  summary: "Reports every fault of the configuration at once, or that it is fine",
  run: check,
};

async function check(call: Call): Promise<void> {
  const config = call.config();
  const { certFile, keyFile } = config.smtp;
  if (certFile !== null && keyFile !== null) readCertificate(certFile, keyFile);
  // Reads the CA certificates of the relay.
  transportOptions(config);
  const { file, variables } = configOrigin(call.configOptions);
  const environment = variables.length > 0 ? `, and from ${variables.join(", ")}` : "";
  call.io.out("configuration is fine");
  call.io.out(`It comes from ${file ?? "the defaults, since there is no config.toml here"}${environment}.`);
  for (const warning of warningsOf(config)) call.io.out(warning);
}
