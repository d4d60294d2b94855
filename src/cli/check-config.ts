// `posthorn check-config`: reports that the configuration is fine, or every fault at once.
import { readCertificate } from "../certificates/read.ts";
import { configOrigin } from "../config.ts";
import { transportOptions } from "../delivery/sending-options.ts";
import { warningsOf } from "../ground.ts";
import type { Call, Verb } from "./verb.ts";

export const CHECK_CONFIG: Verb = {
  name: "check-config",
  summary: "Reports every fault of the configuration at once, or that it is fine",
  run: check,
};

async function check(call: Call): Promise<void> {
  const config = call.config();
  for (const section of ["http", "smtp"] as const) {
    const { certFile, keyFile } = config[section];
    if (certFile !== null && keyFile !== null) readCertificate({ section, certFile, keyFile });
  }
  // Reads the CA certificates of the relay.
  transportOptions(config);
  const { file, variables } = configOrigin(call.configOptions);
  const environment = variables.length > 0 ? `, and from ${variables.join(", ")}` : "";
  call.io.out("configuration is fine");
  call.io.out(`It comes from ${file ?? "the defaults, since there is no config.toml here"}${environment}.`);
  for (const warning of warningsOf(config)) call.io.out(warning);
}
