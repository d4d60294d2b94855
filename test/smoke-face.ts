// The face of the executable, in a browser: the first owner comes in by the printed link, and every screen opens. For
// test/smoke.ts.
import { ok } from "node:assert";
import type { Page } from "playwright-core";
import { SCREENS } from "./face/screens.ts";
import { openBrowser } from "./support/chromium.ts";

/** Screens of what is not there: the browser says so, too. */
const GONE = ["not-found", "mail-gone"];

/** A page waits for the server half of the time. */
const PAGES_AT_ONCE = 3;

/** `link`: as `posthorn user link` prints it. @throws Error with what went wrong on a page */
export async function openEveryScreen(url: string, link: string): Promise<void> {
  const browser = await openBrowser();
  try {
    const context = await browser.newContext({ baseURL: url });
    const pages = await Promise.all(Array.from({ length: PAGES_AT_ONCE }, () => context.newPage()));
    const faults = pages.map(faultsOf);
    await comeIn(pages[0] as Page, link);
    const screens = SCREENS.filter(({ open, name }) => !open && !GONE.includes(name));
    // What they ask for beside that is the long tests' to look at: the files of a screen are the same.
    const paths = [...new Set(screens.map((screen) => screen.path.replace(/[?#].*/, "")))].values();
    await Promise.all(pages.map((page) => openEach(page, paths)));
    const found = faults.flat();
    ok(found.length === 0, found.join("; "));
  } finally {
    await browser.close();
  }
}

/** Pages share the paths: each is opened once. */
async function openEach(page: Page, paths: Iterable<string>): Promise<void> {
  for (const path of paths) {
    await page.goto(`/app${path === "/" ? "" : path}`);
    await page.locator("#main h1").first().waitFor({ state: "attached" });
  }
}

function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on(
    "console",
    (message) => message.type() === "error" && faults.push(`${message.text()} ${message.location().url}`),
  );
  return faults;
}

async function comeIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
  await page.getByLabel("Password", { exact: true }).last().fill("three words of mine");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { level: 1, name: "Set up this server" }).waitFor();
}
