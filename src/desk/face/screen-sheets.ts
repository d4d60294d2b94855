// Styles that a lazy screen imports become a part of its script: the bundler itself would make files of them that no
// page loads.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BunPlugin } from "bun";

/** `web`: the folder of the sources. */
export function screenSheets(web: string): BunPlugin {
  const adopt = JSON.stringify(join(web, "style-sheets.ts"));
  return {
    name: "screen sheets",
    setup: (build) => {
      build.onResolve({ filter: /\.css$/ }, ({ path, importer }) =>
        /\.tsx?$/.test(importer) ? { path: join(importer, "..", path), namespace: "screen" } : undefined,
      );
      build.onLoad({ filter: /\.css$/, namespace: "screen" }, ({ path }) => {
        const styles = JSON.stringify(tight(readFileSync(path, "utf8")));
        return { contents: `import { adopt } from ${adopt};\nadopt(${styles});`, loader: "js" };
      });
    },
  };
}

/** Without comments, and without insignificant space. */
function tight(styles: string): string {
  return styles
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1")
    .replace(/: /g, ":")
    .trim();
}
