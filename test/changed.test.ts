// What the gate looks at again after a change (test/changed.ts).
import { describe, expect, test } from "bun:test";
import { isJourneyChanged, isScreenChanged } from "./changed.ts";
import { SCREENS } from "./face/screens.ts";

const paths = [...new Set(SCREENS.map(({ path }) => path.replace(/[?#].*/, "")))];
const whichOf = (...files: readonly string[]) => paths.filter((path) => isScreenChanged(path, new Set(files)));

describe("a screen", () => {
  test("is what it was while nothing has changed, or only what it is not made of", () => {
    expect(whichOf().filter((path) => path !== "/nowhere")).toEqual([]);
    expect(isScreenChanged("/mail", new Set(["web/people/row.tsx", "src/whole/server.ts"]))).toBe(false);
  });

  test("has changed with its own files, its texts and its parts", () => {
    for (const file of ["web/people/row.tsx", "web/texts/de/people.ts", "web/parts/checkbox.tsx"])
      expect(isScreenChanged("/people?status=SUBSCRIBED", new Set([file]))).toBe(true);
  });

  test("has changed with what is around every screen", () => {
    expect(whichOf("web/frame/frame.tsx")).toEqual(paths);
  });

  test("may have changed in any way since a commit that is not here", () => {
    expect(isScreenChanged("/mail", null)).toBe(true);
  });
});

test("a journey is made again after a change of itself, or of a screen that it opens", () => {
  const people = "test/face/people.test.ts";
  expect(
    [[people], ["web/people/row.tsx"], ["web/statistics/statistics.tsx"]].map((files) =>
      isJourneyChanged(people, new Set(files)),
    ),
  ).toEqual([true, true, false]);
});
