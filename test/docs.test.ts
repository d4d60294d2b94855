// The guide: every line on it works, every answer on it is one, and no link is dead, in the repository and at /docs/guide.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { scripts } from "../package.json";
import { parseDocument, DomUtils } from "htmlparser2";
import { settablePaths } from "../src/config/paths.ts";
import { STATUS_OF } from "../src/errors.ts";
import { PAGES } from "../src/http/guide/pages.ts";
import { PERMISSIONS, ROLES } from "../src/roles.ts";
import { ConfigFolder } from "./config-folder.ts";
import { TestClock } from "./support/clock.ts";
import { freePort } from "./support/free-port.ts";
import { blocksOf, GuideShell } from "./support/guide-lines.ts";
import { startPosthorn, type Json, type Posthorn } from "./support/posthorn.ts";
import { ask } from "./support/scenario.ts";

/** Those that change what the whole workspace does, or count who is in it, run on a server of their own. */
const ALONE = ["contacts", "segments"];
/** What the guide serves besides its pages. */
const BESIDE = ["/docs", "/docs/guide/config.example.toml", "/docs/guide/operate/grafana.json"];
const TEXTS = new Map([...PAGES, ["README", readFileSync("README.md", "utf8")]]);

let shared: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  shared = await start();
});
afterAll(() => shared.posthorn[Symbol.asyncDispose]());
const folder = new ConfigFolder();
afterAll(() => folder.remove());

async function start() {
  const ports = { submissionPort: await freePort(), submissionsPort: await freePort(), inboundPort: await freePort() };
  const posthorn = await startPosthorn({
    // Lines may ask the machine for the time.
    clock: new TestClock(new Date().toISOString()),
    config: { smtp: ports, delivery: { returnPathDomain: "bounces.example.test" } },
    tracking: true,
    lookUp: () => Promise.reject(new Error("No line calls out.")),
  });
  const places = [
    ["http://127.0.0.1:8484", posthorn.server.url],
    ["127.0.0.1:2587", `127.0.0.1:${ports.submissionPort}`],
    ["127.0.0.1:2465", `127.0.0.1:${ports.submissionsPort}`],
    ["127.0.0.1:2525", `127.0.0.1:${ports.inboundPort}`],
  ] as const;
  return { posthorn, places };
}

describe("the lines of a page work", () => {
  test.each([...TEXTS.keys()])("%s", async (name) => {
    if (!ALONE.includes(name)) return runLines(shared, name);
    const own = await start();
    await runLines(own, name);
    await own.posthorn[Symbol.asyncDispose]();
  });
});

async function runLines({ posthorn, places }: Awaited<ReturnType<typeof start>>, name: string): Promise<void> {
  using shell = new GuideShell(posthorn, places);
  for (const { language, text } of blocksOf(TEXTS.get(name) ?? "")) {
    if (language === "sh") await (/^npm /m.test(text) ? expectScripts(text) : shell.run(text));
    if (language === "json") expectLike(await shell.answer(), JSON.parse(text), name);
    if (language === "toml") expectTaken(text);
  }
}

/** What npm would run has its own tests; that each line is a call of it, and of a script that exists, is run here as it is printed. */
function expectScripts(block: string): void {
  const npm = `npm() { for known in ${Object.keys(scripts).join(" ")}; do [ "\${2:-$1}" = "$known" ] && return; done; false; }`;
  const { exitCode, stderr } = Bun.spawnSync(["bash", "-ec", `${npm}\n${block}`], { env: {} });
  expect([block, exitCode, stderr.toString()]).toEqual([block, 0, ""]);
}

/** The answer has each field that is shown, with that value; where one depends on the moment (`…`), with the same type. */
function expectLike(answer: Json, shown: Json, place: string): void {
  if (typeof shown === "object" && shown !== null) {
    for (const [field, value] of Object.entries(shown)) expectLike(answer?.[field], value, `${place} ${field}`);
  } else if (typeof shown === "string" && shown.includes("…")) {
    expect([place, typeof answer]).toEqual([place, "string"]);
  } else expect([place, answer]).toEqual([place, shown]);
}

/** Files that are named need not exist here. */
function expectTaken(toml: string): void {
  expect(
    folder.faultsOf(toml).filter(({ message }) => !/no such file|does not exist|cannot be read/i.test(message)),
  ).toEqual([]);
}

test("every setting, call and error code that a page names exists", () => {
  const routes = shared.posthorn.server.routes.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, "{}")}`);
  for (const [name, text] of TEXTS) {
    const settings = [...text.matchAll(/`\[(\w+)\] (\w+)/g)].map(([, section, key]) => `${section}.${key}`);
    expect([name, settings.filter((path) => !settablePaths().has(path))]).toEqual([name, []]);
    const calls = [...text.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[\w/{}.-]*)[`?]/g)].map(([, call = ""]) => call);
    expect([name, calls.filter((call) => !routes.includes(call.replace(/\{\w+\}/g, "{}")))]).toEqual([name, []]);
  }
});

test("the API page has every error code beside its status", () => {
  const rows = [...(TEXTS.get("api") ?? "").matchAll(/^\| (\d{3}) +\| (.+) \|$/gm)];
  const shown = rows.flatMap(([, status, cell = ""]) =>
    [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => `${status} ${code}`),
  );
  const codes = Object.entries(STATUS_OF).map(([code, status]) => `${status} ${code}`);
  const records = /^404 (?!CONTACT|ROUTE)/;
  expect(shown.toSorted()).toEqual(codes.filter((code) => !records.test(code)).toSorted());
});

test("the team page shows each role's permissions as they are", () => {
  const roles = Object.values(ROLES);
  const shown = [...(TEXTS.get("team") ?? "").matchAll(/^\| `([\w.]+)` +\|(.+)\| +to (.+?) +\|$/gm)];
  const meant = Object.entries(PERMISSIONS).map(([permission, what]) => [
    permission,
    what,
    ...roles.map((role: ReadonlySet<string>) => role.has(permission)),
  ]);
  expect(
    shown.map(([, permission, cells = "", what]) => [
      ...[permission, what],
      ...cells.split("|").map((cell) => cell.trim() === "yes"),
    ]),
  ).toEqual(meant);
});

test("links lead somewhere in the repository, and headings have the same anchors there as at /docs/guide", () => {
  for (const [name, text] of TEXTS) {
    const base = name === "README" ? "." : dirname(`docs/${name}`);
    for (const [, target = "", anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([\w-]+))?\)/g)) {
      const file = target === "" ? (name === "README" ? "README.md" : `docs/${name}.md`) : `${base}/${target}`;
      expect([name, file, existsSync(file)]).toEqual([name, file, true]);
      if (anchor)
        expect([name, anchorsOf(readFileSync(file, "utf8"))]).toEqual([name, expect.arrayContaining([anchor])]);
    }
  }
});

test("links of the documents for those who work on it lead somewhere in the repository", () => {
  const files = ["*.md", "docs/dev/*.md"].flatMap((files) => [...new Bun.Glob(files).scanSync(".")]);
  expect(files).toEqual(
    expect.arrayContaining(["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/dev/rules.md"]),
  );
  for (const file of files)
    for (const [, target = ""] of readFileSync(file, "utf8").matchAll(/\]\((?!https?:)([^)#]+)(?:#[\w-]+)?\)/g))
      expect([file, target, existsSync(join(dirname(file), target))]).toEqual([file, target, true]);
});

test("links lead somewhere at /docs/guide, on pages that run nothing and fetch nothing", async () => {
  const pages = new Map<string, { ids: string[]; links: string[] }>();
  for (const name of PAGES.keys()) {
    const { headers, body } = await page(shared.posthorn, `/docs/guide/${name}`.replace(/\/index$/, ""));
    const dom = parseDocument(body);
    const elements = DomUtils.findAll(() => true, dom.children);
    expect(elements.filter((one) => ["script", "link", "img", "iframe", "form", "object"].includes(one.name))).toEqual(
      [],
    );
    const [style] = DomUtils.getElementsByTagName("style", dom);
    const hash = new Bun.CryptoHasher("sha256").update(DomUtils.textContent(style ?? [])).digest("base64");
    expect(headers.get("content-security-policy")).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    const ids = elements.flatMap(({ attribs }) => attribs.id ?? []);
    expect([name, new Set(ids).size]).toEqual([name, ids.length]);
    expect([name, anchorsOf(TEXTS.get(name) ?? "")]).toEqual([name, ids]);
    const links = elements.flatMap(({ name: tag, attribs }) => (tag === "a" ? [attribs.href ?? ""] : []));
    pages.set(name, { ids, links: links.filter((link) => !link.startsWith("https://")) });
  }
  for (const [name, { links }] of pages) {
    for (const link of links.filter((one) => !BESIDE.includes(one))) {
      const [, target, anchor] = /^(?:\/docs\/guide(?:\/([a-z/-]+))?)?(?:#(.+))?$/.exec(link) ?? ["", "none"];
      const known = target ?? (link.startsWith("#") ? name : "index");
      const found = pages.get(known) ?? pages.get(`${known}/index`);
      expect([name, link, found !== undefined && (anchor === undefined || found.ids.includes(anchor))]).toEqual([
        ...[name, link],
        true,
      ]);
    }
  }
});

test("a page is not sent again to a browser that has it, and an unknown page is a clean 404", async () => {
  const { headers } = await page(shared.posthorn, "/docs/guide/sending");
  const etag = headers.get("etag") ?? "";
  const again = await fetch(`${shared.posthorn.server.url}/docs/guide/sending`, { headers: { "if-none-match": etag } });
  expect([etag.length > 2, again.status, await again.text()]).toEqual([true, 304, ""]);
  const unknown = await ask(shared.posthorn, "GET /docs/guide/nothing", { key: "none" });
  expect([unknown.status, unknown.body.error.code]).toEqual([404, "ROUTE_NOT_FOUND"]);
});

test("the example configuration is served as it is", async () => {
  const { body } = await page(shared.posthorn, "/docs/guide/config.example.toml");
  expect(body).toBe(readFileSync("config.example.toml", "utf8"));
});

/** Not through \`ask\`: the guide is no part of the documented interface. */
async function page({ server }: Posthorn, path: string): Promise<{ headers: Headers; body: string }> {
  const answer = await fetch(server.url + path);
  expect([answer.status, answer.headers.get("x-content-type-options")]).toEqual([200, "nosniff"]);
  return { headers: answer.headers, body: await answer.text() };
}

/** As GitHub makes them of headings. */
function anchorsOf(text: string): string[] {
  const headings = text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/^#{1,6} (.+)$/gm);
  return [...headings].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}
