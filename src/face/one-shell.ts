// Keeps what every page waits for in one file. The bundler would cut it into a piece for each set of screens that share
// something; if each lazy screen needs all of the shell, there is one set.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { BunPlugin } from "bun";

const LAZY = /\bimport\("(\.[^"]+\.tsx)"\)/g;
const SHELL = "shell.tsx";

/** `web`: the folder of the sources. Where a screen is missed, there are more files, and nothing else changes. */
export function oneShell(web: string): BunPlugin {
  const screens = lazyScreens(web);
  return {
    name: "one shell",
    setup: (build) => {
      build.onLoad({ filter: /\.tsx$/ }, ({ path }) => {
        const source = readFileSync(path, "utf8");
        const needs = screens.has(path) ? `\nimport "${join(web, SHELL)}";` : "";
        return { contents: source + needs, loader: "tsx" };
      });
    },
  };
}

function lazyScreens(web: string): ReadonlySet<string> {
  const sources = (readdirSync(web, { recursive: true }) as string[]).filter((file) => /\.tsx?$/.test(file));
  const named = sources.flatMap((file) => {
    const found = readFileSync(join(web, file), "utf8").matchAll(LAZY);
    return [...found].map(([, path = ""]) => resolve(web, dirname(file), path));
  });
  return new Set(named);
}
