// All that looks at mail from outside, put together: the threads that read, and what gives them work.
import type { Clock } from "../clock.ts";
import { ownName, type Config } from "../config.ts";
import type { Resolver } from "../dns.ts";
import type { ReturnPathOptions } from "../emails/return-path.ts";
import type { Log } from "../log.ts";
import type { Store } from "../store/store.ts";
import { Intake } from "./intake.ts";
import { Readers } from "./readers.ts";

type InboundOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly resolver: Resolver;
  readonly returnPath: ReturnPathOptions;
  readonly leaseMs: number;
};

/** Longer than scanners and name servers may take for one message. */
const READING_MS = 60_000;
/** Longer than the largest message keeps a slow machine busy. */
const DEAF_MS = 15_000;

export class Inbound {
  private constructor(
    readonly intake: Intake,
    /** For whoever asks for a file: what comes in does not wait for that. */
    readonly files: Readers,
    private readonly others: readonly Readers[],
  ) {}

  static open(config: Config, options: InboundOptions): Inbound {
    const { rspamdUrl, clamdSocket, timeoutSeconds } = config.scanners;
    const scanners = { rspamdUrl, clamdSocket, timeoutMs: timeoutSeconds * 1000 };
    const { resolver } = options;
    const reading = { resolver, host: ownName(config), scanners, longestMs: READING_MS, deafMs: DEAF_MS };
    const [readers, ward, files] = [new Readers(reading), new Readers(reading), new Readers(reading)];
    const intake = new Intake({ ...options, readers, ward });
    return new Inbound(intake, files, [readers, ward]);
  }

  /** Nothing is in hand any more. */
  close(): void {
    for (const one of [this.files, ...this.others]) one.close();
  }
}
