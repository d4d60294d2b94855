// `posthorn check-config`: reports that the configuration is fine, or all faults together.
import { readCertificate } from "../../../base/certificates/read.ts";
import { configOrigin, type Config } from "../../../base/config.ts";
import { unusedText } from "../../../base/config/kept.ts";
import { transportOptions } from "../../../sending/open-ways/sending-options.ts";
import { warningsOf } from "../../../ground/ground.ts";
import { fitOf } from "../../../store/open.ts";
import { ForeignStoreError, schemaChange, NewerStoreError } from "../../../store/schema.ts";
import { configBeside } from "../beside.ts";
import type { VerbCall, Verb } from "../verb.ts";

export const CHECK_CONFIG: Verb = {
  name: "check-config",
  summary: "Reports every fault of the configuration at once, or that it is fine, and a store of another schema",
  notes: ["The store is looked at and not changed. Where this executable refuses it, the exit code is 2."],
  run: check,
};

async function check(call: VerbCall): Promise<void> {
  const config = call.config();
  for (const section of ["http", "smtp"] as const) {
    const { certFile, keyFile } = config[section];
    if (certFile !== null && keyFile !== null) readCertificate({ section, certFile, keyFile });
  }
  const kept = await configBeside(call);
  // Reads the CA certificates of the relay.
  transportOptions(kept.config);
  const { file, variables } = configOrigin(call.configOptions);
  const environment = variables.length > 0 ? `, and from ${variables.join(", ")}` : "";
  call.io.out("configuration is fine");
  call.io.out(`It comes from ${file ?? "the defaults, since there is no config.toml here"}${environment}.`);
  for (const warning of warningsOf(kept.config)) call.io.out(warning);
  const line = await lineOfStore(config);
  if (line !== null) call.io.out(line);
  if (kept.used.size > 0) call.io.out(`Owners have set in the interface: ${[...kept.used].join(", ")}.`);
  for (const problem of kept.problems) call.io.out(`${unusedText(problem)}.`);
}

/** @throws ForeignStoreError, NewerStoreError */
async function lineOfStore(config: Config): Promise<string | null> {
  try {
    const schema = await fitOf(config);
    if (schema === null) return null;
    if (schema.before === schema.now) return `The store fits this executable (schema ${schema.now}).`;
    return `The next start brings the store to another schema (${schemaChange(schema)}).`;
  } catch (error) {
    if (error instanceof ForeignStoreError || error instanceof NewerStoreError) throw error;
    return `Whether the store fits this executable is unknown, as it could not be looked at: ${(error as Error).message}`;
  }
}
