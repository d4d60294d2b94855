// Pictures of every screen, light and dark, on a phone and in both languages, to be looked at:
// `SHOTS="mail dark" bun run face:shots` fills dist/shots with some of them; without SHOTS, all.
// With GUIDE=1 those that the guide shows are made smaller and put into docs/face/pictures. Of the long tests with
// SHOTS=each: every screen is opened once, in a kind that follows from its name, and then looked at by programs in all
// widths.
import { mkdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { BrowserContext, Cookie, Page } from "playwright-core";
import { journey, soon, visit, whole, type Visit } from "../support/browser.ts";
import { layoutFaults } from "../support/layout.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { flowing } from "./flows.ts";
import { lanternfish, tokenFor } from "./scene.ts";
import { SCREENS, type Screen } from "./screens.ts";
import { isToShow } from "./since.ts";

const FOLDER = "dist/shots";
const GUIDE_FOLDER = "docs/face/pictures";
const IN_GUIDE = [
  "overview",
  "mail",
  "mail-failed",
  "settings-domains",
  "settings-keys",
  "team",
  "people",
  "person",
  "people-import-tried",
  "segment",
  "form",
  "campaign-check",
  "campaign-account",
  "template-visual",
  "template-code",
  "workflow-try",
  "events",
  "statistics",
];
const GUIDE_WIDTH = 1_200;
/** A page of one colour has some 6,000; the emptiest screen, on a phone, has 16,000. */
const LEAST_BYTES = 10_000;
const KINDS = ["light", "dark", "1024", "900", "phone-light", "phone-dark", "german", "phone-german"] as const;
type Kind = (typeof KINDS)[number];
/** With SHOTS=each, one for each screen. */
const EACH: readonly Kind[] = ["light", "phone-german", "german"];
/** What depends on colours and on how much room there is; a phone has other elements, and is asked about everything. */
const BY_LOOKS = ["color-contrast", "target-size", "scrollable-region-focusable"];
/** What a page that is open is looked at in as well: its width and colours, and what axe is asked. */
// Wider each time: a phone's page is as wide as what floats beyond its edge, and stays so.
const ROUNDS = [
  { width: 390, height: 844, colorScheme: "light", rules: undefined },
  { width: 900, height: 768, colorScheme: "light", rules: [] },
  { width: 1024, height: 768, colorScheme: "dark", rules: BY_LOOKS },
] as const;

/** A shop with a past, and a server that was started just now. */
const houses = new Map<NonNullable<Screen["house"]>, Posthorn>();
const cookies = new Map<Posthorn, Cookie[]>();
/** A page of each kind for all screens of a house: what it has loaded once it need not load again. */
const pages = new Map<string, Visit>();
/** What has happened to the houses, and the pages that have been open since before it. */
const done = new Set<Screen["before"]>();
const outdated = new Set<Visit>();
beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  houses.set("shop", await lanternfish());
  houses.set("new", await startPosthorn());
  houses.set("flows", (await flowing()).posthorn);
});
afterAll(async () => {
  for (const page of pages.values()) await page[Symbol.asyncDispose]();
  for (const posthorn of houses.values()) await posthorn[Symbol.asyncDispose]();
});

const wanted = (process.env["SHOTS"] ?? "").split(/[\s,]+/).filter(Boolean);
const isEach = wanted.includes("each");
const kinds = some(KINDS, (kind) => kind);
const screens = some(SCREENS, ({ name }) => name).filter(({ path }) => isToShow(path));
/** A screen keeps its kind when others come or go. */
const kindOf = (name: string) => EACH[Bun.hash.crc32(name) % EACH.length] ?? "light";
const kindsOf = (name: string) => (isEach ? [kindOf(name)] : kinds);

/** Those that are wanted by name; all of them if none is. */
function some<One>(all: readonly One[], nameOf: (one: One) => string): readonly One[] {
  const named = all.filter((one) => wanted.includes(nameOf(one)));
  return named.length > 0 ? named : all;
}

test("no two screens share a name, and with it a picture", () => {
  const names = SCREENS.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

journey.each(screens.flatMap((screen) => kindsOf(screen.name).map((kind) => [screen.name, kind, screen] as const)))(
  "%s, %s",
  async (name, kind, screen) => {
    const file = `${FOLDER}/${name}-${kind}.png`;
    await shoot(screen, kind, file);
    if (process.env["GUIDE"] && kind === "light" && IN_GUIDE.includes(name)) await putIntoGuide(file, name);
  },
);

async function shoot(screen: Screen, kind: Kind, file: string): Promise<void> {
  const { path, open, before, prepare, offends, house = "shop" } = screen;
  const posthorn = houses.get(house) as Posthorn;
  await before?.(posthorn);
  if (before && !done.has(before)) pages.forEach((page) => outdated.add(page));
  done.add(before);
  const eva = await pageFor(screen, posthorn, kind);
  await eva.context.clock.setFixedTime(posthorn.clock.nowMs());
  if (open) await eva.open(typeof open === "string" ? `${path}${await tokenFor(posthorn, open)}` : path);
  else await goTo(eva, path);
  await prepare?.(eva.page);
  // What was prepared for may have come with a list of before, while its own was still loading.
  await whole(eva.page);
  // React Aria shows what floats once a phone's keyboard has come, or has not.
  await eva.page.locator('[style*="opacity: 0"]').first().waitFor({ state: "detached" });
  const picture = await eva.page.screenshot({ path: file });
  expect(picture.length).toBeGreaterThan(LEAST_BYTES);
  // A canvas fits its drawing to its new width a moment later.
  await soon(() => eva.check());
  await look(eva.page, kind);
  if (isEach) await lookRound(eva);
  eva.calm(offends);
  if (open) await eva[Symbol.asyncDispose]();
  else await leave(eva.page);
}

/** In the page that is open: what it has loaded, and axe, need not start again. */
async function goTo(eva: Visit, path: string): Promise<void> {
  const { page, open } = eva;
  if (outdated.delete(eva) || !page.url().endsWith(`/app${NOWHERE}`) || path === NOWHERE) return open(path);
  await show(page, path);
  await page.locator(".empty > h1").waitFor({ state: "detached" });
  await whole(page);
}

/** Where nothing asks for news while other pages are looked at. */
const NOWHERE = "/nowhere";

async function leave(page: Page): Promise<void> {
  const nowhere = page.locator(".empty > h1");
  const leave = page.locator(".veil .btn.risk");
  await page.mouse.move(0, 0);
  for (let floating = 0; floating < 2 && (await page.locator(".veil, .menu").count()) > 0; floating++)
    await page.keyboard.press("Escape");
  await show(page, NOWHERE);
  await nowhere.or(leave).first().waitFor();
  if (await leave.isVisible()) await leave.click();
  await nowhere.waitFor();
}

function show(page: Page, path: string): Promise<unknown> {
  return page.evaluate(`history.pushState(null, "", "/app${path === "/" ? "" : path}")`);
}

async function look(page: Page, at: string): Promise<void> {
  // What floats, and what is another part on a phone, follows the width a moment later.
  await soon(async () => expect((await layoutFaults(page)).map((fault) => `${at}: ${fault}`)).toEqual([]));
}

async function lookRound({ page, check }: Visit): Promise<void> {
  const before = page.viewportSize() ?? { width: 1440, height: 900 };
  try {
    for (const { width, height, colorScheme, rules } of ROUNDS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      await look(page, String(width));
      await soon(() => check(rules));
    }
  } finally {
    await page.setViewportSize(before);
    await page.emulateMedia({ colorScheme: null });
  }
}

function sizeOf(kind: Kind) {
  if (kind.startsWith("phone")) return { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const width = Number(kind);
  return Number.isNaN(width) ? {} : { viewport: { width, height: 768 } };
}

async function pageFor({ house = "shop", open }: Screen, posthorn: Posthorn, kind: Kind): Promise<Visit> {
  const known = pages.get(`${house} ${kind}`);
  if (known && !open) return known;
  const eva = await visit(posthorn, {
    colorScheme: kind.endsWith("dark") ? "dark" : "light",
    locale: kind.endsWith("german") ? "de-DE" : "en-GB",
    ...sizeOf(kind),
  });
  if (open) return eva;
  await comeIn(eva.context, posthorn);
  pages.set(`${house} ${kind}`, eva);
  return eva;
}

/** One person on all pictures. */
async function comeIn(context: BrowserContext, posthorn: Posthorn): Promise<void> {
  const known = cookies.get(posthorn);
  if (known) return context.addCookies(known);
  await signIn(context, posthorn);
  cookies.set(posthorn, await context.cookies());
}

async function putIntoGuide(file: string, name: string): Promise<void> {
  mkdirSync(GUIDE_FOLDER, { recursive: true });
  const picture = new Bun.Image(await Bun.file(file).bytes()).resize(GUIDE_WIDTH).webp({ quality: 72 });
  await Bun.write(`${GUIDE_FOLDER}/${name}.webp`, await picture.bytes());
}
