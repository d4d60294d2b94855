// Which address the pages take to send from.
import { expect, test } from "bun:test";
import { sendersOf } from "../../web/settings/senders-of.ts";

const domains = (names: string) =>
  names.split(" ").map((domain) => ({
    domain,
    verified: !domain.startsWith("not-"),
    forced: domain.startsWith("forced") || domain === "example.test",
  }));

test.each<[domains: string, brand: string | null, senders: string[]]>([
  ["example.test old.example new.example", null, ["hello@new.example", "hello@old.example", "hello@example.test"]],
  ["old.example example.test", null, ["hello@old.example", "hello@example.test"]],
  ["example.test", null, ["hello@example.test"]],
  [
    "mine.example example.test forced.example",
    null,
    ["hello@mine.example", "hello@forced.example", "hello@example.test"],
  ],
  ["forced.example", "Shop <shop@forced.example>", ["Shop <shop@forced.example>", "hello@forced.example"]],
  ["not-mine.example", null, []],
  ["old.example new.example", "shop@old.example", ["shop@old.example", "hello@new.example", "hello@old.example"]],
  ["old.example", "hello@old.example", ["hello@old.example"]],
  ["old.example not-mine.example", "shop@not-mine.example", ["hello@old.example"]],
])("of the domains %p and the brand's sender %p: %p", (names, brand, senders) => {
  expect(sendersOf(domains(names), brand)).toEqual(senders);
});
