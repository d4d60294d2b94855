// Holds what ARCHITECTURE.md promises: one direction of imports, and the few files that may do what others may not.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** Ground first; what shares a floor does not import each other, except the pairs below. */
const FLOORS: readonly (readonly string[])[] = [
  [
    "clock",
    "bounded-map",
    "edit-distance",
    "errors",
    "ids",
    "addresses",
    "ip-addresses",
    "languages",
    "text-files",
    "private-files",
  ],
  ["log", "secrets", "dns", "moments"],
  ["config"],
  ["jobs"],
  ["store", "smtp-listener"],
  ["events", "http", "comparisons"],
  ["workspaces"],
  ["contacts", "templates", "verify"],
  ["activity", "segments"],
  ["emails"],
  ["campaigns", "workflows", "delivery", "smtp", "inbound"],
  ["parts"],
  ["app", "background"],
  ["server"],
  ["cli"],
  ["main"],
];

const SOURCES = (readdirSync("src", { recursive: true }) as string[]).filter((file) => /\.ts$/.test(file)).sort();
const text = new Map(SOURCES.map((file) => [file, readFileSync(join("src", file), "utf8")]));

function roomOf(file: string): string {
  return (file.split("/")[0] as string).replace(/(\.d)?\.ts$/, "");
}

function floorOf(file: string): number {
  return FLOORS.findIndex((rooms) => rooms.includes(roomOf(file)));
}

function importsOf(file: string): string[] {
  const source = text.get(file) as string;
  return [...source.matchAll(/^(?:import|export)\b[^;]*?\bfrom "(.+?)"/gms)].map((match) => match[1] as string);
}

function filesWith(pattern: RegExp): string[] {
  return SOURCES.filter((file) => pattern.test(withoutComments(text.get(file) as string)));
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, "");
}

test("every file has its floor", () => {
  expect(SOURCES.filter((file) => floorOf(file) === -1)).toEqual([]);
});

test("nobody imports upward or across a floor, types included", () => {
  const upward = SOURCES.flatMap((file) =>
    importsOf(file)
      .filter((path) => path.startsWith("."))
      .map((path) => normalize(join(dirname(file), path)))
      .filter(
        (target) => SOURCES.includes(target) && roomOf(target) !== roomOf(file) && floorOf(target) >= floorOf(file),
      )
      .map((target) => `${file} -> ${target}`),
  );
  expect(upward).toEqual([]);
});

test("no file stands in a circle of imports", () => {
  const targets = (file: string) =>
    importsOf(file)
      .filter((path) => path.startsWith("."))
      .map((path) => normalize(join(dirname(file), path)));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) return void circles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
    if (done.has(file) || !text.has(file)) return;
    for (const target of targets(file)) visit(target, [...path, file]);
    done.add(file);
  };
  SOURCES.forEach((file) => visit(file, []));
  expect(circles).toEqual([]);
});

const MAY: readonly [what: string, pattern: RegExp, who: RegExp][] = [
  [
    "import elysia",
    /from "elysia"/,
    /^(app|http\/.*|events\/catalog|workspaces\/auth|contacts\/preferences|.*\/(.*-)?(routes|record|shape))\.ts$/,
  ],
  ["open SQLite", /from "bun:sqlite"/, /^store\/(sqlite.*|copy\/sqlite-source|migrations)\.ts$/],
  [
    "write SQL",
    /`\s*(select|insert into|update|delete from)\s/i,
    /^(.*\/([a-z]+-)?queries|events\/.*|store\/.*|segments\/condition)\.ts$/,
  ],
  ["ask the time", /\bDate\.now\(|new Date\(\)|performance\.now\(/, /^clock\.ts$/],
  ["read the environment", /process\.env|Bun\.env/, /^config\.ts$/],
  [
    "make or remove contacts or turn their flag, as the counts are kept with that",
    /insert into contacts\b|delete from contacts\b|update contacts\s+set (?:(?!\bwhere\b)[^`])*\bsubscribed\b/,
    /^contacts\/queries\.ts$/,
  ],
  ["insert events", /insert into events/, /^events\/emit\.ts$/],
  ["let outgoing mails in", /\b(insertEmail|insertCampaignEmails)\(/, /^emails\/(accept|(campaign-)?queries)\.ts$/],
  [
    "change a mail's state",
    /\b(setSent|setFailed|setBounced|setQueuedAgain|setUntried|setParked|setHeld|deleteQueued|deleteClaimed|setDelivered|setReturned|setUndelivered|setComplained)\(/,
    /^emails\/(email|feedback|((campaign|feedback)-)?queries)\.ts$/,
  ],
];

test.each(MAY)("only those named may %s", (_, pattern, who) => {
  const found = filesWith(pattern);
  expect(found.filter((file) => !who.test(file))).toEqual([]);
  expect(found.length).toBeGreaterThan(0);
});

test("every file says at its top what lives there", () => {
  expect(SOURCES.filter((file) => !/^\/\/ \S|^declare module/.test(text.get(file) as string))).toEqual([]);
});

test("files stay small", () => {
  const lines = (file: string) => (text.get(file) as string).split("\n").length;
  expect(SOURCES.filter((file) => lines(file) > 300)).toEqual([]);
});

test("there are no barrels, default exports or drawers for everything", () => {
  expect(filesWith(/^export default|^export \* from/m)).toEqual([]);
  expect(SOURCES.filter((file) => /(utils?|helpers?|types|service|manager|index)\.ts$/.test(file))).toEqual([]);
});
