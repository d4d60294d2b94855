// German texts speak to their reader with Sie, all of them; and each thing has one word, in either language: one face,
// one voice.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dir, "../../web/texts/de");
const FAMILIAR = /\b([Dd]u|[Dd]ich|[Dd]ir|[Dd]ein(e[mnrs]?)?)\b/;
/** As a sentence begins that tells somebody to do something, with du. */
const VERBS =
  "Änder|Benutz|Beginn|Füg|Gib|Klick|Lad|Leg|Lösch|Nimm|Öffn|Prüf|Sag|Schau|Schreib|Send|Setz|Trag|Wähl|Zieh";
const TELLING = new RegExp(String.raw`["\x60.:;,] ?(${VERBS})(e[ ,]|e? [a-zäöü])`);

/** Other words for "gesendet", "fehlgeschlagen", "Rückläufer", "Marketing-Mails", "angemeldet", "Version". */
const SECOND_WORDS = /[Üü]bergeben|[Üü]bergab|escheitert|nzustellbar|Werbemail|bonn(iert|ement)|\bFassung/;
/** Other words for "sent" and "to fix". */
const ENGLISH_SECOND_WORDS = /[Hh]and(ed|ing)? over|\b[Mm]end/;

const linesOf = (folder: string) =>
  readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .map((line, index) => ({ at: `${name}:${index + 1}`, line })),
  );
const lines = linesOf(FOLDER);

test("no German text says du", () => {
  expect(lines.length).toBeGreaterThan(1_000);
  expect(lines.filter(({ line }) => FAMILIAR.test(line) || TELLING.test(line))).toEqual([]);
});

test("one thing has one word", () => {
  expect(lines.filter(({ line }) => SECOND_WORDS.test(line))).toEqual([]);
  const english = linesOf(join(FOLDER, "../en")).filter(({ line }) => !/^ +mend(First)?:|^ +toMend:/.test(line));
  expect(english.filter(({ line }) => ENGLISH_SECOND_WORDS.test(line))).toEqual([]);
});
