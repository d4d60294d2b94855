// `posthorn licenses`: the packages in the executable, and their terms.
import { collectedLicenses } from "../../base/licenses/texts.ts";
import type { Verb } from "./verb.ts";

export const LICENSES: Verb = {
  name: "licenses",
  summary: "Prints the licences of everything in this executable",
  run: async ({ io }) => io.out((await embeddedLicenses()) ?? collectedLicenses()),
};

/** Bun puts a hash between the name and its ending. */
const PACKED = /^licenses(-\w+)?\.zst$/;

/** Null in a checkout. */
async function embeddedLicenses(): Promise<string | null> {
  const file = Bun.embeddedFiles.find((one) => PACKED.test((one as File).name));
  return file ? Bun.zstdDecompressSync(await file.bytes()).toString() : null;
}
