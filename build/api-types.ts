// Before the types are checked: the types of our interface, which are all that web/ and client/ know of the server.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { clientTypes, methodTable, type Document } from "./client-types.ts";
import { describedInterface } from "./interface.ts";

const HEAD = "// What Posthorn's interface takes and answers, made from /openapi.json by build/api-types.ts.\n\n";

const document = (await describedInterface()) as Document;
write("web/api.gen.ts", HEAD + astToString(await openapiTS(JSON.stringify(document), { alphabetize: false })));
write("client/src/api.gen.ts", await clientTypes(document));
write("client/src/methods.gen.ts", methodTable(document));
process.exit(0);

/** An unchanged file keeps its time, so that a running server does not bundle again. */
function write(file: string, text: string): void {
  const path = join(import.meta.dir, "..", file);
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}
