// A clock that jumps under a running server, by libfaketime: forward and back again, then back and forward again.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { during, type Fault } from "./fault.ts";
import type { Found, Ground } from "./ground.ts";

const PEACE_MS = 3_000;
const SLOW_RELAY_MS = 400;
/** Idempotency-Keys are known for a day by the clock: after a longer jump, a repeated request is a new one. */
const JUMPS = ["+2h", "+20h", "-2h", "-20h"] as const;

export const CLOCKS: readonly Fault[] = JUMPS.map((jump) => ({
  name: `clock jumps ${jump} and back`,
  without: () => (library() === null ? "libfaketime is not installed" : null),
  play: (seed) => jumpAndBack(seed, jump),
}));

async function jumpAndBack(seed: number, jump: string): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-clock-"));
  const file = join(folder, "time");
  writeFileSync(file, "+0\n");
  const settings = {
    LD_PRELOAD: library() ?? "",
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  try {
    return await during({ seed, settings }, async (ground) => {
      ground.relay.slowByMs = SLOW_RELAY_MS;
      await set(ground, file, jump);
      await set(ground, file, "+0");
      ground.relay.slowByMs = 0;
      await ground.end();
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is under way then feels it, and what comes after. */
async function set(ground: Ground, file: string, jump: string): Promise<void> {
  writeFileSync(file, `${jump}\n`);
  await Bun.sleep(PEACE_MS);
  await ground.arrivals(20);
}

function library(): string | null {
  const folders = existsSync("/usr/lib") ? readdirSync("/usr/lib") : [];
  const places = folders.map((folder) => `/usr/lib/${folder}/faketime/libfaketimeMT.so.1`);
  return places.find(existsSync) ?? null;
}
