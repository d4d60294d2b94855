// /openapi.json as a server of this checkout answers it, for what is made from it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/base/clock.ts";
import { DEFAULTS } from "../src/base/config.ts";
import { createLog } from "../src/base/log.ts";
import { startServer } from "../src/whole/server.ts";

/**
 * Starts a server on an empty folder for as long as this takes. Answers the document, of the type that the caller says.
 */
export async function describedInterface(): Promise<unknown> {
  const dir = mkdtempSync(join(tmpdir(), "posthorn-interface-"));
  try {
    return await askedOf(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function askedOf(dir: string): Promise<unknown> {
  const smtp = { ...DEFAULTS.smtp, submissionPort: 0, submissionsPort: 0, inboundPort: 0 };
  const config = { ...DEFAULTS, http: { ...DEFAULTS.http, port: 0 }, data: { dir }, smtp };
  const log = createLog({ level: "error", format: "text", clock: systemClock, write: (line) => console.error(line) });
  await using server = await startServer(config, { log, loops: "settled by hand" });
  return await (await fetch(`${server.url}/openapi.json`)).json();
}
