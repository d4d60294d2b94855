// The sink as the measurements see it: a port, a count, a rate.
import { Child } from "./child.ts";
import type { Arrival, SinkTask } from "./sink.ts";

export class SinkProcess implements AsyncDisposable {
  private constructor(
    readonly port: number,
    private readonly child: Child,
  ) {}

  static async start({ remember = false, answerMs = 0, blocks = "" } = {}): Promise<SinkProcess> {
    const child = new Child("sink.ts");
    const task = { kind: "listen", remember, answerMs, blocks } satisfies SinkTask;
    return new SinkProcess(await child.ask<number>(task), child);
  }

  /** How many mails have come since the start. */
  count(): Promise<number> {
    return this.child.ask({ kind: "count" } satisfies SinkTask);
  }

  arrivals(): Promise<readonly Arrival[]> {
    return this.child.ask({ kind: "arrivals" } satisfies SinkTask);
  }

  /** Mails a second over `seconds`, from `warmUpSeconds` after the first mail that comes from now on. */
  async rate(warmUpSeconds: number, seconds: number): Promise<number> {
    await this.reaches((await this.count()) + 1);
    await Bun.sleep(warmUpSeconds * 1000);
    const [fromMs, before] = [performance.now(), await this.count()];
    await Bun.sleep(seconds * 1000);
    const [untilMs, after] = [performance.now(), await this.count()];
    return ((after - before) * 1000) / (untilMs - fromMs);
  }

  /** @throws Error if nothing comes for so long */
  async reaches(count: number, patienceMs = 30_000): Promise<void> {
    let [seen, sinceMs] = [await this.count(), performance.now()];
    while (seen < count) {
      await Bun.sleep(20);
      const now = await this.count();
      if (now > seen) [seen, sinceMs] = [now, performance.now()];
      if (performance.now() - sinceMs > patienceMs) throw new Error(`Only ${seen} of ${count} mails came`);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.child[Symbol.asyncDispose]();
  }
}
