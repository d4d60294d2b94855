// A daemon that a test runs: a process with a folder of its own.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A process with a folder of its own. */
export class Daemon implements AsyncDisposable {
  readonly folder: string;
  #child: ReturnType<typeof Bun.spawn> | null = null;

  /** `parent`: where its folder is made. */
  constructor(parent = tmpdir()) {
    this.folder = mkdtempSync(join(parent, "daemon-"));
  }

  /** Of its group of processes, too. */
  get pid(): number {
    if (!this.#child) throw new Error("The daemon has not been started");
    return this.#child.pid;
  }

  file(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  /** In a group of processes of its own, so that one that ends its group ends no other. */
  start(command: string[], env: Readonly<Record<string, string>> = {}): void {
    const all = { ...process.env, ...env };
    this.#child = Bun.spawn(command, { env: all, stdout: "ignore", stderr: "ignore", detached: true });
  }

  /** Answers when it takes connections. */
  async listens(place: { readonly path: string } | { readonly host: string; readonly port: number }): Promise<void> {
    while (!(await isOpen(place))) {
      if (this.#child?.exitCode !== null) throw new Error(`The daemon ended with ${this.#child?.exitCode}`);
      await Bun.sleep(50);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child?.kill();
    await this.#child?.exited;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function isOpen(place: { readonly path: string } | { readonly host: string; readonly port: number }): Promise<boolean> {
  const socket = createConnection(place);
  return new Promise<boolean>((resolve) => {
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
  }).finally(() => socket.destroy());
}
