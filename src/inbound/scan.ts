// The verdicts of scanners: spam by rspamd, viruses by clamd, where they are configured.
import type { Verdict, Verdicts } from "../emails/receive.ts";
import { askClamd } from "./clamd.ts";
import type { Envelope } from "./reading.ts";
import { askRspamd } from "./rspamd.ts";

export type Scanners = {
  readonly rspamdUrl: string | null;
  /** A path, or host:port. */
  readonly clamdSocket: string | null;
  readonly timeoutMs: number;
};

/** GRAY where there is no scanner, PROCESSING_FAILED where it does not answer in time. Never throws. */
export async function scan(
  raw: Buffer,
  envelope: Envelope,
  { rspamdUrl, clamdSocket, timeoutMs }: Scanners,
): Promise<Pick<Verdicts, "spamVerdict" | "virusVerdict">> {
  const signal = AbortSignal.timeout(timeoutMs);
  const failed = (): Verdict => "PROCESSING_FAILED";
  const notConfigured: Verdict = "GRAY";
  const [spamVerdict, virusVerdict] = await Promise.all([
    rspamdUrl === null ? notConfigured : askRspamd(rspamdUrl, raw, envelope, signal).catch(failed),
    clamdSocket === null ? notConfigured : askClamd(clamdSocket, raw, signal).catch(failed),
  ]);
  return { spamVerdict, virusVerdict };
}
