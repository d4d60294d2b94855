// Each call of the web interface that changes a record says which version it has seen; and what two versions differ in.
import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { differencesBetween, isOverwritten, itemIn } from "../../web/saving/differences.ts";

/** Calls that overwrite nothing that somebody else may have saved, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  "mail/message/move.tsx PATCH /emails/{id}": "a time for an email that waits; the server refuses it once it has left",
  "me/data.ts PATCH /me": "the user's own account, which nobody else changes",
  "me/data.ts PUT /me/password": "the user's own password, which is never shown",
  "overview/first-steps/hide-steps.ts PATCH /me": "the user's own account, and a step that is hidden once",
  "notes/calls.ts PATCH /contacts/{id}/notes/{noteId}": "done or not: its words are never changed",
  "settings/webhooks/actions.tsx PATCH /webhooks/{id}": "a switch: it says what is to be, and changes nothing else",
  "settings/webhooks/hook.tsx PATCH /webhooks/{id}": "a switch: it says what is to be, and changes nothing else",
  "team/second-factor.tsx PUT /installation/second-factor": "one date, which is all there is of it",
  "topics/calls.ts PATCH /topics/{id} {position}": "one place up or down: the words of the topic stay as they are",
};

type Call = { readonly name: string; readonly text: string };

/** What stands between the brackets of each call. */
function callsIn(file: string, source: string): readonly Call[] {
  return [...source.matchAll(/(?<!`)\b(?:call|ask|save)\(\s*"(PATCH|PUT) ([^"]+)"/g)].map(
    ({ 1: method, 2: path, index }) => {
      let [depth, end] = [0, source.indexOf("(", index)];
      do {
        depth += source[end] === "(" ? 1 : source[end] === ")" ? -1 : 0;
        end++;
      } while (depth > 0);
      const text = source.slice(index, end);
      const only = /body: \{ (\w+) \}/.exec(text)?.[1];
      const name = `${file} ${method} ${path}`;
      return { name: only === "position" ? `${name} {${only}}` : name, text };
    },
  );
}

test("each PATCH and PUT of the web interface says which version it has seen, or why it need not", async () => {
  const files = await Array.fromAsync(new Glob("**/*.{ts,tsx}").scan("web"));
  const sources = files.filter((file) => !file.endsWith(".gen.ts"));
  const calls = await Promise.all(sources.map(async (file) => callsIn(file, await Bun.file(`web/${file}`).text())));
  const all = calls.flat();
  expect(all.length).toBeGreaterThan(20);
  // `save` says it for its caller (web/saving/save.ts).
  const says = (text: string) => text.startsWith("save(") || text.includes("ifUpdatedAt");
  const silent = all.filter(({ text }) => !says(text)).map(({ name }) => name);
  expect([...new Set(silent)].toSorted()).toEqual(Object.keys(WITHOUT).toSorted());
});

describe("two versions", () => {
  test("differ field by field, and within what has fields of its own", () => {
    const theirs = { name: { en: "News", de: "Neues" }, default: "in", visible: true, updatedAt: "2026-03-01" };
    const mine = { name: { en: "Our news" }, default: "in", visible: false, ifUpdatedAt: "2026-02-01" };
    expect(differencesBetween(theirs, mine)).toEqual([
      { path: "name.en", theirs: "News", mine: "Our news" },
      { path: "name.de", theirs: "Neues", mine: null },
      { path: "visible", theirs: true, mine: false },
    ]);
  });

  test("do not differ in what the form does not name, nor in how nothing is written", () => {
    const theirs = { description: null, tags: [], name: "One", memberCount: 7 };
    expect(differencesBetween(theirs, { description: "", tags: undefined, name: "One" })).toEqual([]);
    expect(
      differencesBetween({ colors: { ink: "#111", paper: null } }, { colors: { paper: "", ink: "#111" } }),
    ).toEqual([]);
  });

  test("name the items of a list with the labels that people read", () => {
    const fieldOf = (label: unknown) => itemIn({ field: "data.plan", label });
    expect(fieldOf({ en: "Your plan", de: "Ihr Tarif" })).toEqual({
      name: "data.plan",
      labels: ["Your plan", "Ihr Tarif"],
    });
    expect(fieldOf("Plan")).toEqual({ name: "data.plan", labels: ["Plan"] });
    expect(fieldOf({ en: "" })).toEqual({ name: "data.plan", labels: [] });
    expect(itemIn("vip")).toEqual({ name: "vip", labels: [] });
  });

  test("show a condition as one thing", () => {
    const condition = (value: string) => ({ logic: "AND", groups: [{ filters: [{ field: "data.plan", value }] }] });
    expect(differencesBetween({ condition: condition("pro") }, { condition: condition("team") })).toEqual([
      { path: "condition", theirs: condition("pro"), mine: condition("team") },
    ]);
  });

  test("of a contact: only what is changed here, and was changed there since it was seen, is a loss", () => {
    const seen = { email: "bo@example.com", data: { city: "Bonn", plan: "pro" } };
    const mine = { data: { city: "Köln" } };
    expect(isOverwritten(seen, { ...seen, data: { city: "Bonn", plan: "team" } }, mine)).toBe(false);
    expect(isOverwritten(seen, { ...seen, data: { city: "Ulm", plan: "pro" } }, mine)).toBe(true);
    expect(isOverwritten(seen, { ...seen, data: { city: "Köln", plan: "pro" } }, mine)).toBe(false);
    expect(isOverwritten(seen, { ...seen, data: { plan: "pro" } }, mine)).toBe(true);
  });
});
