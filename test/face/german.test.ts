// German texts speak to their reader with Sie, all of them: one face, one voice.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dir, "../../web/texts/de");
const FAMILIAR = /\b([Dd]u|[Dd]ich|[Dd]ir|[Dd]ein(e[mnrs]?)?)\b/;
/** As a sentence begins that tells somebody to do something, with du. */
const VERBS =
  "Änder|Benutz|Beginn|Füg|Gib|Klick|Lad|Leg|Lösch|Nimm|Öffn|Prüf|Sag|Schau|Schreib|Send|Setz|Trag|Wähl|Zieh";
const TELLING = new RegExp(String.raw`["\x60.:;,] ?(${VERBS})e? [a-zäöü]`);

const lines = readdirSync(FOLDER).flatMap((name) =>
  readFileSync(join(FOLDER, name), "utf8")
    .split("\n")
    .map((line, index) => ({ at: `${name}:${index + 1}`, line })),
);

test("no German text says du", () => {
  expect(lines.length).toBeGreaterThan(1_000);
  expect(lines.filter(({ line }) => FAMILIAR.test(line) || TELLING.test(line))).toEqual([]);
});
