// A rendered mail: where the values of its recipient stand in the texts, with all that is added to them.
import { expect, test } from "bun:test";
import type { Draft } from "../../src/rendering/draft.ts";
import { rendered } from "../../src/rendering/draft.ts";
import { Budget } from "../../src/templates/budget.ts";
import type { Printed } from "../../src/templates/printed.ts";

const URL = "https://mail.example.com/manage/token";
const DRAFT: Draft = {
  from: { address: "news@shop.example", name: "Shop" },
  to: { address: "ann@example.com", name: null },
  subject: "Hello {{ name }}",
  preheader: "  {{ name }}, it's for {{ both }} ",
  html: "<body><p>Dear {{ name }}</p></body><p>{{ both }}</p>",
  text: "Dear {{ name }}   ",
  contactData: JSON.stringify({ name: "Ann", both: "Tom & Kim" }),
  requestData: null,
  subscribed: true,
  links: { unsubscribeUrl: URL, subscribeUrl: URL, manageUrl: URL },
  marketing: { workspaceId: "w", batch: "b", postalAddress: "Main Street 1", language: "en" },
};

const shownIn = (printed: Printed | null) => printed?.values.map(([start, end]) => printed.text.slice(start, end));
const renderedOf = (draft: Draft) => rendered(draft, { budget: new Budget(10_000) });

test("values keep their places beside a preheader and a footer", () => {
  const { html, shown, text } = renderedOf(DRAFT);
  expect(shownIn(html)).toEqual(["Ann", "Tom &amp; Kim", "Ann", "Tom &amp; Kim"]);
  expect(shownIn(shown)).toEqual(["Ann", "Tom &amp; Kim"]);
  expect(shownIn(text)).toEqual(["Ann"]);
  expect(html.text).toContain("Ann, it&#x27;s for Tom &amp; Kim");
  expect([shown.text, text?.text]).toEqual([expect.stringContaining("Main Street 1"), expect.stringContaining("--")]);
});

test("a value at the end of a text gives way to the footer with its white space", () => {
  const { text } = renderedOf({ ...DRAFT, text: "Dear {{ name }}", contactData: JSON.stringify({ name: "Ann   " }) });
  expect(shownIn(text)).toEqual(["Ann"]);
});
