// Firefox, as Debian has it, driven by playwright over WebDriver BiDi; for journeys that two engines must walk.
import { afterAll, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { firefox, type Browser } from "playwright-core";

const PROGRAM = "/usr/bin/firefox-esr";
const DRIVER = new URL("firefox-driver.ts", import.meta.url).pathname;
const LONGEST_START_MS = 120_000;

/** Older ones know too few commands: `browser.setDownloadBehavior` is the last that playwright needs. */
const OLDEST = 149;

function installedVersion(): number {
  if (!existsSync(PROGRAM)) return 0;
  const { stdout } = Bun.spawnSync([PROGRAM, "--version"]);
  return Number(/Firefox (\d+)/.exec(stdout.toString())?.[1] ?? 0);
}

/** Skipped by name where there is no Firefox that can be driven. */
export const journeyInFirefox = installedVersion() >= OLDEST ? test : test.skip;

let folder: string | undefined;
let browser: Promise<Browser> | undefined;

export function openedFirefox(): Promise<Browser> {
  return (browser ??= open());
}

function open(): Promise<Browser> {
  folder = mkdtempSync(join(tmpdir(), "posthorn-firefox-"));
  const program = join(folder, "firefox");
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${DRIVER}' '${PROGRAM}' "$@"\n`);
  chmodSync(program, 0o700);
  return firefox.launch({ channel: "moz-firefox", executablePath: program, timeout: LONGEST_START_MS });
}

afterAll(async () => {
  await (await browser)?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true });
  browser = folder = undefined;
});
