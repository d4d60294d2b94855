// The page that describes the interface to people: whole, without scripts, and safe.
import { parseDocument, DomUtils } from "htmlparser2";
import { expect, test } from "bun:test";
import { startPosthorn } from "../support/posthorn.ts";
import { allRoutes } from "../support/routes.ts";
import { ask } from "../support/scenario.ts";

async function page() {
  await using posthorn = await startPosthorn();
  const { headers, body } = await ask(posthorn, "GET /docs", { key: "none" });
  return { headers, text: body as string, routes: allRoutes(posthorn), dom: parseDocument(body) };
}

test("every call is on the page, with a line to try it", async () => {
  const { text, routes, dom } = await page();
  for (const route of routes.filter((one) => !one.startsWith("OPTIONS"))) {
    expect(text).toContain(`<code>${route.replace(/:(\w+)/g, "{$1}")}</code>`);
  }
  const lines = DomUtils.getElementsByTagName("pre", dom).map((pre) => DomUtils.textContent(pre));
  expect(lines).toContain(
    [
      "curl -X POST 'http://127.0.0.1:8484/v1/track'",
      "-H 'Authorization: Bearer pk_…'",
      "-H 'Content-Type: application/json'",
      `-d '{"email":"ada@example.com","event":"order.placed","data":{"plan":"pro","total":42}}'`,
    ].join(" \\\n  "),
  );
});

test("the lines for an import and for a recipient's choice carry a file and a form", async () => {
  const { dom } = await page();
  const lines = DomUtils.getElementsByTagName("pre", dom).map((pre) => DomUtils.textContent(pre));
  expect(lines.filter((line) => /curl -X POST '[^']*(\/contacts\/import|\/manage\/{token})'/.test(line))).toEqual([
    [
      "curl -X POST 'http://127.0.0.1:8484/contacts/import'",
      "-H 'Authorization: Bearer sk_…'",
      "-F 'file=@people.csv'",
    ].join(" \\\n  "),
    ["curl -X POST 'http://127.0.0.1:8484/manage/{token}'", "-d 'subscribed=false'"].join(" \\\n  "),
  ]);
});

test("every link leads to a place on the page, and no two places share a name", async () => {
  const { dom } = await page();
  const ids = DomUtils.findAll((element) => "id" in element.attribs, dom.children).map(({ attribs }) => attribs.id);
  expect(new Set(ids).size).toBe(ids.length);
  const links = DomUtils.getElementsByTagName("a", dom).map(({ attribs }) => attribs.href ?? "");
  expect(links.filter((link) => !ids.includes(link.slice(1)))).toEqual(["/openapi.json"]);
  expect(links.length).toBeGreaterThan(100);
});

test("the page runs nothing, fetches nothing and allows nothing but its own style", async () => {
  const { headers, dom } = await page();
  const names = new Set(DomUtils.findAll(() => true, dom.children).map(({ name }) => name));
  for (const name of ["script", "link", "img", "iframe", "form", "object"]) expect(names).not.toContain(name);
  const [style] = DomUtils.getElementsByTagName("style", dom);
  const hash = new Bun.CryptoHasher("sha256").update(DomUtils.textContent(style ?? [])).digest("base64");
  expect(headers.get("content-security-policy")).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
});
