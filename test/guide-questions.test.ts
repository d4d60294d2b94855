// Hundreds of questions in the words of people: the search of the guide brings the page that answers each first.
import { expect, test } from "bun:test";
import { pathOf } from "../src/http/guide/markdown.ts";
import { PAGES } from "../src/http/guide/pages.ts";
import { searchGuide } from "../src/http/guide/search.ts";
import { QUESTIONS } from "./support/guide-questions.ts";

const table = QUESTIONS.trim()
  .split("\n")
  .map((line) => {
    const [question = "", pages = ""] = line.split(": ");
    return { question, pages: pages.split(" ") };
  });

const firstPage = (question: string) => searchGuide(question).sections[0]?.path.replace(/#.*/, "") ?? "none";

/** A change of the guide may cost a few questions their page. */
const LEAST_SHARE = 0.95;

test("the page that answers a question comes first", () => {
  const missed = table
    .filter(({ question, pages }) => !pages.map(pathOf).includes(firstPage(question)))
    .map(({ question, pages }) => `${question}: ${firstPage(question)} instead of ${pages.join(" or ")}`);
  if (missed.length > table.length * (1 - LEAST_SHARE)) expect(missed).toEqual([]);
  for (const { pages } of table) for (const name of pages) expect([...PAGES]).toContain(name);
}, 300_000);
