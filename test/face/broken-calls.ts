// What can go wrong with the calls of a screen, made in the page: one server, whatever happens to it.
import type { Page, Request, Route } from "playwright-core";
import { expect } from "bun:test";
import { soon, type Visit } from "../support/browser.ts";

/** What the browser's console says of calls that fail. */
export const OFFENDS = /ERR_|Failed to load|Failed to fetch|^console: Fault: /;

export const FAULTS = ["error", "late", "malformed", "offline", "cut", "ended"] as const;
export type FaultKind = (typeof FAULTS)[number];

const JSON_TYPE = "application/json";
const INTERNAL = { error: { code: "INTERNAL_ERROR", message: "Something went wrong on our side.", requestId: "0192" } };

const ANSWERS: Readonly<Record<FaultKind, (route: Route) => Promise<unknown>>> = {
  error: (route) => route.fulfill({ status: 500, contentType: JSON_TYPE, body: JSON.stringify(INTERNAL) }),
  // Never answered: the page gives up by itself.
  late: async () => undefined,
  // A proxy's own page.
  malformed: (route) => route.fulfill({ status: 200, contentType: "text/html", body: "<p>Maintenance</p>" }),
  offline: (route) => route.abort("internetdisconnected"),
  cut: (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>502</h1>" }),
  ended: (route) => route.fulfill({ status: 401, json: { error: { code: "SESSION_ENDED", message: "Ended." } } }),
};

/** What a page says of it. */
export const SAYS: Readonly<Record<FaultKind, RegExp>> = {
  error: /The server had an error/,
  late: /took too long/,
  malformed: /could not be read/,
  offline: /does not answer/,
  cut: /error 502/,
  ended: /Sign in again/,
};

/** A call of the interface, and not what the page is made of. */
export const isCall = (url: URL) => !url.pathname.startsWith("/app");
const isBroken = ({ pathname }: URL) => !["/me", "/session"].includes(pathname);

const IMPATIENT = "impatient";

/** Pages give up soon while calls of theirs are late, and not because the machine is busy. */
export async function impatient({ context }: Visit): Promise<void> {
  await context.addInitScript(`(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => timeout(document.cookie.includes("${IMPATIENT}") ? ms / 20 : ms);
  })()`);
}

type Broken = { readonly mend: () => Promise<void>; readonly broken: ReadonlySet<string> };

/** Breaks the calls of a page, or one of them. `home`: of the server. */
export async function breakCalls(page: Page, home: string, kind: FaultKind, only?: string): Promise<Broken> {
  const broken = new Set<string>();
  const matches = (url: URL) => isCall(url) && isBroken(url);
  const answer = (route: Route, request: Request) => {
    const name = nameOf(request);
    if (only !== undefined && name !== only) return route.fallback();
    broken.add(name);
    return ANSWERS[kind](route);
  };
  await page.route(matches, answer);
  if (kind === "late") await page.context().addCookies([{ name: IMPATIENT, value: "1", url: home }]);
  const mend = async () => {
    await page.unroute(matches, answer);
    await page.context().clearCookies({ name: IMPATIENT });
  };
  return { broken, mend };
}

export function nameOf(request: Request): string {
  const { pathname, search } = new URL(request.url());
  return `${request.method()} ${pathname}${search}`;
}

/** Nothing loads for ever, nothing is blank, and what failed is said, with a way to try again. */
export async function saysWhatFailed(page: Page, kind: FaultKind): Promise<void> {
  if (kind === "ended") return page.getByRole("dialog", { name: "Sign in again" }).waitFor();
  await soon(async () => expect(await page.locator("[aria-busy=true]").filter({ visible: true }).count()).toBe(0));
  await soon(async () => expect(await page.locator("body").innerText()).toMatch(SAYS[kind]));
  expect(await again(page).count()).toBeGreaterThan(0);
}

const again = (page: Page) => page.getByRole("button", { name: /^(Try again|Try now)$/ }).filter({ visible: true });

/** Until nothing is left that could be tried again. */
export async function triesAgain(page: Page): Promise<void> {
  // Where the session has ended: its user has signed in elsewhere.
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await page.getByRole("dialog", { name: "Sign in again" }).waitFor({ state: "detached" });
  await soon(async () => {
    for (const button of await again(page).all()) await button.click({ timeout: 1_000 }).catch(() => undefined);
    expect(await again(page).count()).toBe(0);
  });
  await soon(async () => expect(await page.locator("[aria-busy=true]").filter({ visible: true }).count()).toBe(0));
}
