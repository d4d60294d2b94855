// The browser that tests drive: Debian's chromium, without a window. The program that has none takes two thirds of the
// time.
import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const PROGRAM = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) => existsSync(path));
const ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const hasBrowser = PROGRAM !== undefined;

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: PROGRAM ?? "", args: ARGUMENTS });
}
