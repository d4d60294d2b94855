// An account of Plunk comes over by its API.
import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { freshDirectory } from "../support/database.ts";
import { gapsIn, membersHere, Mover, OldProduct, peopleHere } from "../support/moving.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const folder = freshDirectory();
afterAll(folder.remove);

let posthorn: Posthorn;
let plunk: OldProduct;
beforeEach(async () => {
  posthorn = await workspace();
  plunk = new OldProduct({
    "/segments": () => SEGMENTS,
    "/contacts": (query) =>
      query.get("cursor") === "two"
        ? { data: [contact("cyd", true, null)], hasMore: false, cursor: null }
        : {
            data: [contact("ada", true, { plan: "pro", visits: 3 }), contact("bob", false, {})],
            hasMore: true,
            cursor: "two",
            total: 3,
          },
    "/segments/list/contacts": (query) => {
      const name = { 1: "ada", 2: "cyd" }[Number(query.get("page"))];
      return { data: name === undefined ? [] : [contact(name, true, {})], total: 101, totalPages: 2 };
    },
    "/templates": () => ({ data: ["TRANSACTIONAL", "HEADLESS"].map(template), total: 2, page: 1, totalPages: 1 }),
  });
});
afterEach(async () => {
  plunk.stop();
  await posthorn[Symbol.asyncDispose]();
});

const contact = (name: string, subscribed: boolean, data: object | null) => ({
  ...{ id: name, email: `${name}@example.com`, subscribed, data, createdAt: "2025-01-02T10:00:00.000Z" },
});
const template = (type: string) => ({
  ...{
    id: `t-${type}`,
    name: type,
    description: null,
    type,
    subject: 'Hello {{ name ?? "there" }}',
    body: "<p>Hi</p>",
  },
  ...{ from: "shop@example.test", fromName: "Shop", replyTo: null },
});
const pro = (operator: string) => ({
  logic: "AND",
  groups: [{ filters: [{ field: "data.plan", operator, value: "pro" }] }],
});
const SEGMENTS = [
  { id: "pro", name: "Pro", description: "Who pays", type: "DYNAMIC", condition: pro("equals") },
  { id: "odd", name: "Odd", type: "DYNAMIC", condition: pro("resembles") },
  { id: "list", name: "By hand", type: "STATIC", condition: null },
];

test("contacts, segments with their conditions or members, and templates come", async () => {
  const mover = new Mover(posthorn, folder.path, "plunk", "sk_plunk");
  const report = await mover.done("--base-url", plunk.url);
  expect(plunk.received[0]?.headers.get("authorization")).toBe("Bearer sk_plunk");
  expect(await peopleHere(posthorn)).toMatchObject({
    "ada@example.com": { subscribed: true, data: { plan: "pro", visits: 3 } },
    "bob@example.com": { subscribed: false },
    "cyd@example.com": { subscribed: true },
  });
  expect(await membersHere(posthorn, "Pro")).toEqual(["ada@example.com"]);
  expect(await membersHere(posthorn, "By hand")).toEqual(["ada@example.com", "cyd@example.com"]);
  const { body } = await ask(posthorn, "GET /templates");
  expect(body.data.map(({ alias, type }: Json) => [alias, type])).toEqual([
    ["plunk-t-headless", "MARKETING"],
    ["plunk-t-transactional", "TRANSACTIONAL"],
  ]);
  expect(gapsIn(report)).toEqual([expect.stringContaining("segments 1: ")]);
  expect(report.gaps[0].examples).toEqual(["Odd"]);
});
