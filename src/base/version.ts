// The version of this Posthorn, and the commit that it was built from.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { iso } from "./clock.ts";

/** Put in by build/executable.ts. */
declare const POSTHORN_COMMIT: string;
declare const POSTHORN_DATE: string;
declare const POSTHORN_PLATFORM: string;
declare const POSTHORN_RELEASE_KEY: string;

export type Build = {
  readonly version: string;
  /** Shortened, with "-dirty" behind it if files were changed since; "development" if the commit is unknown. */
  readonly commit: string;
  /** The date of the commit; null = unknown. */
  readonly date: string | null;
};

let known: Build | null = null;

/** An executable contains its commit; in a checkout, git is run once. */
export function build(): Build {
  known ??= {
    version,
    ...(typeof POSTHORN_COMMIT === "string" ? builtIn() : commitOf(join(import.meta.dir, "../.."))),
  };
  return known;
}

function builtIn(): Omit<Build, "version"> {
  return { commit: POSTHORN_COMMIT, date: POSTHORN_DATE === "" ? null : POSTHORN_DATE };
}

/** Facts about releases, built into the executable of a release. */
export type ReleaseFacts = {
  /** The name of its archive says it: linux-x64-musl; null = this is no release. */
  readonly platform: string | null;
  /** The public key that releases are signed with; null = it was built without one. */
  readonly key: string | null;
};

export function releaseFacts(): ReleaseFacts {
  return typeof POSTHORN_RELEASE_KEY === "string"
    ? { platform: POSTHORN_PLATFORM || null, key: POSTHORN_RELEASE_KEY || null }
    : { platform: null, key: null };
}

/** The commit of the checkout in a folder. */
export function commitOf(folder: string): Omit<Build, "version"> {
  const unknown = { commit: "development", date: null };
  if (!existsSync(join(folder, ".git"))) return unknown;
  const commit = git(folder, ["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]);
  const date = git(folder, ["log", "-1", "--format=%ct"]);
  return commit && date ? { commit, date: iso(Number(date) * 1000) } : unknown;
}

/** Null if git cannot tell: it may be missing, or mistrust a folder of another user. */
function git(folder: string, words: readonly string[]): string | null {
  try {
    const { success, stdout } = Bun.spawnSync(["git", "-C", folder, ...words], { stderr: "ignore" });
    return success ? stdout.toString().trim() : null;
  } catch {
    return null;
  }
}
