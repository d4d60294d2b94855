// What the form of a step offers to compare, by what the values of its field are.
import { expect, test } from "bun:test";
import { workflows as german } from "../../web/texts/de/workflows.ts";
import { workflows as english } from "../../web/texts/en/workflows.ts";
import { comparisonsOf, isDateOfContact } from "../../web/workflows/forms/operators.ts";

const types = { "data.orders": "number", "data.joined": "date", "data.vip": "boolean", "data.tags": "object" };
const fields = Object.entries(types).map(([field, type]) => ({ field, type }));
const equals = { operator: "equals", value: "" };

const offered = (field: string, operator = "equals", t = english) =>
  comparisonsOf(field, { ...equals, operator }, { fields }, t).map(({ name }) => name);

test("numbers, days, and yes or no are not asked for what they contain", () => {
  for (const field of ["data.orders", "data.joined", "data.vip", "contact.createdAt", "contact.subscribed"])
    expect(offered(field)).not.toContain("contains");
  for (const field of ["data.tags", "data.unknown", "event.total"]) expect(offered(field)).toContain("contains");
  expect(offered("data.vip")).toEqual(["is", "is not", "is there", "is missing"]);
  // What a program has written stays to be seen.
  expect(offered("data.orders", "contains")).toContain("contains");
});

test("a list is asked for what it has, also by its bare name", () => {
  for (const field of ["data.tags", "contact.data.tags", "tags"])
    expect(offered(field, "contains")).toEqual(["contains", "does not contain", "is there", "is missing"]);
});

test("days are before or after, and other values less or more", () => {
  expect(offered("data.joined")).toContain("is before");
  expect(offered("data.joined", "equals", german)).toContain("liegt vor dem");
  expect(offered("data.orders")).toContain("is less than");
});

test("how long ago something is can be asked of the days of a contact, by a condition", () => {
  const asks = (field: string) => isDateOfContact(field, { fields });
  expect(["data.joined", "contact.createdAt"].filter(asks)).toEqual(["data.joined", "contact.createdAt"]);
  expect(["data.orders", "event.joined"].filter(asks)).toEqual([]);
});
