// Before the types are checked: the types of our interface, which are all that web/ and client/ know of the server.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { DEFAULTS } from "../src/base/config.ts";
import { createLog } from "../src/base/log.ts";
import { systemClock } from "../src/base/clock.ts";
import { startServer } from "../src/whole/server.ts";
import { clientTypes, methodTable, type Document } from "./client-types.ts";

const HEAD = "// What Posthorn's interface takes and answers, made from /openapi.json by build/api-types.ts.\n\n";

const dir = mkdtempSync(join(tmpdir(), "posthorn-types-"));
const document = await interfaceOf(dir);
rmSync(dir, { recursive: true });
write("web/api.gen.ts", HEAD + astToString(await openapiTS(JSON.stringify(document), { alphabetize: false })));
write("client/src/api.gen.ts", await clientTypes(document));
write("client/src/methods.gen.ts", methodTable(document));
process.exit(0);

async function interfaceOf(dataDir: string): Promise<Document> {
  const smtp = { ...DEFAULTS.smtp, submissionPort: 0, submissionsPort: 0, inboundPort: 0 };
  const config = { ...DEFAULTS, http: { ...DEFAULTS.http, port: 0 }, data: { dir: dataDir }, smtp };
  const log = createLog({ level: "error", format: "text", clock: systemClock, write: (line) => console.error(line) });
  await using server = await startServer(config, { log, loops: "settled by hand" });
  return (await (await fetch(`${server.url}/openapi.json`)).json()) as Document;
}

/** An unchanged file keeps its time, so that a running server does not bundle again. */
function write(file: string, text: string): void {
  const path = join(import.meta.dir, "..", file);
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}
