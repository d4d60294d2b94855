// The page on which people read and try the interface: served whole by this server, and allowed nothing else; and how
// it and /openapi.json travel.
import { expect, test } from "bun:test";
import { gunzipSync, brotliDecompressSync, zstdDecompressSync } from "node:zlib";
import type { Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const FILES = ["/docs/swagger-ui.css", "/docs/swagger-ui.js"];
const hash = (text: string) => `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`;

async function page(posthorn: Posthorn) {
  const { headers, body } = await ask(posthorn, "GET /docs", { key: "none" });
  const text = body as string;
  const inside = (tag: string) => new RegExp(`<${tag}>(.*?)</${tag}>`, "s").exec(text)?.[1] ?? "";
  return { headers, text, script: inside("script"), style: inside("style") };
}

test("the page shows this server's document, and its files come from this server (slow)", async () => {
  await using posthorn = await workspace();
  const { text, script } = await page(posthorn);
  expect(script).toContain('SwaggerUIBundle({"dom_id":"#swagger-ui","url":"openapi.json"');
  expect([...text.matchAll(/(?:src|href)="(.*?)"/g)].map(([, place]) => place)).toEqual(FILES);
  for (const file of FILES) {
    const { status, headers } = await fetch(posthorn.server.url + file);
    expect([file, status, headers.get("x-content-type-options")]).toEqual([file, 200, "nosniff"]);
    expect(headers.get("content-type")).toBe(`text/${file.endsWith("js") ? "javascript" : "css"}; charset=utf-8`);
  }
  expect(await (await fetch(posthorn.server.url + FILES[1])).text()).toContain("SwaggerUIBundle");
});

test("the page runs its own script alone, and calls no other server (slow)", async () => {
  await using posthorn = await workspace();
  const { headers, script, style } = await page(posthorn);
  expect(headers.get("content-security-policy")?.split("; ")).toEqual([
    "default-src 'none'",
    `script-src 'self' ${hash(script)}`,
    `style-src 'self' ${hash(style)}`,
    "img-src 'self' data:",
    "connect-src 'self' http://127.0.0.1:8484",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
});

test("what the document says of the server cannot break out of the page", async () => {
  await using posthorn = await workspace();
  const { text } = await page(posthorn);
  // The plugin puts the description into attributes as it is.
  expect(text.match(/content="[^"]*"\s*\/>/g)?.length).toBe(3);
  expect(text.match(/<script/g)?.length).toBe(2);
});

test("the page and the document are compressed as the client asks (slow)", async () => {
  await using posthorn = await workspace();
  const get = (path: string, encoding: string) =>
    fetch(posthorn.server.url + path, { headers: { "accept-encoding": encoding }, decompress: false });
  const decoded = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };
  const asked = [
    ["gzip", "gzip"],
    ["zstd", "zstd"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip;q=0.5, br;q=0, zstd;q=0.0", "gzip"],
    ["", null],
    ["deflate, identity", null],
  ] as const;
  for (const path of ["/docs", "/openapi.json", ...FILES]) {
    const plain = await (await get(path, "identity")).bytes();
    for (const [accepted, encoding] of asked) {
      const reply = await get(path, accepted);
      const bytes = await reply.bytes();
      const used = [reply.headers.get("content-encoding"), reply.headers.get("vary")];
      expect([path, accepted, ...used]).toEqual([path, accepted, encoding, "accept-encoding"]);
      if (encoding) expect(bytes.length).toBeLessThan(plain.length / 1.5);
      expect(Buffer.compare(encoding ? decoded[encoding](bytes) : bytes, plain)).toBe(0);
    }
  }
});

test("a client that has the document is not sent it again", async () => {
  await using posthorn = await workspace();
  for (const path of ["/docs", "/openapi.json", ...FILES]) {
    const first = await fetch(posthorn.server.url + path);
    const etag = first.headers.get("etag") ?? "";
    expect([path, etag]).toEqual([path, expect.stringMatching(/^W\/"[\w-]{22}"$/)]);
    expect(first.headers.get("cache-control")).toBe("no-cache");
    for (const tags of [`"other", ${etag}`, etag.replace("W/", ""), "*"]) {
      const again = await fetch(posthorn.server.url + path, { headers: { "if-none-match": tags } });
      expect([path, again.status, await again.text(), again.headers.get("etag")]).toEqual([path, 304, "", etag]);
    }
    const other = await fetch(posthorn.server.url + path, { headers: { "if-none-match": '"other"' } });
    expect([path, other.status]).toEqual([path, 200]);
  }
});
