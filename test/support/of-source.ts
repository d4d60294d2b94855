// Whether a statement that a test has executed is one of src/, or one of the test.
import { readFileSync } from "node:fs";

/**
 * What a test asks itself may read all that there is: it is told by its longest line, which stands in no file of src/.
 */
export function isOfSource(text: string): boolean {
  const [longest = ""] = text.split(/\n|\?|\$\d+/).sort((one, other) => other.length - one.length);
  const end = text.endsWith(longest) ? "\\s*(`|\\$\\{)" : "";
  const line = new RegExp(RegExp.escape(longest.trim()) + end);
  sources ??= [...new Bun.Glob("src/**/*.ts").scanSync()].map((file) => readFileSync(file, "utf8"));
  return sources.some((source) => line.test(source));
}

let sources: readonly string[] | null = null;
