// Pictures of every screen, light and dark, and on a phone, to be looked at: `SHOTS="mail overview" bun run face:shots` fills dist/shots; without SHOTS, all.
// With GUIDE=1 those that the guide shows are made smaller and put into docs/face/pictures.
import { mkdirSync } from "node:fs";
import { afterAll, beforeAll } from "bun:test";
import type { BrowserContext, Cookie } from "playwright-core";
import { journey, visit } from "../support/browser.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { lanternfish, tokenFor } from "./scene.ts";
import { SCREENS, type Screen } from "./screens.ts";

const FOLDER = "dist/shots";
const GUIDE_FOLDER = "docs/face/pictures";
const IN_GUIDE = ["overview", "mail", "mail-failed", "set-up-domains", "set-up-keys", "team"];
const GUIDE_WIDTH = 1_200;
const KINDS = ["light", "dark", "phone-light", "phone-dark"] as const;

let posthorn: Posthorn;
let cookies: Cookie[] = [];
beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  posthorn = await lanternfish();
}, 60_000);
afterAll(() => posthorn[Symbol.asyncDispose]());

const wanted = (process.env["SHOTS"] ?? "").split(/[\s,]+/).filter(Boolean);
const chosen = SCREENS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

journey.each(chosen.flatMap((screen) => KINDS.map((kind) => [screen.name, kind, screen] as const)))(
  "%s, %s",
  async (name, kind, screen) => {
    const file = `${FOLDER}/${name}-${kind}.png`;
    await shoot(screen, kind, file);
    if (process.env["GUIDE"] && kind === "light" && IN_GUIDE.includes(name)) await putIntoGuide(file, name);
  },
);

async function shoot(
  { path, open, prepare, offends }: Screen,
  kind: (typeof KINDS)[number],
  file: string,
): Promise<void> {
  const isPhone = kind.startsWith("phone");
  await using eva = await visit(posthorn, {
    ...(offends ? { offends } : {}),
    colorScheme: kind.endsWith("dark") ? "dark" : "light",
    ...(isPhone ? { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } : {}),
  });
  if (!open) await comeIn(eva.context);
  await eva.open(typeof open === "string" ? `${path}${await tokenFor(posthorn, open)}` : path);
  await prepare?.(eva.page);
  // React Aria shows what floats once a phone's keyboard has come, or has not.
  await eva.page.locator('[style*="opacity: 0"]').first().waitFor({ state: "detached" });
  await eva.page.screenshot({ path: file });
  await eva.check();
}

/** One person on all pictures. */
async function comeIn(context: BrowserContext): Promise<void> {
  if (cookies.length > 0) return context.addCookies(cookies);
  await signIn(context, posthorn);
  cookies = await context.cookies();
}

async function putIntoGuide(file: string, name: string): Promise<void> {
  mkdirSync(GUIDE_FOLDER, { recursive: true });
  const picture = new Bun.Image(await Bun.file(file).bytes()).resize(GUIDE_WIDTH).webp({ quality: 80 });
  await Bun.write(`${GUIDE_FOLDER}/${name}.webp`, await picture.bytes());
}
