// The executable of a commit, built in a tree of its own and kept for the next comparison.
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dir, "../..");

/** `ref`: whatever git takes for a commit. Answers the file. @throws Error with what git or the build said */
export async function executableOf(ref: string): Promise<string> {
  const hash = (await done(["git", "rev-parse", "--verify", `${ref}^{commit}`], root)).trim();
  const kept = join(root, "data/pairs", hash);
  if (existsSync(kept)) return kept;
  mkdirSync(join(root, "data/pairs"), { recursive: true, mode: 0o700 });
  const tree = `${kept}.tree`;
  await done(["git", "worktree", "add", "--force", "--detach", tree, hash], root);
  try {
    await built(tree);
    renameSync(join(tree, "dist/posthorn"), kept);
  } finally {
    await done(["git", "worktree", "remove", "--force", tree], root);
  }
  return kept;
}

/** Of this tree as it is, whether committed or not. */
export async function executableHere(): Promise<string> {
  await done([process.execPath, "run", "build"], root);
  return join(root, "dist/posthorn");
}

async function built(tree: string): Promise<void> {
  await done([process.execPath, "install", "--frozen-lockfile", "--silent"], tree);
  await done([process.execPath, "run", "build"], tree);
}

async function done(command: readonly string[], cwd: string): Promise<string> {
  const child = Bun.spawn([...command], { cwd, stdout: "pipe", stderr: "pipe" });
  const [said, complained] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${complained || said}`);
  return said;
}
