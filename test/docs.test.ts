// The guide: every line on it works, every answer on it is one, and no link is dead, in the repository and at
// /docs/guide.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { scripts } from "../package.json";
import { parseDocument, DomUtils } from "htmlparser2";
import { readArguments } from "../src/whole/cli/arguments.ts";
import { settablePaths } from "../src/base/config/paths.ts";
import { STATUS_OF } from "../src/base/errors.ts";
import { PAGES, pageText } from "../src/http/guide/pages.ts";
import { VERBS } from "../src/whole/main.ts";
import { PERMISSIONS, ROLES } from "../src/base/roles.ts";
import { ConfigFolder } from "./config-folder.ts";
import { cliBeside } from "./support/cli.ts";
import { TestClock } from "./support/clock.ts";
import { freePort } from "./support/free-port.ts";
import { exchangesOf, hasForm, wordsOf } from "./support/guide-console.ts";
import { blocksOf, GuideShell } from "./support/guide-lines.ts";
import { startOldServices } from "./support/old-services.ts";
import { OWN_PAGE, somebody } from "./support/people.ts";
import { startPosthorn, type Json, type Posthorn } from "./support/posthorn.ts";
import { ask } from "./support/scenario.ts";

/** Those that change what the whole workspace does, or count who is in it, run on a server of their own. */
const ALONE = /^(contacts|imports|duplicates|sign-ups|segments|moving\/.*)$/;
/** Their lines call `jq`. */
const WITH_JQ = /^moving\/(?!index)/;
const LONGEST_CELL = 200;
/** What the guide serves besides its pages. */
const BESIDE = [
  "/docs",
  "/docs/guide/config.example.toml",
  "/docs/guide/operate/grafana.json",
  "/docs/guide/operate/alerts.yml",
];
const GUIDE = [...PAGES].map((name): [string, string] => [name, pageText(name)]);
/** On the site alone (build/site.ts). */
const BESIDE_GUIDE = [
  "home",
  ...[...new Bun.Glob("compare/*").scanSync("docs")].map((file) => file.replace(".md", "")),
];
const TEXTS = new Map([
  ...GUIDE,
  ...BESIDE_GUIDE.map((name): [string, string] => [name, readFileSync(`docs/${name}.md`, "utf8")]),
  ["README", readFileSync("README.md", "utf8")],
]);

const oldServices = startOldServices();
afterAll(() => oldServices.stop());
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
    ...oldServices.places,
  ] as const;
  return { posthorn, places };
}

describe("the lines of a page work", () => {
  const names = [...TEXTS.keys()];
  const [here, elsewhere] = Bun.which("jq")
    ? [names, []]
    : [names.filter((name) => !WITH_JQ.test(name)), names.filter((name) => WITH_JQ.test(name))];
  test.skip.each(elsewhere)("%s, which needs jq", () => undefined);
  test.each(here)("%s", async (name) => {
    if (!ALONE.test(name)) return runLines(shared, name);
    const own = await start();
    await runLines(own, name);
    await own.posthorn[Symbol.asyncDispose]();
  });
});

async function runLines({ posthorn, places }: Awaited<ReturnType<typeof start>>, name: string): Promise<void> {
  using shell = new GuideShell(posthorn, places);
  const kinds: Readonly<Record<string, (text: string) => unknown>> = {
    sh: (text) => (/^npm /m.test(text) ? expectScripts(text) : shell.run(text)),
    json: async (text) => expectLike(await shell.answer(), JSON.parse(text), name),
    // What a server of somebody else gets.
    jsonc: (text) => JSON.parse(text),
    toml: (text) => expectTaken(text),
    console: (text) => expectSession(posthorn, text),
    js: (text) => expectScript(posthorn, text),
    yaml: (text) => expectScraped(text, TEXTS.get(name) ?? ""),
    log: (text) => expectLogged(text),
    // Files of other programs, formulas, and what a person is told: to be read.
    caddy: () => undefined,
    text: () => undefined,
  };
  for (const { language, text } of blocksOf(TEXTS.get(name) ?? "")) {
    const work = kinds[language];
    if (!work) throw new Error(`${name}: a block of the kind "${language}", which nothing checks: ${text}`);
    await work(text);
  }
}

/**
 * Verbs that may be run beside the server of the tests: they ask for no other machine, and change nothing that other
 * lines need.
 */
const RUN =
  /^(status|user list|queue list|backup \S+\.backup|prune --dry-run|user link$|domain (add|verify)|key create)/;
/** Where what is printed depends on the installation, a line is known by how it begins. */
const BY_LABEL = /^status/;

/** The shell can read each command, Posthorn knows its verbs and options, and what is printed is what it prints. */
async function expectSession(posthorn: Posthorn, text: string): Promise<void> {
  for (const { command, printed } of exchangesOf(text)) {
    expectFiles(command);
    const words = wordsOf(command);
    if (words === null) continue;
    expect(readArguments(words, VERBS)).toMatchObject({ kind: "run" });
    if (!RUN.test(words.join(" "))) {
      printed.forEach(expectSaid);
      continue;
    }
    const place = mkdtempSync(join(tmpdir(), "posthorn-session-"));
    const placed = words.map((word) => (word.endsWith(".backup") ? join(place, word) : word));
    const { code, out, err } = await cliBeside(posthorn, placed);
    rmSync(place, { recursive: true });
    expect([command, code === 2 ? err : ""]).toEqual([command, ""]);
    const lines = `${out}\n${err}`.replaceAll(`${place}/`, "").split("\n");
    // Another page may have added it.
    if (/already has the domain/.test(err)) continue;
    for (const line of printed.filter((one) => one.trim() !== "")) {
      const [label = ""] = line.split(/ {2,}/);
      const isThere = BY_LABEL.test(words.join(" "))
        ? line.startsWith("  ") || line === "Needs attention:" || lines.some((one) => one.startsWith(`${label} `))
        : lines.some((one) => hasForm(one, line));
      expect([command, line, isThere ? "printed" : lines]).toEqual([command, line, "printed"]);
    }
  }
}

/** Files of this repository, and scripts of its package. */
function expectFiles(command: string): void {
  for (const [file] of command.matchAll(/\b(?:packaging|bench|build)\/[\w./-]+/g))
    expect([file, existsSync(file)]).toEqual([file, true]);
  for (const [, script = ""] of command.matchAll(/\bbun run (\w+)/g)) expect(Object.keys(scripts)).toContain(script);
}

const NOBODYS_WORKSPACE = "0199a3b4-6a2b-7c3d-8e4f-5a6b7c8d9e0f";

/** A script of a page of ours, or of somebody else's page, as a browser runs it. */
async function expectScript(posthorn: Posthorn, text: string): Promise<void> {
  const { cookie, workspace } = await somebody(posthorn, "OWNER", `${crypto.randomUUID()}@example.com`);
  const script = text.replace("pk_…", posthorn.keys.public).replace(NOBODYS_WORKSPACE, workspace);
  const calls: Promise<Response>[] = [];
  const ask = (target: string, init: RequestInit) => {
    const { pathname, search } = new URL(target, "https://mail.example.com");
    const call = fetch(posthorn.server.url + pathname + search, init);
    calls.push(call);
    return call;
  };
  const browser = {
    navigator: { sendBeacon: (target: string, body: string) => ask(target, { method: "POST", body }) },
    fetch: (target: string, { headers, ...init }: RequestInit = {}) =>
      ask(target, { ...init, headers: { ...OWN_PAGE, cookie, ...(headers as Record<string, string>) } }),
  };
  const names = Object.keys(browser);
  await new Function(...names, `return (async () => { ${script} })();`)(...Object.values(browser));
  expect(calls.length).toBeGreaterThan(0);
  for (const call of calls) expect([script, (await call).status]).toEqual([script, 200]);
}

type Prometheus = {
  readonly scrape_configs?: { static_configs: { targets: string[] }[] }[];
  readonly rule_files?: readonly string[];
};

/**
 * What Prometheus asks is the port of the page's own configuration, and its files of rules are those that a line of the
 * page fetches.
 */
function expectScraped(text: string, page: string): void {
  const { scrape_configs: jobs = [], rule_files: files } = Bun.YAML.parse(text) as Prometheus;
  if (files) return files.forEach((file) => expect(page).toContain(`curl -o ${file} `));
  const ports = jobs
    .flatMap((job) => job.static_configs)
    .flatMap(({ targets }) => targets.map((one) => one.split(":")[1]));
  expect(ports.length).toBeGreaterThan(0);
  const own = new Set([...page.matchAll(/^port = (\d+)\b/gm)].map(([, port]) => port));
  expect(ports.filter((port) => !own.has(port))).toEqual([]);
}

/** All texts of the program. */
const SAID = [...new Bun.Glob("src/**/*.ts").scanSync(".")].map((file) => readFileSync(file, "utf8")).join("\n");

/** What a command prints that is not run here is what the program says: two words in a row that depend on nothing. */
function expectSaid(line: string): void {
  const fixed = line.replace(/^(ok|WRONG|note) +[\w ]+: |^ +→ /, "").split(/…|\[[^\]]*\]|\S*\d\S*|\S*[./=]\S+|"[^"]*"/);
  const words = fixed.map((one) => one.split(/\s+/).filter((word) => /\w/.test(word)));
  const [longest = []] = words.sort((one, other) => other.length - one.length);
  if (longest.length === 0) return;
  const runs = longest.slice(0, Math.max(1, longest.length - 1)).map((_, at) => longest.slice(at, at + 2).join(" "));
  expect([line, runs.some((run) => SAID.includes(run.replace(/[.,:;]+$/, "")))]).toEqual([line, true]);
}

/** Lines of the log: each says what the program says. */
function expectLogged(text: string): void {
  for (const line of text.trim().split("\n")) {
    const [, level = "", message = ""] = /^(\w+) +(.+?)(?= \w+=|$)/.exec(line) ?? [];
    expect([line, SAID.includes(`log.${level}("${message}"`) || SAID.includes(`"${message}"`)]).toEqual([line, true]);
  }
}

/**
 * What npm would run has its own tests; that each line is a call of it, and of a script that exists, is run here as it
 * is printed.
 */
function expectScripts(block: string): void {
  const npm = `npm() { for known in ${Object.keys(scripts).join(" ")}; do [ "\${2:-$1}" = "$known" ] && return; done; false; }`;
  const { exitCode, stderr } = Bun.spawnSync(["bash", "-ec", `${npm}\n${block}`], { env: {} });
  expect([block, exitCode, stderr.toString()]).toEqual([block, 0, ""]);
}

/**
 * The answer has each field that is shown, with that value; where one depends on the moment (`…`), with the same type.
 */
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

test.each([
  ["of no kind", "", "hello"],
  ["of an unknown kind", "python", "print(1)"],
  ["with a verb that there is not", "console", "$ posthorn domain lists"],
  ["with an option that there is not", "console", "$ sudo posthorn status --jsn"],
  ["that the shell cannot read", "console", "$ posthorn status 'x"],
  ["with an answer that is not printed", "console", "$ posthorn backup x.backup\nThe backup is there."],
  ["with words that the program does not say", "console", "$ posthorn standby\nZebras drink warm lemonade."],
  ["with a line that the log does not have", "log", "warn  something is wrong here mail=1"],
  ["with a script that is refused", "js", 'await fetch("/nowhere");'],
  ["with a port of nobody", "yaml", 'scrape_configs: [{ static_configs: [{ targets: ["a:1"] }] }]'],
])("a block %s is found", async (_, kind, text) => {
  TEXTS.set("probe", `\`\`\`${kind}\n${text}\n\`\`\``);
  const found = await runLines(shared, "probe").then(
    () => "passed",
    () => "found",
  );
  TEXTS.delete("probe");
  expect(found).toBe("found");
});

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

test("each line of defence in the threat model has a test that there is, in these words", () => {
  const named = [...(TEXTS.get("threat-model") ?? "").matchAll(/`(test\/[^`:]+): ([^`]+)`/g)];
  expect(named.length).toBeGreaterThan(60);
  const said = named.map(([, file = "", words = ""]) => ({ file, words }));
  expect(said.filter(({ file, words }) => !(existsSync(file) && readFileSync(file, "utf8").includes(words)))).toEqual(
    [],
  );
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

test("no cell of a table is so long that it should be a list", () => {
  const cells = [...TEXTS].flatMap(([name, text]) =>
    [...text.matchAll(/^\|(?! -)(.*)\|$/gm)].flatMap(([, row = ""]) =>
      row.split(/(?<!\\)\|/).map((cell) => ({ name, cell: cell.trim() })),
    ),
  );
  expect(cells.length).toBeGreaterThan(1_000);
  expect(cells.filter(({ cell }) => cell.length > LONGEST_CELL)).toEqual([]);
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

test("links lead somewhere at /docs/guide, on pages that run one script and fetch from nobody else", async () => {
  const pages = new Map<string, { ids: string[]; links: string[] }>();
  for (const name of PAGES) {
    const { headers, body } = await page(shared.posthorn, `/docs/guide/${name}`.replace(/\/index$/, ""));
    const dom = parseDocument(body);
    const elements = DomUtils.findAll(() => true, dom.children);
    expect(elements.filter((one) => ["link", "img", "iframe", "object"].includes(one.name))).toEqual([]);
    const inside = (tag: string) => {
      const found = DomUtils.getElementsByTagName(tag, dom);
      return [found.length, new Bun.CryptoHasher("sha256").update(DomUtils.textContent(found)).digest("base64")];
    };
    const [[styles, style], [scripts, script]] = [inside("style"), inside("script")];
    expect([styles, scripts]).toEqual([1, 1]);
    expect(headers.get("content-security-policy")).toBe(
      `default-src 'none'; style-src 'sha256-${style}'; script-src 'sha256-${script}'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    );
    const ids = elements.flatMap(({ attribs }) => attribs.id ?? []);
    expect([name, new Set(ids).size]).toEqual([name, ids.length]);
    expect([name, anchorsOf(TEXTS.get(name) ?? "")]).toEqual([name, ids]);
    const links = elements.flatMap(({ name: tag, attribs }) => (tag === "a" ? [attribs.href ?? ""] : []));
    pages.set(name, { ids, links: links.filter((link) => !link.startsWith("https://")) });
  }
  for (const [name, { links }] of pages) {
    for (const link of links.filter((one) => !BESIDE.includes(one) && one !== `/docs/guide/${name}.md`)) {
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

test("each page is there as Markdown, too, and in a list and a file for programs", async () => {
  const all = (await page(shared.posthorn, "/llms-full.txt")).body;
  const list = (await page(shared.posthorn, "/llms.txt")).body;
  const linked = new Set<string>();
  for (const [name, text] of GUIDE) {
    const { headers, body } = await page(shared.posthorn, `/docs/guide/${name}.md`);
    const own = text.replace(/^!\[.*\]\(pictures\/.*\)\n\n/gm, "").replace("](../config.", "](/docs/guide/config.");
    expect([headers.get("content-type"), body]).toEqual(["text/markdown; charset=utf-8", own]);
    expect(all).toContain(own);
    for (const [, link = ""] of body.matchAll(/\]\(([^)#\s]+)/g))
      if (!/^https?:/.test(link)) linked.add(new URL(link, `http://here/docs/guide/${name}.md`).pathname);
    expect(list).toContain(`](/docs/guide/${name}.md): `);
  }
  expect(list).toStartWith("# Posthorn\n\n> ");
  for (const path of linked) await page(shared.posthorn, path);
  expect(list).not.toMatch(/\): (.*[^.!?\n])?$/m);
  expect(list).toContain("- [Sending](/docs/guide/sending.md): `POST /v1/send` queues an email for up to 50 ");
  expect(list).toContain("- [Templates](/docs/guide/templates.md): A template is a stored ");
});

describe("a search in the guide", () => {
  const hits = async (question: string) => {
    const { headers, body } = await page(shared.posthorn, `/docs/guide/search?q=${encodeURIComponent(question)}`);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    return [...body.matchAll(/<li><a href="([^"]*)">([^<]*)<\/a><p>(.*?)<\/p>/g)].map(
      ([, path = "", name = "", text = ""]) => ({
        path,
        name,
        text,
      }),
    );
  };

  test.each([
    ["unsubscribe link", /unsubscri/i],
    ["preheader", /^\/docs\/guide\/templates#the-preheader$/],
    ["Idempotency-Key", /^\/docs\/guide\/api#repeat-a-request-safely$/],
    ["trusted proxies", /proxies|proxy|tls|configuration|api/],
  ])("finds the section about %s", async (question, expected) => {
    const found = await hits(question);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(20);
    expect(
      found
        .slice(0, 3)
        .map(({ path, name, text }) => `${path} ${name} ${text}`)
        .join("\n"),
    ).toMatch(new RegExp(expected.source.replace(/^\^|\$$/g, ""), expected.flags));
  });

  test.each([
    ["webhooks", "webhooks#webhooks"],
    ["metadata tags", "sending#tags-and-metadata"],
    ['{ "sameAs":', "sending#many-emails-in-one-request"],
    ["postmark template", "moving/postmark#templates"],
    ["key dkim rot", "domains#rotate-the-dkim-key"],
  ])("of %s has the section %s first", async (question, expected) => {
    expect((await hits(question))[0]?.path).toBe(`/docs/guide/${expected}`);
  });

  test("finds words by their beginning", async () => {
    expect((await hits("unsubscr")).length).toBeGreaterThan(0);
  });

  test("says which words no page has, and puts no words of the question into the page as they are", async () => {
    expect((await hits("sending zzzqqq"))[0]?.path).toBe("/docs/guide/sending#sending");
    expect((await page(shared.posthorn, "/docs/guide/search?q=sending+zzzqqq")).body).toContain("has “zzzqqq”.");
    expect(await hits("zzzqqq")).toEqual([]);
    const { body } = await page(
      shared.posthorn,
      `/docs/guide/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`,
    );
    expect(body).not.toContain("<script>alert");
    expect(body.match(/<script/g)?.length).toBe(1);
  });
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
