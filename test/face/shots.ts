// Pictures of every screen, light and dark, on a phone and in both languages, to be looked at:
// `SHOTS="mail dark" bun run face:shots` fills dist/shots with some of them; without SHOTS, all.
// With GUIDE=1 those that the guide shows are made smaller and put into docs/face/pictures. Of the long tests with
// SHOTS=each: every screen once, the kinds in turn.
import { mkdirSync } from "node:fs";
import { afterAll, beforeAll, expect } from "bun:test";
import type { BrowserContext, Cookie } from "playwright-core";
import { journey, visit } from "../support/browser.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { flowing } from "./flows.ts";
import { lanternfish, tokenFor } from "./scene.ts";
import { SCREENS, type Screen } from "./screens.ts";

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
const KINDS = ["light", "dark", "phone-light", "phone-dark", "german", "phone-german"] as const;

/** A shop with a past, and a server that was started just now. */
const houses = new Map<NonNullable<Screen["house"]>, Posthorn>();
const cookies = new Map<Posthorn, Cookie[]>();
beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  houses.set("shop", await lanternfish());
  houses.set("new", await startPosthorn());
  houses.set("flows", (await flowing()).posthorn);
});
afterAll(async () => {
  for (const posthorn of houses.values()) await posthorn[Symbol.asyncDispose]();
});

const wanted = (process.env["SHOTS"] ?? "").split(/[\s,]+/).filter(Boolean);
const kinds = some(KINDS, (kind) => kind);
const screens = some(SCREENS, ({ name }) => name);
const kindsOf = (index: number) => (wanted.includes("each") ? [KINDS[index % KINDS.length] ?? "light"] : kinds);

/** Those that are wanted by name; all of them if none is. */
function some<One>(all: readonly One[], nameOf: (one: One) => string): readonly One[] {
  const named = all.filter((one) => wanted.includes(nameOf(one)));
  return named.length > 0 ? named : all;
}

journey.each(screens.flatMap((screen, index) => kindsOf(index).map((kind) => [screen.name, kind, screen] as const)))(
  "%s, %s",
  async (name, kind, screen) => {
    const file = `${FOLDER}/${name}-${kind}.png`;
    await shoot(screen, kind, file);
    if (process.env["GUIDE"] && kind === "light" && IN_GUIDE.includes(name)) await putIntoGuide(file, name);
  },
);

async function shoot(
  { path, open, before, prepare, offends, house = "shop" }: Screen,
  kind: (typeof KINDS)[number],
  file: string,
): Promise<void> {
  const isPhone = kind.startsWith("phone");
  const posthorn = houses.get(house) as Posthorn;
  await before?.(posthorn);
  await using eva = await visit(posthorn, {
    ...(offends ? { offends } : {}),
    colorScheme: kind.endsWith("dark") ? "dark" : "light",
    locale: kind.endsWith("german") ? "de-DE" : "en-GB",
    ...(isPhone ? { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } : {}),
  });
  if (!open) await comeIn(eva.context, posthorn);
  await eva.open(typeof open === "string" ? `${path}${await tokenFor(posthorn, open)}` : path);
  await prepare?.(eva.page);
  // React Aria shows what floats once a phone's keyboard has come, or has not.
  await eva.page.locator('[style*="opacity: 0"]').first().waitFor({ state: "detached" });
  const picture = await eva.page.screenshot({ path: file });
  expect(picture.length).toBeGreaterThan(LEAST_BYTES);
  await eva.check();
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
