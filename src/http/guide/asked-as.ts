// Search phrases for the guide from people who do not know our word for a thing: words of other products, of the trade
// and of everyday language.
import { guideFile } from "./files.ts";

/**
 * By page, or by the heading in it (`#` and its anchor): further phrases that should find it. A line each: `sending:
 * send an email, receipt`.
 */
export function readAskedAs(): ReadonlyMap<string, readonly string[]> {
  const lines = guideFile("src/http/guide/asked-as.txt").trim().split("\n");
  return new Map(lines.map((line) => line.split(": ")).map(([key = "", phrases = ""]) => [key, phrases.split(", ")]));
}
