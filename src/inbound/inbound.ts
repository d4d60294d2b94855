// All that reads mail from outside, put together: the threads, and the loop that gives them work.
import type { Clock } from "../clock.ts";
import { ownName, type Config } from "../config.ts";
import type { Resolver } from "../dns.ts";
import type { ReturnPathOptions } from "../emails/return-path.ts";
import type { Log } from "../log.ts";
import type { Store } from "../store/store.ts";
import { Intake } from "./intake.ts";
import { ReadingThread } from "./reading-thread.ts";

type InboundOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly resolver: Resolver;
  readonly returnPath: ReturnPathOptions;
  readonly leaseMs: number;
};

/** Longer than scanners and name servers may take for one message. */
const MAX_READ_MS = 60_000;
/** Longer than the largest message keeps a slow machine busy. */
const MAX_BUSY_MS = 15_000;

export class Inbound {
  private constructor(
    readonly intake: Intake,
    /** Takes out attached files: mail that comes in does not wait for that. */
    readonly files: ReadingThread,
    private readonly others: readonly ReadingThread[],
  ) {}

  static open(config: Config, options: InboundOptions): Inbound {
    const { rspamdUrl, clamdSocket, timeoutSeconds } = config.scanners;
    const scanners = { rspamdUrl, clamdSocket, timeoutMs: timeoutSeconds * 1000 };
    const { resolver } = options;
    const newThread = () =>
      new ReadingThread({
        resolver,
        host: ownName(config),
        scanners,
        maxReadMs: MAX_READ_MS,
        maxBusyMs: MAX_BUSY_MS,
      });
    const [thread, quarantine, files] = [newThread(), newThread(), newThread()];
    return new Inbound(new Intake({ ...options, thread, quarantine }), files, [thread, quarantine]);
  }

  /** Called when nothing is in hand any more. */
  close(): void {
    for (const one of [this.files, ...this.others]) one.close();
  }
}
