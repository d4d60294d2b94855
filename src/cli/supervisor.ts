// What systemd is told (sd_notify(3)): that the server is ready, that it still lives, that it stops. Nothing where nobody asks.
import { supervisorIn } from "../config.ts";
import type { Environment } from "../config/sources.ts";

export class Supervisor implements Disposable {
  readonly #socket: string | null;
  #watch: ReturnType<typeof setInterval> | undefined;
  readonly #watchdogMs: number | null;

  constructor(env: Environment | undefined) {
    const { socket, watchdogMs } = supervisorIn(env);
    this.#socket = socket;
    this.#watchdogMs = watchdogMs;
  }

  /** From here on it also hears that the event loop turns, twice in the time that it allows. */
  ready(): void {
    this.#tell("READY=1");
    if (this.#socket === null || this.#watchdogMs === null) return;
    this.#watch = setInterval(() => this.#tell("WATCHDOG=1"), this.#watchdogMs / 2);
    this.#watch.unref();
  }

  stopping(): void {
    this.#tell("STOPPING=1");
  }

  [Symbol.dispose](): void {
    clearInterval(this.#watch);
  }

  /** Bun has no datagrams on sockets of the file system; systemd brings a program that has. */
  #tell(state: string): void {
    if (this.#socket === null) return;
    try {
      Bun.spawn(["systemd-notify", state], {
        env: { PATH: "/usr/bin:/bin", NOTIFY_SOCKET: this.#socket },
        stdio: ["ignore", "ignore", "ignore"],
      }).unref();
    } catch {
      // Without the program systemd waits for "ready" in vain, and its own log says so.
    }
  }
}
