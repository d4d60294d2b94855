// Posthorn as its users run it: a process with a data directory, watched from outside.
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Subprocess } from "bun";

export type Environment = Readonly<Record<string, string>>;
export type Memory = { readonly nowMb: number; readonly peakMb: number };

/** Lifted limits, no ports but the one of the API. */
export const UNLIMITED: Environment = {
  POSTHORN_DELIVERY_RATE_PER_SECOND: "0",
  POSTHORN_LIMITS_REQUESTS_PER_MINUTE: "0",
  POSTHORN_SMTP_SUBMISSION_PORT: "0",
  POSTHORN_SMTP_SUBMISSIONS_PORT: "0",
  POSTHORN_SMTP_INBOUND_PORT: "0",
};
const OUTPUT = "server.out";
const POLL_MS = 1;
const PATIENCE_MS = 30_000;

export class ServerProcess implements AsyncDisposable {
  private constructor(
    readonly url: string,
    /** Of the workspace that the first start made. */
    readonly key: string,
    /** From the start of the process to its first answer. */
    readonly startMs: number,
    readonly child: Subprocess,
  ) {}

  /**
   * `command`: what comes before the verb. The directory is its working directory too, so that no config.toml is found.
   */
  static async start(command: readonly string[], dir: string, env: Environment): Promise<ServerProcess> {
    const port = await freePort();
    const isFirst = !existsSync(join(dir, OUTPUT));
    const output = openSync(join(dir, OUTPUT), "a");
    const startedMs = performance.now();
    const child = Bun.spawn([...command, "serve"], {
      cwd: dir,
      env: environment(dir, port, env),
      stdout: output,
      stderr: "inherit",
    });
    closeSync(output);
    const url = `http://127.0.0.1:${port}`;
    await firstAnswer(url, child, startedMs);
    const startMs = performance.now() - startedMs;
    const key = await keyIn(dir, child);
    if (isFirst) await takeDomain(command, environment(dir, port, env));
    return new ServerProcess(url, key, startMs, child);
  }

  get memory(): Memory {
    const status = readFileSync(`/proc/${this.child.pid}/status`, "utf8");
    const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
    return { nowMb: megabytes("VmRSS"), peakMb: megabytes("VmHWM") };
  }

  /** What it has written to the disk since it began: its log, and what was copied from there into the database. */
  get writtenBytes(): number {
    return Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${this.child.pid}/io`, "utf8"))?.[1]);
  }

  /** How many mails there are, of one status or of all. */
  async mails(status?: string): Promise<number> {
    const query = status === undefined ? "" : `&status=${status}`;
    const headers = { authorization: `Bearer ${this.key}` };
    const reply = await fetch(`${this.url}/emails?pageSize=1${query}`, { headers });
    return ((await reply.json()) as { total: number }).total;
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.child.exited;
  }

  /** Stops it as an operator does; what is in hand is finished, and the log is copied back into the database. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGTERM");
    await this.child.exited;
  }
}

/** Makes a data directory as a first start does: workspace, keys, a domain to send from. */
export async function prepareInstallation(command: readonly string[], dir: string): Promise<void> {
  mkdirSync(dir);
  await using _server = await ServerProcess.start(command, dir, {});
}

function environment(dir: string, port: number, env: Environment): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("POSTHORN_"));
  return { ...Object.fromEntries(own), POSTHORN_DATA_DIR: dir, POSTHORN_HTTP_PORT: String(port), ...UNLIMITED, ...env };
}

async function firstAnswer(url: string, child: Subprocess, startedMs: number): Promise<void> {
  for (;;) {
    const reply = await fetch(`${url}/health`).catch(() => null);
    if (reply?.ok) return void (await reply.text());
    if (child.exitCode !== null) throw new Error(`The server ended with code ${child.exitCode}`);
    if (performance.now() - startedMs > PATIENCE_MS) throw new Error("The server does not answer");
    await Bun.sleep(POLL_MS);
  }
}

/** Only the first start shows it; what all of them say is in one file. */
/**
 * As an operator does: where mail really leaves, the demo domain is none to send from. It is there where mail was
 * captured.
 */
async function takeDomain(command: readonly string[], env: Record<string, string | undefined>): Promise<void> {
  for (const words of [
    ["add", "example.test", "--workspace", "default"],
    ["verify", "example.test", "--force"],
  ])
    await Bun.spawn([...command, "domain", ...words], {
      cwd: env["POSTHORN_DATA_DIR"] ?? ".",
      env,
      stdout: "ignore",
      stderr: "ignore",
    }).exited;
}

async function keyIn(dir: string, child: Subprocess): Promise<string> {
  for (;;) {
    const key = /secret\s+(sk_\w+)/.exec(readFileSync(join(dir, OUTPUT), "utf8"))?.[1];
    if (key) return key;
    if (child.exitCode !== null) throw new Error("The server has shown no key");
    await Bun.sleep(POLL_MS);
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** User and system time; a clock tick is 10 ms on Linux. */
export function cpuMs({ child }: Pick<ServerProcess, "child">): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
