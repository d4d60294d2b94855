// A real browser on the real server: Debian's chromium, one for all tests of a process. Every page that is opened is
// watched: axe, the console, the policy, requests to elsewhere.
import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { hasBrowser, openBrowser } from "./chromium.ts";
import type { Posthorn } from "./posthorn.ts";

const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** Slow machines under load; nothing waits this long otherwise. */
const PATIENCE_MS = 60_000;
/** After this, and then ever more seldom: each look is work for the page, too. */
const LOOK_AGAIN_MS = 20;
const LOOK_AGAIN_AT_LEAST_EVERY_MS = 200;

/** A journey through the face; skipped by name where there is no chromium. */
export const journey = hasBrowser ? test : test.skip;

let browser: Promise<Browser> | undefined;

function opened(): Promise<Browser> {
  browser ??= openBrowser();
  return browser;
}

afterAll(async () => {
  await (await browser)?.close();
  browser = undefined;
});

export type Visit = AsyncDisposable & {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Opens a page of the face, "/mail"; it is whole, and axe finds nothing, when this answers. */
  open(path: string): Promise<void>;
  /** Asks axe about the page as it is now: by these rules, or by all. */
  check(rules?: readonly string[]): Promise<void>;
  /** Nothing but this has gone wrong since it was asked last. */
  calm(offends?: RegExp): void;
};

export type VisitOptions = BrowserContextOptions & {
  readonly offends?: RegExp;
  /** Another one than chromium. */
  readonly browser?: Promise<Browser>;
  /** Where the server is reached, if not by its own address. */
  readonly home?: string;
};

/** A browser of its own, with nothing kept. At its end nothing may have gone wrong; `offends`: what may have. */
export async function visit(
  posthorn: Posthorn,
  { offends, browser = opened(), home = posthorn.server.url, ...options }: VisitOptions = {},
): Promise<Visit> {
  const context = await (
    await browser
  ).newContext({
    baseURL: home,
    locale: "en-GB",
    reducedMotion: "reduce",
    timezoneId: "UTC",
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  // The page goes by the server's time, which stands still.
  await context.clock.setFixedTime(posthorn.clock.nowMs());
  const page = await context.newPage();
  const faults = watched(context, page, home);
  const check = async (rules?: readonly string[]) => expect(await axeFaults(page, rules)).toEqual([]);
  const calm = (offending = offends) => expect(faults.splice(0).filter((fault) => !offending?.test(fault))).toEqual([]);
  return {
    page,
    context,
    check,
    calm,
    open: async (path) => {
      await page.goto(`${home}/app${path === "/" ? "" : path}`);
      await whole(page);
      await check();
    },
    [Symbol.asyncDispose]: async () => {
      await context.close();
      calm();
    },
  };
}

/** Waits until a page has its heading, and nothing of it is loading. */
export async function whole(page: Page): Promise<void> {
  await page.locator("h1, h2").filter({ visible: true }).first().waitFor();
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

/** Presses "/" until the field of the list has the focus: its key works a moment after the field is there. */
export function focusSearch(page: Page): Promise<void> {
  return soon(async () => {
    await page.keyboard.press("/");
    expect(await page.locator("input:focus").count()).toBe(1);
  });
}

/**
 * What a page shows comes a moment after what it follows from: looks again until the assertion holds, and fails as it
 * did last. Instead of `page.waitForFunction`, which compiles its text in the page at each further look: the page's
 * policy forbids that.
 */
export async function soon(assertion: () => Promise<unknown>): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (let pauseMs = LOOK_AGAIN_MS; ; pauseMs = Math.min(pauseMs * 1.5, LOOK_AGAIN_AT_LEAST_EVERY_MS)) {
    try {
      return void (await assertion());
    } catch (error) {
      if (performance.now() > deadlineMs) throw error;
      await Bun.sleep(pauseMs);
    }
  }
}

/**
 * As `soon`, and all loops run before each look: what a page has sent may reach the server after they have run once.
 */
export function settled(posthorn: Posthorn, assertion: () => Promise<unknown>): Promise<void> {
  return soon(async () => {
    await posthorn.settle();
    await assertion();
  });
}

/**
 * A refused request is a line of the browser's; the page says it in words. A picture that is taken stops animations by
 * a script in each frame.
 */
const EXPECTED =
  /Failed to load resource|^Blocked script execution in '(about:blank|[^']*\/app\/-\/(message|recipient|draft)\b)/;

/** What goes wrong on a page, as it happens. */
function watched(context: BrowserContext, page: Page, home: string): string[] {
  const faults: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !EXPECTED.test(message.text()))
      faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  context.on("request", (request) => {
    if (!request.url().startsWith(home) && !request.url().startsWith("data:")) faults.push(`foreign: ${request.url()}`);
  });
  return faults;
}

/** What axe judges by: each kind of element with its attributes and its parent, the colours and the width. */
const OUTLINE = `(() => {
  const sign = (one) => one && one.tagName + "." + one.getAttribute("class") + "[" + one.getAttributeNames() + "]" + one.getAttribute("role");
  const kinds = new Set([...document.querySelectorAll("*")].map((one) => sign(one.parentElement) + ">" + sign(one)));
  return [getComputedStyle(document.documentElement).backgroundColor, innerWidth, ...kinds].join("\\n");
})()`;
/** Outlines in which axe has found nothing: a page that is opened again has nothing new for it. */
const faultless = new Set<string>();

async function axeFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (rules?.length === 0) return [];
  const outline = `${rules ?? ""} ${(await page.evaluate(OUTLINE)) as string}`;
  if (faultless.has(outline)) return [];
  const found = await axeFound(page, rules);
  if (found.length === 0) faultless.add(outline);
  return found;
}

/** What axe has against a page, by these rules or by all. */
export async function axeFound(page: Page, rules?: readonly string[]): Promise<string[]> {
  // The page's policy lets no script in; the debugger's does not ask it. It is half a megabyte, to be read each time.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const asked = `axe.run(document, { runOnly: ${JSON.stringify(rules ?? WCAG)}, iframes: false, resultTypes: ["violations"] })`;
  return (await page.evaluate(`${asked}.then(({ violations }) => violations.map(({ id, nodes }) =>
    id + ": " + nodes.map(({ target, failureSummary }) => target.join(" ") + " " + failureSummary).join("; ")))`)) as string[];
}
