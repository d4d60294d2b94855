// `posthorn version`.
import { name, version } from "../../package.json";
import type { Verb } from "./verb.ts";

export const VERSION: Verb = {
  name: "version",
  summary: "Prints the version",
  run: async ({ io }) => {
    io.out(`${name} ${version}`);
    return 0;
  },
};
