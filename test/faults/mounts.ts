// File systems of a test's own: one that is small, and one whose disk fails. Both need root on Linux.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const IMAGE_MB = 64;

/** Why there can be none here; null = there can. */
export function whyNoMounts(): string | null {
  if (process.platform !== "linux") return "only Linux has tmpfs";
  return process.getuid?.() === 0 ? null : "only root may mount a file system";
}

export class Mount implements AsyncDisposable {
  private constructor(
    readonly folder: string,
    readonly around: string,
    private readonly words: readonly string[],
  ) {}

  /** So large and no larger. */
  static async small(megabytes: number): Promise<Mount> {
    const around = mkdtempSync(join(tmpdir(), "posthorn-small-"));
    return new Mount(around, around, ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs"]).#set();
  }

  /** On a disk that may fail (`fail`): the system then lets nobody write any more, and what is open stays open. */
  static async brittle(): Promise<Mount> {
    const around = mkdtempSync(join(tmpdir(), "posthorn-brittle-"));
    const [image, folder] = [join(around, "image"), join(around, "disk")];
    await run("mkdir", folder);
    await run("truncate", "-s", `${IMAGE_MB}M`, image);
    await run("mkfs.ext4", "-q", image);
    return new Mount(folder, around, ["-o", "loop,errors=remount-ro", image]).#set();
  }

  async fail(): Promise<void> {
    const device = (await run("findmnt", "-n", "-o", "SOURCE", this.folder)).trim().replace("/dev/", "");
    writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, "1");
  }

  /** Nobody may have a file open. */
  async repair(): Promise<void> {
    await run("umount", this.folder);
    const image = this.words.at(-1) as string;
    await run("e2fsck", "-f", "-y", image).catch(() => run("e2fsck", "-f", "-y", image));
    await this.#set();
  }

  async makeReadOnly(): Promise<void> {
    await run("mount", "-o", "remount,ro", this.folder);
  }

  async makeWritable(): Promise<void> {
    await run("mount", "-o", "remount,rw", this.folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await run("umount", "-l", this.folder).catch(() => undefined);
    rmSync(this.around, { recursive: true, force: true });
  }

  async #set(): Promise<this> {
    await run("mount", ...this.words, this.folder);
    return this;
  }
}

/** @throws Error with what it said */
export async function run(...command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${err || out}`);
  return out;
}
