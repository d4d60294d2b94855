// `npm run site`: the home page, the guide, the comparisons and the API reference as files, in dist/site. Any server of
// files can serve them, and a browser can open them from the folder. `-- --base https://posthorn.example` says where
// they will be, for search engines: each page has its address, and there is sitemap.xml.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeSite } from "./site/write.ts";

const FOLDER = "dist/site";

const { base } = parseArgs({ options: { base: { type: "string" } } }).values;
if (base !== undefined && !/^https?:$/.test(URL.parse(base)?.protocol ?? "")) {
  console.error("--base is the address of the site, such as https://posthorn.example");
  process.exit(2);
}
const pages = await writeSite(join(import.meta.dir, "..", FOLDER), base?.replace(/\/+$/, ""));
console.log(`${FOLDER}: ${pages} pages`);
process.exit(0);
