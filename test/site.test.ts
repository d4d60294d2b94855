// `npm run site`: no link is dead, each page is light, and the search answers as that of the guide does.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { DomUtils, parseDocument } from "htmlparser2";
import { writeSite } from "../build/site/write.ts";
import { PAGES } from "../src/http/guide/pages.ts";
import { searchGuide } from "../src/http/guide/search.ts";
import { startPosthorn } from "./support/posthorn.ts";

const BASE = "https://example.com/posthorn";
const MOST_BYTES = 100_000;
/** Found by nobody, and at no address of its own. */
const NOT_FOUND = "404.html";

const place = mkdtempSync(join(tmpdir(), "posthorn-site-"));
const [site, unplaced] = [join(place, "site"), join(place, "unplaced")];
let pages: ReadonlyMap<string, Page>;
beforeAll(async () => {
  await writeSite(site, BASE);
  await writeSite(unplaced);
  const paths = [...new Bun.Glob("**/*.html").scanSync(site)];
  pages = new Map(paths.map((path) => [path, read(join(site, path))]));
});
afterAll(() => rmSync(place, { recursive: true }));

type Page = ReturnType<typeof read>;

function read(file: string) {
  const html = readFileSync(file, "utf8");
  const elements = DomUtils.findAll(() => true, parseDocument(html).children);
  const named = (tag: string) => elements.filter(({ name }) => name === tag);
  return {
    bytes: Buffer.byteLength(html),
    elements,
    named,
    ids: elements.flatMap(({ attribs }) => attribs["id"] ?? []),
    links: elements.flatMap(({ name, attribs }) =>
      name === "link" ? [] : [attribs["href"], attribs["src"], attribs["action"]].filter((link) => link !== undefined),
    ),
  };
}

/** The file of the site that a link leads to, and its anchor; null if it leads to somebody else. */
function targetOf(path: string, link: string): readonly [file: string, anchor: string] | null {
  if (/^https?:/.test(link)) return null;
  const [target = "", anchor = ""] = link.split("#");
  const root = new URL(BASE).pathname;
  if (target.startsWith("/")) return [posix.relative(root, target), anchor];
  return [target === "" ? path : posix.join(dirname(path), target), anchor];
}

test("links lead to a file of the site and to a heading on it, or name somebody else's server", () => {
  let followed = 0;
  for (const [path, { links }] of pages)
    for (const link of links) {
      const target = targetOf(path, link);
      if (target === null) continue;
      followed++;
      const [file, anchor] = target;
      const isThere = existsSync(join(site, file)) && (anchor === "" || pages.get(file)?.ids.includes(anchor) === true);
      expect([path, link, isThere]).toEqual([path, link, true]);
    }
  expect(followed).toBeGreaterThan(10_000);
});

test("a page needs no other file but pictures, has one heading, a title and a summary, and at most 100 KB", () => {
  for (const [path, { bytes, elements, named, ids }] of pages) {
    const others = elements.filter(({ name, attribs }) => name !== "img" && attribs["src"] !== undefined);
    const [summary] = named("meta").filter(({ attribs }) => attribs["name"] === "description");
    expect([path, others.length, named("h1").length, new Set(ids).size]).toEqual([path, 0, 1, ids.length]);
    expect([path, bytes < MOST_BYTES, (summary?.attribs["content"] ?? "").length > 10]).toEqual([path, true, true]);
    expect([path, named("img").filter(({ attribs }) => !attribs["alt"]).length]).toEqual([path, 0]);
  }
  const titles = [...pages.values()].map(({ named }) => DomUtils.textContent(named("title")));
  expect(titles.filter((title) => title.replace(" · Posthorn", "") === "")).toEqual([]);
});

test("each page of the guide, each comparison and each call of the API has a page", async () => {
  await using posthorn = await startPosthorn();
  const document = (await (await fetch(`${posthorn.server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const calls = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const compared = [...new Bun.Glob("*.md").scanSync("docs/compare")].map((name) => name.replace(".md", ".html"));
  const expected = [
    ...["index.html", "search.html", NOT_FOUND, "reference/index.html"],
    ...[...PAGES].map((name) => `docs/${name}.html`),
    ...compared.map((name) => `docs/compare/${name}`),
    ...calls.map(({ operationId }) => `reference/${operationId}.html`),
  ];
  expect(expected.filter((path) => !pages.has(path))).toEqual([]);
});

test("the page of a call has its fields, those inside of others too, and its refusals", () => {
  const html = readFileSync(join(site, "reference/sendEmail.html"), "utf8");
  for (const said of ["POST /v1/send", "to.email", "attachments[].content", "data.emails[].contact.email"])
    expect(html).toContain(`<code>${said}</code>`);
  expect(html).toContain("<code>DOMAIN_NOT_VERIFIED</code>");
  expect(html).toContain("At most 998 characters.");
});

describe("at an address,", () => {
  test("the sitemap has each page once, at the address that the page calls its own", () => {
    const sitemap = readFileSync(join(site, "sitemap.xml"), "utf8");
    const listed = [...sitemap.matchAll(/<loc>(.*)<\/loc>/g)].map(([, address]) => address);
    const own = [...pages].flatMap(([path, { named }]) =>
      path === NOT_FOUND || path === "search.html" ? [] : named("link").map(({ attribs }) => attribs["href"]),
    );
    expect(listed.toSorted()).toEqual(own.toSorted());
    expect(new Set(listed).size).toBe(pages.size - 2);
    expect(listed).toEqual(expect.arrayContaining([`${BASE}/`, `${BASE}/docs/`, `${BASE}/docs/sending.html`]));
    expect(readFileSync(join(site, "robots.txt"), "utf8")).toContain(`Sitemap: ${BASE}/sitemap.xml\n`);
  });

  test("the page for what is not there leads on from wherever it is shown", () => {
    const { links } = pages.get(NOT_FOUND) as Page;
    expect(links.filter((link) => !link.startsWith("/posthorn/"))).toEqual([]);
  });
});

test("without an address, no page names one, and there is no sitemap", () => {
  expect(existsSync(join(unplaced, "sitemap.xml"))).toBe(false);
  expect(readFileSync(join(unplaced, "robots.txt"), "utf8")).not.toContain("Sitemap");
  expect(read(join(unplaced, "docs/index.html")).named("link")).toEqual([]);
});

describe("the search", () => {
  const browser: { searchGuide?: typeof searchGuide } = {};
  beforeAll(() => new Function("globalThis", readFileSync(join(site, "search.js"), "utf8"))(browser));

  test.each(["double opt-in", "rate_per_second", "unsubscr", "Rückläufer", "sending zzzqqq", "POST /v1/send"])(
    "answers %s as that of the guide does, with pages of the site",
    (question) => {
      const found = browser.searchGuide?.(question);
      const { sections, unknown } = searchGuide(question);
      const named = sections.map(({ title, heading, excerpt }) => ({ title, heading, excerpt }));
      expect(named.length).toBeGreaterThan(0);
      expect(found).toMatchObject({ sections: named, unknown });
      for (const { path } of found?.sections ?? []) {
        const [file = "", anchor = ""] = path.split("#");
        expect([path, pages.get(file)?.ids.includes(anchor)]).toEqual([path, true]);
      }
    },
  );
});

const COMPARISONS = [...new Bun.Glob("*.md").scanSync("docs/compare")].filter((name) => name !== "index.md");

test.each(COMPARISONS)(
  "%s says where Posthorn is behind and where ahead, each line with its source and day",
  (name) => {
    const [, behind = "", ahead = ""] = readFileSync(join("docs/compare", name), "utf8").split(
      /^## Where .+ is ahead$/m,
    );
    for (const part of [behind, ahead]) {
      const [, , ...rows] = part.trim().split("\n");
      expect(rows.length).toBeGreaterThan(0);
      const cells = rows.map((row) =>
        row
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
      expect(cells.filter((row) => row.length !== 4 || row.includes(""))).toEqual([]);
      expect(cells.map((row) => row[3]).filter((source) => !/\w.*, 20\d\d-\d\d(-\d\d)?$/.test(source ?? ""))).toEqual(
        [],
      );
    }
  },
);
