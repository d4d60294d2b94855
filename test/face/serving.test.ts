// How the face is served: one page for every address, files that never change, a strict policy; and nothing of the API
// changes.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompressSync, constants, gunzipSync } from "node:zlib";
import { fileAnswer } from "../../src/desk/face/answer.ts";
import { bundleFace } from "../../src/desk/face/bundle.ts";
import type { FaceFile } from "../../src/desk/face/face-file.ts";
import { renamed } from "../../src/desk/face/file-names.ts";
import { readPack, writePack } from "../../src/desk/face/pack.ts";
import { documentOf, operationsOf } from "../support/operations.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { workspace } from "../support/workspace.ts";

let posthorn: Posthorn;
let bundled: ReturnType<typeof bundleFace> | undefined;
/** What the server bundles as well; it takes seconds. */
const files = () => (bundled ??= bundleFace());
beforeAll(async () => {
  posthorn = await workspace();
});
afterAll(() => posthorn[Symbol.asyncDispose]());

const get = (path: string, init: RequestInit = {}) => fetch(posthorn.server.url + path, init);

async function nameOf(pattern: RegExp): Promise<string> {
  return pattern.exec(await (await get("/app")).text())?.[0] as string;
}

test("The address alone leads to the pages", async () => {
  const { status, headers } = await get("/", { redirect: "manual" });
  expect([status, headers.get("location")]).toEqual([302, "app"]);
});

test.each(["/app", "/app/", "/app/mail/0192", "/app/settings/domains?x=1"])(
  "%s answers with the page",
  async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.text()).toContain('<div id="root">');
  },
);

test("the policy lets only our own scripts run, and styles with the nonce of this one answer", async () => {
  const [one, other] = [await get("/app"), await get("/app")];
  const policy = one.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-");
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types ProseMirrorClipboard pasted");
  const nonce = /'nonce-([\w+/=]{24})'/.exec(policy)?.[1];
  expect(await one.text()).toContain(`<meta property="csp-nonce" nonce="${nonce}">`);
  expect(other.headers.get("content-security-policy")).not.toBe(policy);
});

test("a file is kept forever under its name, and is not sent again to a browser that has it", async () => {
  const path = await nameOf(/\/app\/-\/main-[\w-]+\.js/);
  const response = await get(path);
  const etag = response.headers.get("etag") as string;
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect([response.headers.get("content-type"), etag]).toEqual([
    "text/javascript; charset=utf-8",
    expect.stringMatching(/^"main-.+"$/),
  ]);
  const again = await get(path, { headers: { "if-none-match": etag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("HEAD answers as GET does, without a body", async () => {
  for (const path of ["/app", await nameOf(/\/app\/-\/face-[\w-]+\.css/)]) {
    const response = await get(path, { method: "HEAD" });
    expect([path, response.status, await response.text()]).toEqual([path, 200, ""]);
    expect(response.headers.get("content-type")).toBe((await get(path)).headers.get("content-type"));
  }
});

test("an open page learns which version of the pages is served now", async () => {
  const main = /main-[\w-]+\.js/.exec(await (await get("/app")).text())?.[0] as string;
  const response = await get("/app/-/version");
  expect([await response.json(), response.headers.get("cache-control")]).toEqual([{ main }, "no-store"]);
});

test("the page begins as the frame of those who are signed in, and plain for others", async () => {
  const page = async (cookie: string) => (await get("/app", { headers: { cookie } })).text();
  expect(await page("__Host-posthorn=0192")).toContain('<div class="starting known" role="progressbar"');
  expect(await page("other=1")).toContain('<div class="starting" role="progressbar"');
});

test.each([
  ["GET /app/-/main-00000000.js", 404, "ROUTE_NOT_FOUND"],
  ["GET /app/-/..%2Fpackage.json", 404, "ROUTE_NOT_FOUND"],
  ["GET /application", 404, "ROUTE_NOT_FOUND"],
  ["POST /app", 405, "METHOD_NOT_ALLOWED"],
] as const)("%s is %d %s", async (route, status, code) => {
  const [method, path] = route.split(" ") as [string, string];
  const response = await get(path, { method });
  expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
    status,
    code,
  ]);
});

test("[http] face = false turns it off, and leaves the calls of programs as they are (slow)", async () => {
  await using bare = await workspace({ config: { http: { face: false } } });
  for (const path of ["/app", "/app/mail", "/app/-/live"])
    expect([path, (await fetch(bare.server.url + path)).status]).toEqual([path, 404]);
  const ofPrograms = async (one: Posthorn) =>
    operationsOf(await documentOf(one)).flatMap(({ name, operation }) =>
      JSON.stringify(operation.security).includes("secretKey")
        ? [[name, operation.parameters, operation.requestBody]]
        : [],
    );
  const calls = await ofPrograms(posthorn);
  expect(calls.length).toBeGreaterThan(80);
  expect(await ofPrograms(bare)).toEqual(calls);
});

const compress = promisify(brotliCompress);

test("files of a pack go out as they are packed, zipped or plain, as the browser asks", async () => {
  const bytes = new TextEncoder().encode("export const horn = 1;".repeat(50));
  const packed = {
    name: "a-1.js",
    type: "text/javascript",
    needs: ["b-1.js"],
    source: null,
    routes: ["/mail"],
    bytes: await compress(bytes),
  };
  const other = { ...packed, name: "b-1.js", needs: [], bytes: await compress(new Uint8Array(3)) };
  const read = await readPack(new Blob([writePack([packed, other])]));
  expect(read.map(({ bytes, ...file }) => [file, bytes.size])).toEqual(
    [packed, other].map(({ bytes, ...file }) => [file, bytes.length]),
  );
  const face = { files: new Map(read.map((file) => [file.name, file])), encoding: "br" as const };
  const sent = async (accepted: string) => {
    const asked = new Headers({ "accept-encoding": accepted });
    const response = await fileAnswer(read[0] as FaceFile, face, asked);
    return [response.headers.get("content-encoding"), await response.bytes()] as const;
  };
  const [br, gzip, plain] = [await sent("gzip, br"), await sent("gzip, br;q=0"), await sent("identity")];
  expect([br[0], gzip[0], plain[0]]).toEqual(["br", "gzip", null]);
  for (const sentBytes of [brotliDecompressSync(br[1]), gunzipSync(gzip[1]), plain[1]])
    expect(new TextDecoder().decode(sentBytes)).toBe(new TextDecoder().decode(bytes));
});

test("names are the same wherever the face is bundled, and others once anything in it has changed", () => {
  const bundled = ([main, part]: readonly [string, string], word = "horn") => [
    { path: `./main-${main}.js`, text: `import("./part-${part}.js")` },
    { path: `./part-${part}.js`, text: `import "/app/-/main-${main}.js"; show("${word}")` },
  ];
  const [here, there] = [
    renamed(bundled(["aaaa1111", "bbbb2222"])),
    renamed(bundled(["zzzz9999", "cccc3333"]).reverse()),
  ];
  expect(there.toReversed()).toEqual([...here]);
  const [main, part] = here.map(({ path }) => path);
  expect([main, part]).toEqual([expect.stringMatching(/^main-\w{8}\.js$/), expect.stringMatching(/^part-\w{8}\.js$/)]);
  expect(here.map(({ text }) => text)).toEqual([`import("./${part}")`, `import "/app/-/${main}"; show("horn")`]);
  const changed = renamed(bundled(["aaaa1111", "bbbb2222"], "trumpet")).map(({ path }) => path);
  expect(changed.filter((path) => path === main || path === part)).toEqual([]);
});

/** What the page names, but for what its screen needs: scripts, styles, the icon. */
async function shellNames(): Promise<ReadonlySet<string>> {
  const page = await (await get("/app")).text();
  const ahead = new Set([...page.matchAll(/modulepreload" href="\/app\/-\/([\w.-]+)/g)].map(([, name = ""]) => name));
  const named = [...page.matchAll(/\/app\/-\/([\w.-]+)/g)].map(([, name = ""]) => name);
  const own = named.filter((name) => !ahead.has(name));
  const byName = new Map((await files()).map((file) => [file.name, file]));
  const needed = new Set<string>();
  const add = (name: string): void => byName.get(needed.add(name) && name)?.needs.forEach((one) => add(one));
  own.forEach(add);
  return needed;
}

test("a screen is a few files, and all of them are on their way before the first script runs (slow)", async () => {
  const all = await files();
  const byName = new Map(all.map((file) => [file.name, file]));
  const shell = await shellNames();
  const needsOf = (name: string, known = new Set<string>()): ReadonlySet<string> => {
    if (shell.has(name) || known.has(name)) return known;
    byName.get(name)?.needs.forEach((one) => needsOf(one, known.add(name)));
    return known.add(name);
  };
  const screens = all.flatMap(({ name, routes }) => routes.map((route) => ({ name, route })));
  expect(screens.length).toBeGreaterThan(25);
  for (const { name, route } of screens) {
    const needed = [...needsOf(name)];
    expect([route, needed.length <= MOST_FILES]).toEqual([route, true]);
    const path = route.replace(/\{-\$\w+\}/, "").replace(/\$\w+/, "0192");
    const isOutside = ["/sign-in", "/welcome", "/invitation"].includes(route);
    const headers = { "accept-language": "de-AT,de", cookie: isOutside ? "" : "posthorn=0192" };
    const page = await (await get(`/app${path}`, { headers })).text();
    expect([route, needed.filter((one) => !page.includes(`modulepreload" href="/app/-/${one}"`))]).toEqual([route, []]);
    const texts = all.find(({ source }) => source === "texts/groups/frame.de.ts")?.name;
    expect(page).toContain(`modulepreload" href="/app/-/${texts}"`);
  }
});

test("the bundle imports no lazy file by itself, but by a call that fetches all files that it needs (slow)", async () => {
  const scripts = (await files()).filter(({ name }) => name.endsWith(".js"));
  const texts = await Promise.all(scripts.map(async ({ name, bytes }) => [name, await bytes.text()] as const));
  const whole = texts.map(([, text]) => text).join("\n");
  const given = (pattern: RegExp) => [...whole.matchAll(pattern)].map(([, said = ""]) => said);
  for (const one of given(/\bimport\(([^)]*)\)/g)) expect(one).toMatch(/^[\w$]+$/);
  expect(whole).not.toMatch(/\("\w+"\),fetchThenImport\(/);
  const calls = given(/\bfetchThenImport\(([^)]*)\)/g).filter((call) => call.startsWith('"'));
  expect(calls.length).toBeGreaterThan(80);
  // However a file imports another one at once, it names it outside of these calls.
  const namedIn = ([name, text]: readonly [string, string]) => {
    const named = text.replace(/\bfetchThenImport\([^)]*\)/g, "").match(/\bpart-\w+\.js\b/g) ?? [];
    return [name, new Set(named.filter((one) => one !== name))] as const;
  };
  const needs = new Map(texts.filter(([name]) => !name.startsWith("main-")).map(namedIn));
  for (const call of calls) {
    const fetched = JSON.parse(`[${call}]`) as readonly string[];
    const missing = fetched.flatMap((one) => [...(needs.get(one) ?? ["nothing"])]);
    expect([call, missing.filter((one) => !fetched.includes(one))]).toEqual([call, []]);
  }
});

/** The budget is the design's; who reaches it asks whether what was added is worth it. */
const SHELL_BYTES = 115 * 1_024;
/** Beside the shell: what a screen needs at once. It was 41 files once. */
const MOST_FILES = 7;
const PACK_BYTES = 1_500_000;
/**
 * What comes when somebody first writes code, writes visually, changes something visually; by what only that file has.
 */
const EDITOR_BYTES = { "cm-lintRange": 195_000, "ProseMirror-separator": 138_000, "mj-carousel": 310_000 };

test("what every page waits for, and the face as a whole, stay within their weight (slow)", async () => {
  const shell = await shellNames();
  const all = await files();
  const weigh = async (some: readonly FaceFile[], quality: number) => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
    const sizes = await Promise.all(
      some.map(async ({ bytes }) => (await compress(await bytes.bytes(), { params })).length),
    );
    return sizes.reduce((total, size) => total + size, 0);
  };
  const shellFiles = all.filter(({ name }) => shell.has(name));
  expect(shellFiles.map(({ name }) => name).toSorted()).toEqual([...shell].toSorted() as string[]);
  // As the build compresses it.
  expect(await weigh(shellFiles, constants.BROTLI_MAX_QUALITY)).toBeLessThan(SHELL_BYTES);
  // Quicker, and a little more than the build makes of it.
  expect(await weigh(all, 5)).toBeLessThan(PACK_BYTES);
  const large = all.filter(({ bytes }) => bytes.size > 100_000);
  const texts = new Map(await Promise.all(large.map(async (file) => [file, await file.bytes.text()] as const)));
  for (const [name, most] of Object.entries(EDITOR_BYTES)) {
    const part = large.filter((file) => texts.get(file)?.includes(name));
    expect([name, part.length, (await weigh(part, 5)) < most]).toEqual([name, 1, true]);
  }
});
