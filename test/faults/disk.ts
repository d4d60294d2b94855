// A disk that is full, one that is read-only, and one that fails under a running server.
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectAnswer, during, type Fault } from "./fault.ts";
import type { Ground } from "./ground.ts";
import { Mount, whyNoMounts } from "./mounts.ts";

const SMALL_MB = 48;
const LONG_MS = 12_000;
const SHORT_MS = 2_000;

export const DISK: readonly Fault[] = [
  {
    name: "disk full",
    without: whyNoMounts,
    play: async (seed) => {
      await using mount = await Mount.small(SMALL_MB);
      return await during({ seed, parent: mount.folder }, async (ground) => {
        ground.begin();
        fill(mount);
        await Bun.sleep(LONG_MS);
        await expectAnswer(ground, "/health", 200);
        const reason = await expectAnswer(ground, "/ready", 503);
        if (!/full/.test(reason)) ground.book.fault(`/ready does not say that the disk is full: ${reason}`);
        empty(mount);
        await ground.end();
      });
    },
  },
  {
    name: "disk full, and killed",
    without: whyNoMounts,
    play: async (seed) => {
      await using mount = await Mount.small(SMALL_MB);
      return await during({ seed, parent: mount.folder }, async (ground) => {
        ground.begin();
        fill(mount);
        await Bun.sleep(SHORT_MS);
        await ground.kill();
        ground.note = await startAndSay(ground);
        empty(mount);
        await ground.start();
        await ground.end();
      });
    },
  },
  {
    name: "disk read-only at the start",
    without: whyNoMounts,
    play: async (seed) => {
      await using mount = await Mount.small(SMALL_MB);
      return await during({ seed, parent: mount.folder }, async (ground) => {
        ground.begin();
        await ground.kill();
        await mount.makeReadOnly();
        ground.note = await startAndSay(ground);
        if (!/make them writable, then start again/.test(ground.note))
          ground.book.fault(`The start did not say why: ${ground.note}`);
        await mount.makeWritable();
        await ground.start();
        await ground.end();
      });
    },
  },
  {
    name: "disk fails under it",
    without: whyNoMounts,
    play: async (seed) => {
      await using mount = await Mount.brittle();
      return await during({ seed, parent: mount.folder }, async (ground) => {
        ground.begin();
        // A file system that fails says yes to the very sync that is under way, so nobody is told anything at that
        // moment.
        await ground.betweenRequests(() => mount.fail());
        await Bun.sleep(LONG_MS);
        await expectAnswer(ground, "/health", 200);
        await expectAnswer(ground, "/ready", 503);
        await ground.kill();
        // What the system still had in memory and the disk has not is gone now.
        await mount.repair();
        ground.look();
        await ground.start();
        await ground.end();
      });
    },
  },
];

function fill({ folder }: Mount): void {
  const { bavail, bsize } = statfsSync(folder);
  try {
    writeFileSync(join(folder, "ballast"), Buffer.alloc(bavail * bsize));
  } catch {
    // What was left has gone into it.
  }
}

function empty({ folder }: Mount): void {
  rmSync(join(folder, "ballast"));
}

/** The server must start, or say why it does not; what it said. */
async function startAndSay(ground: Ground): Promise<string> {
  try {
    await ground.start();
    await ground.kill();
    return "it starts all the same";
  } catch (error) {
    return String(error).trim().split("\n").at(-1) ?? "";
  }
}
