// Adapts MJML, which converts visual mails to HTML, to our content security policy.
import { readFileSync } from "node:fs";
import type { BunPlugin } from "bun";

/**
 * It imports a parser that it does not include, for a tag that we never write; and to find the page's own names it
 * makes a function of a text, which the policy refuses and reports.
 */
export const mailMarkup: BunPlugin = {
  name: "mail markup",
  setup: (build) => {
    build.onLoad({ filter: /mjml-browser\/lib\/index\.js$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const contents = source
        .replaceAll('require("cheerio")', "{}")
        .replace(/(?:new )?Function\("return this"\)\(\)/g, "globalThis");
      return { contents, loader: "js" };
    });
  },
};
