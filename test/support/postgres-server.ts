// A PostgreSQL server of a test's own, durable as in earnest, that can be restarted and be made to crash.
import type { Subprocess } from "bun";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

const DEBIAN = "/usr/lib/postgresql";
type Settings = Readonly<Record<string, string | number>>;
const SETTINGS: Settings = { listen_addresses: "127.0.0.1", log_min_messages: "warning" };

type User = { readonly name: string; readonly uid: number; readonly gid: number };

/** The folder that holds initdb and pg_ctl, or null if PostgreSQL is not installed here. */
export function postgresBinaries(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one)) : [];
  const configured = Bun.which("pg_config") ? Bun.spawnSync(["pg_config", "--bindir"]).stdout.toString().trim() : "";
  const folders = [...versions.map((version) => join(DEBIAN, version, "bin")), configured];
  return folders.find((folder) => folder !== "" && existsSync(join(folder, "initdb"))) ?? null;
}

const PORTS_TRIED = 5;

export class PostgresServer implements AsyncDisposable {
  readonly #binaries: string;
  readonly #folder: string;
  #port = 0;
  readonly #user: User | null;
  readonly #watch: Subprocess<"pipe", "ignore", "ignore">;

  private constructor(
    binaries: string,
    folder: string,
    private readonly settings: Settings,
  ) {
    this.#user = plainUser();
    this.#binaries = binaries;
    this.#folder = folder;
    if (this.#user !== null) chownSync(folder, this.#user.uid, this.#user.gid);
    this.#watch = this.#watchOver();
  }

  /**
   * Makes a cluster in a temporary folder and starts it. @throws Error if PostgreSQL is not installed or will not start
   */
  static async start(settings: Settings = {}): Promise<PostgresServer> {
    const binaries = postgresBinaries();
    if (binaries === null) throw new Error("PostgreSQL is not installed here.");
    const folder = mkdtempSync(join(tmpdir(), "posthorn-postgres-"));
    const server = new PostgresServer(binaries, folder, settings);
    await server.#run("initdb", "-U", "posthorn", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8");
    await server.#upAnywhere();
    return server;
  }

  /** A port that was free a moment ago may be somebody's by now. */
  async #upAnywhere(): Promise<void> {
    for (let tries = PORTS_TRIED; ; tries--) {
      this.#port = await freePort();
      try {
        return await this.up();
      } catch (error) {
        if (tries === 1) throw error;
      }
    }
  }

  get url(): string {
    return `postgres://posthorn@127.0.0.1:${this.#port}/postgres`;
  }

  /** Answers when it takes connections. */
  up(): Promise<void> {
    const place = { port: this.#port, unix_socket_directories: this.#folder };
    const settings = Object.entries({ ...SETTINGS, ...this.settings, ...place });
    const options = settings.map(([name, value]) => `-c ${name}=${value}`).join(" ");
    return this.#run("pg_ctl", "-w", "-l", join(this.#folder, "log"), "-o", options, "start");
  }

  /** Ends every connection, writes everything to the disk and comes back. */
  async restart(): Promise<void> {
    await this.#run("pg_ctl", "-w", "-m", "fast", "stop");
    await this.up();
  }

  /** Dies on the spot and stays away until `up()`, which replays its log. */
  crash(): Promise<void> {
    return this.#run("pg_ctl", "-w", "-m", "immediate", "stop");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watch.stdin.end();
    await this.#watch.exited;
  }

  async #run(program: string, ...words: readonly string[]): Promise<void> {
    const child = Bun.spawn(this.#command(program, words), {
      cwd: "/",
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    if ((await child.exited) !== 0) throw new Error(`${program} ${words.join(" ")} failed: ${out}${err}`);
  }

  #command(program: string, words: readonly string[]): string[] {
    const command = [join(this.#binaries, program), "-D", join(this.#folder, "data"), ...words];
    return this.#user === null ? command : ["runuser", "-u", this.#user.name, "--", ...command];
  }

  /** Stops the server and removes its folder when its input ends, so also when this process ends in whatever way. */
  #watchOver(): Subprocess<"pipe", "ignore", "ignore"> {
    const stop = this.#command("pg_ctl", ["-w", "-m", "immediate", "stop"]);
    const script = 'trap "" INT TERM; read -r _; "$@"; rm -rf "$0"';
    const command = ["sh", "-c", script, this.#folder, ...stop];
    const watch = Bun.spawn(command, { cwd: "/", stdin: "pipe", stdout: "ignore", stderr: "ignore" });
    watch.unref();
    return watch;
  }
}

/** Who runs it if we are root, which PostgreSQL refuses to be; null = we do. */
export function plainUser(): User | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const user = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody");
  if (user === undefined) throw new Error("There is no plain user to run PostgreSQL.");
  return { name: String(user[0]), uid: Number(user[2]), gid: Number(user[3]) };
}
