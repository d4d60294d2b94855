// The same mail through Posthorn and through each peer: handed in, and all of it handed on.
import { chmodSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Ground } from "./bench.ts";
import { type Interface, type Peer, type Running } from "./peers.ts";
import type { Figure } from "./report.ts";
import { SinkProcess } from "./sink-process.ts";
import { median, medianRatio } from "./statistics.ts";
import { usageOf } from "./usage.ts";

const WARM_UP_MAILS = 500;
const PATIENCE_MS = 60_000;

export type Work = { readonly by: Interface; readonly connections: number; readonly mails: number };

export type Turn = {
  readonly peer: string;
  readonly work: string;
  readonly acceptedPerSecond: number;
  /** From the first request until the last mail is at the sink. */
  readonly handedOnPerSecond: number;
  readonly cpuMsPerThousand: number;
  readonly peakMb: number;
  readonly diskBytesPerMail: number;
};

/** One peer runs at a time, and begins each turn with an empty folder. */
export async function turnsOf(
  { dir }: Ground,
  peers: readonly Peer[],
  works: readonly Work[],
  turns: number,
): Promise<Turn[]> {
  // Some peers change their user, who has to get through to their folder.
  chmodSync(dir, 0o711);
  await using sink = await SinkProcess.start();
  const measured: Turn[] = [];
  for (let turn = 0; turn < turns; turn++)
    for (const work of works)
      for (const peer of peers.filter(({ interfaces }) => interfaces.includes(work.by)))
        measured.push(await turnOf(peer, work, sink, join(dir, `${peer.name}-${turn}`)));
  return measured;
}

async function turnOf(peer: Peer, work: Work, sink: SinkProcess, dir: string): Promise<Turn> {
  console.error(`${nameOf(work)}: ${peer.name} …`);
  mkdirSync(dir, { mode: 0o700 });
  try {
    await using running = await peer.start({ dir, sinkPort: sink.port, mails: work.mails + WARM_UP_MAILS });
    const through = new Through(running, sink);
    await through.all({ ...work, mails: WARM_UP_MAILS });
    const before = bytesIn(dir);
    let result = { mails: 0, acceptedMs: 0, handedOnMs: 0 };
    const { cpuSeconds, peakMb } = await usageOf(running.groups, async () => {
      result = await through.all(work);
    });
    const { mails, acceptedMs, handedOnMs } = result;
    return {
      peer: peer.name,
      work: nameOf(work),
      acceptedPerSecond: (mails * 1000) / acceptedMs,
      handedOnPerSecond: (mails * 1000) / handedOnMs,
      cpuMsPerThousand: (cpuSeconds * 1_000_000) / mails,
      peakMb,
      diskBytesPerMail: (bytesIn(dir) - before) / mails,
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

class Through {
  constructor(
    private readonly running: Running,
    private readonly sink: SinkProcess,
  ) {}

  async all({ by, connections, mails: wanted }: Work) {
    const before = await this.#left();
    const startedMs = performance.now();
    const mails = await this.running.give(by, connections, wanted);
    const acceptedMs = performance.now() - startedMs;
    await this.#reaches(before + mails);
    return { mails, acceptedMs, handedOnMs: performance.now() - startedMs };
  }

  #left(): Promise<number> {
    return this.running.left?.() ?? this.sink.count();
  }

  async #reaches(count: number): Promise<void> {
    const untilMs = performance.now() + PATIENCE_MS;
    while ((await this.#left()) < count) {
      if (performance.now() > untilMs) throw new Error(`Only ${await this.#left()} of ${count} mails have left`);
      await Bun.sleep(10);
    }
  }
}

/** Ratios above 1 are in favour of Posthorn, also where less is better. */
export function figuresOf(turns: readonly Turn[]): Figure[] {
  const works = [...new Set(turns.map(({ work }) => work))];
  return works.flatMap((work) => {
    const of = (peer: string) => turns.filter((turn) => turn.work === work && turn.peer === peer);
    const peers = [...new Set(turns.filter((turn) => turn.work === work).map(({ peer }) => peer))];
    const others = peers.filter((peer) => peer !== "Posthorn");
    if (others.length === 0) return rowsOf(`${work}, alone`, of("Posthorn"), null);
    return others.flatMap((peer) => rowsOf(`${work}, beside ${peer}`, of("Posthorn"), of(peer)));
  });
}

const SHOWN = [
  { key: "acceptedPerSecond", name: "accepted", unit: "mails/s", isLessBetter: false },
  { key: "handedOnPerSecond", name: "accepted and handed on", unit: "mails/s", isLessBetter: false },
  { key: "cpuMsPerThousand", name: "processor time of a thousand", unit: "ms", isLessBetter: true },
  { key: "peakMb", name: "memory, peak", unit: "MB", isLessBetter: true },
  { key: "diskBytesPerMail", name: "disk afterwards, a mail", unit: "bytes", isLessBetter: true },
] as const;

function rowsOf(title: string, ours: readonly Turn[], theirs: readonly Turn[] | null): Figure[] {
  return SHOWN.map(({ key, name, unit, isLessBetter }) => {
    const own = ours.map((turn) => turn[key]);
    const row = { name: `${title}: ${name}`, unit, ours: median(own) };
    if (theirs === null) return row;
    const other = theirs.map((turn) => turn[key]);
    const ratio = isLessBetter ? medianRatio(other, own) : medianRatio(own, other);
    return { ...row, limit: median(other), ratio, goal: { ratioAtLeast: 1 } };
  });
}

function nameOf({ by, connections }: Work): string {
  return `${by}, ${connections} ${connections === 1 ? "connection" : "connections"}`;
}

function bytesIn(dir: string): number {
  return [...new Bun.Glob("**/*").scanSync({ cwd: dir, dot: true })]
    .map((path) => (statSync(join(dir, path), { throwIfNoEntry: false })?.blocks ?? 0) * 512)
    .reduce((sum, bytes) => sum + bytes, 0);
}
