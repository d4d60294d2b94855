// The ownership of a stream's destination. Nothing is shipped before it is known to be ours, nor while another server
// ships to it.
import { systemClock } from "../../../base/clock.ts";
import type { BackupPlace } from "../place.ts";
import type { StreamReport } from "./told.ts";
import { lastFollowing, ownerOf, ownId, sayAlive, takeOver, type StandbyReport } from "./owner.ts";
import { withinTime } from "./within-time.ts";

const LONGEST_LOOK_MS = 30_000;
const STANDBY_EVERY_MS = 30_000;

export class StreamOwnership {
  /** Null until the destination has named its owner for the first time. */
  #isOurs: boolean | null = null;
  #standby: StandbyReport | null = null;
  #standbyDueMs = 0;

  constructor(
    private readonly place: BackupPlace,
    private readonly dataDir: string,
    private readonly tell: (told: StreamReport) => void,
  ) {}

  get isOurs(): boolean {
    return this.#isOurs === true;
  }

  /** Another server ships to this destination. */
  get isRefused(): boolean {
    return this.#isOurs === false;
  }

  get standby(): StandbyReport | null {
    return this.#standby;
  }

  /** Reads the owner of the destination, takes it if it has none, and reports this server as alive. */
  async makeSure(): Promise<void> {
    const id = ownId(this.dataDir);
    const owner = await withinTime(ownerOf(this.place), LONGEST_LOOK_MS);
    if (owner !== null && owner.id !== id) return this.#refuse(owner.host);
    if (owner === null) await takeOver(this.place, id, systemClock.nowMs());
    await sayAlive(this.place, systemClock.nowMs());
    if (this.isRefused)
      this.tell({
        level: "info",
        text: "the place of the stream is this server's again",
        fields: {},
        isRefused: false,
      });
    this.#isOurs = true;
  }

  async lookForStandby(): Promise<void> {
    const nowMs = systemClock.monotonicMs();
    if (nowMs < this.#standbyDueMs) return;
    this.#standbyDueMs = nowMs + STANDBY_EVERY_MS;
    this.#standby = await withinTime(lastFollowing(this.place), LONGEST_LOOK_MS);
  }

  #refuse(host: string): void {
    if (this.isRefused) return;
    this.#isOurs = false;
    const text =
      "NOTHING IS SHIPPED, AND NOTHING LEAVES: another data directory ships to the place of backup.stream; stop this server if that one has taken its place, else set another place and run posthorn release, or stop that one and run posthorn promote and posthorn release here";
    this.tell({ level: "error", text, fields: { host }, isRefused: true });
  }
}
