// All that takes in mail from outside, put together: the door, the threads that read, the loop between them.
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Resolver } from "../dns.ts";
import type { ReturnPathOptions } from "../emails/return-path.ts";
import type { Log } from "../log.ts";
import type { Store } from "../store/store.ts";
import { Intake } from "./intake.ts";
import { Readers } from "./readers.ts";
import { Reception } from "./reception.ts";

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
    readonly reception: Reception,
    readonly intake: Intake,
    /** For whoever asks for a file: what comes in does not wait for that. */
    readonly files: Readers,
    private readonly others: readonly Readers[],
  ) {}

  /** @throws Error in plain words if its port cannot be listened on */
  static async open(config: Config, options: InboundOptions): Promise<Inbound> {
    const { rspamdUrl, clamdSocket, timeoutSeconds } = config.scanners;
    const scanners = { rspamdUrl, clamdSocket, timeoutMs: timeoutSeconds * 1000 };
    const hostName = ownName(config);
    const reading = { resolver: options.resolver, host: hostName, scanners, longestMs: READING_MS, deafMs: DEAF_MS };
    const [readers, ward, files] = [new Readers(reading), new Readers(reading), new Readers(reading)];
    const intake = new Intake({ ...options, readers, ward });
    return new Inbound(await Reception.open(config, { ...options, hostName }), intake, files, [readers, ward]);
  }

  /** Nothing is in hand any more. */
  close(): void {
    for (const one of [this.files, ...this.others]) one.close();
  }
}

/** What we call ourselves. */
function ownName({ smtp, http }: Config): string {
  return smtp.hostname ?? new URL(http.baseUrl).hostname.replace(/^\[|\]$/g, "");
}
