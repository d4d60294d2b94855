// What main operations ask of the database costs no more than docs/dev/costs.md says.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Counts } from "../bench/support/counting.ts";
import { ENGINE } from "./support/database.ts";

/** The log of PostgreSQL is that of all its databases, and other tests write to it. */
const COUNTS =
  ENGINE === "sqlite"
    ? (["statements", "rows", "entries", "commits", "logBytes", "promises"] as const)
    : (["statements", "rows", "commits"] as const);
/** The tables of the page differ in their columns. */
const COLUMNS = ENGINE === "sqlite" ? 6 : 4;
/** How many outcomes share a commit depends on how busy the machine is. */
const LOOSE = /^50 emails|^50 events|^a campaign/;
/** A number of the page that is so much more than what is counted is out of date. */
const MOST_ROOM = 1.4;

const page = readFileSync("docs/dev/costs.md", "utf8");
const limits = Object.fromEntries(
  [...page.matchAll(RegExp(`^\\| ([^|]+?) +((?:\\| [\\d.,]+ +){${COLUMNS}})\\|$`, "gm"))].map(([, name, most = ""]) => {
    const texts = most.split("|").slice(1);
    return [name, texts.map((text) => Number(text.replaceAll(",", "")))];
  }),
);

test("each operation costs what the page says, and the page says it of each", async () => {
  const costs = await counted();
  expect(Object.keys(costs).toSorted()).toEqual(Object.keys(limits).toSorted());
  const beyond = Object.entries(costs).flatMap(([name, counts]) =>
    COUNTS.flatMap((what, at) => {
      const [cost, most] = [counts[what], limits[name]?.[at] ?? 0];
      if (cost > most) return `${name}: ${cost} ${what}, and the page says ${most}`;
      return most > cost * MOST_ROOM && !LOOSE.test(name)
        ? `${name}: only ${cost} ${what}, and the page still says ${most}`
        : [];
    }),
  );
  expect(beyond).toEqual([]);
}, 120_000);

/** In a process of its own: it counts every statement that is asked. */
async function counted(): Promise<Record<string, Counts>> {
  const child = Bun.spawn([process.execPath, "bench/costs.ts", "--json"], { stdout: "pipe", stderr: "inherit" });
  const said = await child.stdout.text();
  expect(await child.exited).toBe(0);
  return JSON.parse(said);
}
