// Before the types are checked: the types of our interface, which are all that web/ knows of the server.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { DEFAULTS } from "../src/config.ts";
import { createLog } from "../src/log.ts";
import { systemClock } from "../src/clock.ts";
import { startServer } from "../src/server.ts";

const TARGET = join(import.meta.dir, "../web/api.gen.ts");
const HEAD = "// What Posthorn's interface takes and answers, made from /openapi.json by build/api-types.ts.\n\n";

const dir = mkdtempSync(join(tmpdir(), "posthorn-types-"));
const types = HEAD + astToString(await openapiTS(JSON.stringify(await interfaceOf(dir)), { alphabetize: false }));
rmSync(dir, { recursive: true });
// An unchanged file keeps its time, so that a running server does not bundle again.
if (types !== before()) writeFileSync(TARGET, types);
process.exit(0);

async function interfaceOf(dataDir: string): Promise<object> {
  const smtp = { ...DEFAULTS.smtp, submissionPort: 0, submissionsPort: 0, inboundPort: 0 };
  const config = { ...DEFAULTS, http: { ...DEFAULTS.http, port: 0 }, data: { dir: dataDir }, smtp };
  const log = createLog({ level: "error", format: "text", clock: systemClock, write: (line) => console.error(line) });
  await using server = await startServer(config, { log, loops: "settled by hand" });
  return (await (await fetch(`${server.url}/openapi.json`)).json()) as object;
}

function before(): string {
  try {
    return readFileSync(TARGET, "utf8");
  } catch {
    return "";
  }
}
