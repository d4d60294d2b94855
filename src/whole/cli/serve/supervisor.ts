// Notifications to systemd (sd_notify(3)): the server is ready, it still lives, it stops. None if systemd does not
// listen.
import { supervisorIn } from "../../../base/config.ts";
import type { Environment } from "../../../base/config/sources.ts";

export class Supervisor implements Disposable {
  readonly #socket: string | null;
  readonly #watchdogMs: number | null;
  #watch: ReturnType<typeof setInterval> | undefined;
  #told: Promise<unknown> = Promise.resolve();
  #unheard = 0;

  constructor(env: Environment | undefined) {
    const { socket, watchdogMs } = supervisorIn(env);
    this.#socket = socket;
    this.#watchdogMs = watchdogMs;
  }

  /** From here on systemd also learns that the event loop turns, twice in the time that it allows. */
  ready(): void {
    this.#tell("READY=1");
    if (this.#socket === null || this.#watchdogMs === null) return;
    this.#watch = setInterval(() => this.#unheard > 0 || this.#tell("WATCHDOG=1"), this.#watchdogMs / 2);
    this.#watch.unref();
  }

  stopping(): void {
    clearInterval(this.#watch);
    this.#tell("STOPPING=1");
  }

  [Symbol.dispose](): void {
    clearInterval(this.#watch);
  }

  /** Sends one state after the other: those of two concurrent programs may arrive in either order. */
  #tell(state: string): void {
    const socket = this.#socket;
    if (socket === null) return;
    this.#unheard++;
    this.#told = this.#told.then(() => notified(socket, state)).then(() => this.#unheard--);
  }
}

/** Bun cannot send datagrams to sockets of the file system; systemd brings a program that can. */
async function notified(socket: string, state: string): Promise<void> {
  try {
    const program = Bun.spawn(["systemd-notify", state], {
      env: { PATH: "/usr/bin:/bin", NOTIFY_SOCKET: socket },
      stdio: ["ignore", "ignore", "ignore"],
    });
    program.unref();
    await program.exited;
  } catch {
    // Without the program systemd waits for "ready" in vain, and its own log says so.
  }
}
