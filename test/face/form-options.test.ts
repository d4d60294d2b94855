// The options of a choice in the editor of forms: lines of text in one language, and the values behind them.
import { describe, expect, test } from "bun:test";
import { draftOptions, linesOf, optionsFrom, savedOptions, type DraftOption } from "../../web/forms/options.ts";

const SAVED = draftOptions([
  { value: "S", label: { en: "Small", de: "Klein" } },
  { value: "M", label: { en: "Medium", de: "Mittel" } },
  { value: "L", label: { en: "Large", de: "Groß" } },
]);
const shown = (options: readonly DraftOption[]) => options.map(({ value, label }) => [value, label["en"], label["de"]]);

/** As a person types: the text grows by one character at a time. */
function typed(text: string): DraftOption[] {
  let options: DraftOption[] = [];
  for (let length = 1; length <= text.length; length++) options = optionsFrom(text.slice(0, length), options, "en");
  return options;
}

describe("the options of a choice", () => {
  test("have the whole line as their value, typed letter by letter", () => {
    expect(shown(typed("Small\nSmaller"))).toEqual([
      ["Small", "Small", undefined],
      ["Smaller", "Smaller", undefined],
    ]);
  });

  test("keep their values and other languages when a line is inserted between them", () => {
    const split = optionsFrom("Small\n\nMedium\nLarge", SAVED, "en");
    expect(shown(optionsFrom("Small\nSlim\nMedium\nLarge", split, "en"))).toEqual([
      ["S", "Small", "Klein"],
      ["Slim", "Slim", undefined],
      ["M", "Medium", "Mittel"],
      ["L", "Large", "Groß"],
    ]);
  });

  test("keep them when a line is removed", () => {
    expect(shown(optionsFrom("Small\nLarge", SAVED, "en"))).toEqual([
      ["S", "Small", "Klein"],
      ["L", "Large", "Groß"],
    ]);
  });

  test("keep a saved value under another text", () => {
    expect(shown(optionsFrom("Small\nMiddling\nLarge", SAVED, "en"))[1]).toEqual(["M", "Middling", "Mittel"]);
  });

  test("keep the value of the first language in the second", () => {
    const inGerman = ["K", "Klein"].reduce((options, text) => optionsFrom(text, options, "de"), typed("Small"));
    expect(shown(inGerman)).toEqual([["Small", "Small", "Klein"]]);
  });

  test("are saved without empty lines", () => {
    const options = typed("Small\n");
    expect(linesOf(options, "en")).toBe("Small\n");
    expect(savedOptions(options)).toEqual([{ value: "Small", label: { en: "Small" } }]);
  });
});
