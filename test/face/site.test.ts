// The site in a browser, opened from its folder: axe, both colour schemes, a phone, and the search without a server.
import { afterAll, beforeAll, expect, setDefaultTimeout } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { writeSite } from "../../build/site/write.ts";
import { axeFound, journey } from "../support/browser.ts";
import { hasBrowser, openBrowser } from "../support/chromium.ts";

// Some hundred pages.
setDefaultTimeout(300_000);

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 360, height: 740 };

const folder = mkdtempSync(join(tmpdir(), "posthorn-site-"));
let browser: Browser;
beforeAll(async () => {
  if (!hasBrowser) return;
  await writeSite(folder);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

async function on(options: BrowserContextOptions, visit: (page: Page) => Promise<void>): Promise<void> {
  await using context = await browser.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("request", (request) => {
    if (!request.url().startsWith(`file://${folder}/`)) faults.push(request.url());
  });
  await visit(page);
  expect(faults).toEqual([]);
}

const addressOf = (path: string) => `file://${folder}/${path}`;

const all = () => [...new Bun.Glob("**/*.html").scanSync(folder)].toSorted();

const CALL = /^reference\/(?!index)/;
/** Pages of a kind are made alike: of each, those that have most in them. */
const KINDS: readonly (readonly [kind: RegExp, pages: number])[] = [
  [/^[\w.]+$/, 3],
  [/^docs\/(?!compare)/, 6],
  [/^docs\/compare\//, 2],
  [/^reference\/index/, 1],
  [CALL, 3],
];

function examples(): string[] {
  const largest = all().toSorted((one, other) => bytesOf(other) - bytesOf(one));
  return KINDS.flatMap(([kind, pages]) => largest.filter((path) => kind.test(path)).slice(0, pages));
}

function bytesOf(path: string): number {
  return statSync(join(folder, path)).size;
}

for (const [colorScheme, viewport] of [
  ["light", DESKTOP],
  ["dark", PHONE],
] as const)
  journey(`axe finds nothing in ${colorScheme}, at ${viewport.width} pixels`, () =>
    on({ colorScheme, viewport }, async (page) => {
      for (const path of examples()) {
        await page.goto(addressOf(path));
        expect([path, await axeFound(page)]).toEqual([path, []]);
      }
    }),
  );

journey("No page is wider than a phone", () =>
  on({ viewport: PHONE }, async (page) => {
    for (const path of [...all().filter((one) => !CALL.test(one)), ...examples()]) {
      await page.goto(addressOf(path));
      const width = await page.evaluate("document.documentElement.scrollWidth");
      expect([path, width]).toEqual([path, PHONE.width]);
    }
  }),
);

journey("The home page fits on one screen", () =>
  on({ viewport: DESKTOP }, async (page) => {
    await page.goto(addressOf("index.html"));
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBe(DESKTOP.height);
    const picture = `document.querySelector("img")`;
    expect(await page.evaluate(`${picture}.decode().then(() => ${picture}.naturalWidth)`)).toBeGreaterThan(500);
  }),
);

journey("A question on a page deep inside leads to the section that answers it", () =>
  on({ viewport: DESKTOP }, async (page) => {
    await page.goto(addressOf("docs/moving/plunk.html"));
    await page.getByRole("searchbox").fill("rotate the dkim key <b>");
    await page.keyboard.press("Enter");
    await page
      .locator("main")
      .getByRole("link", { name: /^Domains: Rotate the DKIM key/ })
      .click();
    await page.getByRole("heading", { name: "Rotate the DKIM key" }).waitFor();
    expect(page.url()).toStartWith(addressOf("docs/domains.html#"));
  }),
);

journey("The search says what no page has", () =>
  on({ viewport: DESKTOP }, async (page) => {
    await page.goto(addressOf("search.html?q=zzzqqq"));
    await page.getByText("No page of the guide has “zzzqqq”.").waitFor();
    expect(await axeFound(page)).toEqual([]);
  }),
);
