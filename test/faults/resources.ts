// Too few file descriptors, too little memory.
import { connect, type Socket } from "node:net";
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { post } from "../crash/post.ts";
import { during, type Fault } from "./fault.ts";
import type { Ground } from "./ground.ts";

const DESCRIPTORS = 128;
const CALLERS = 400;
const CROWDED_MS = 5_000;
const MEMORY_MB = 180;
const SHORT_MS = 2_000;
const GROUP = "/sys/fs/cgroup/memory";
const LARGE_BYTES = 10_000_000;
const LARGE_AT_ONCE = 24;

export const RESOURCES: readonly Fault[] = [
  {
    name: `${DESCRIPTORS} file descriptors, ${CALLERS} callers`,
    without: () => (Bun.which("prlimit") === null ? "prlimit is not installed" : null),
    play: (seed) =>
      during({ seed, under: ["prlimit", `--nofile=${DESCRIPTORS}:${DESCRIPTORS}`] }, async (ground) => {
        ground.begin();
        const callers = Array.from({ length: CALLERS }, () => caller(ground));
        await Bun.sleep(CROWDED_MS);
        callers.forEach((socket) => socket.destroy());
        await ground.end();
        await ground.arrivals(200);
      }),
  },
  {
    name: `${MEMORY_MB} MB of memory, large mails`,
    without: () => (existsSync(`${GROUP}/memory.limit_in_bytes`) ? null : "there is no cgroup of memory to write to"),
    play: (seed) => during({ seed }, withLittleMemory),
  },
];

function caller({ url }: Ground): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port) }).on("error", () => undefined);
}

/** The system kills what goes over it; somebody starts it again, as a service manager does. */
async function withLittleMemory(ground: Ground): Promise<void> {
  const group = `${GROUP}/posthorn-faults-${process.pid}`;
  mkdirSync(group);
  try {
    writeFileSync(`${group}/memory.limit_in_bytes`, String(MEMORY_MB * 1024 * 1024));
    writeFileSync(`${group}/cgroup.procs`, String(ground.server.pid));
    ground.begin();
    await Promise.all(Array.from({ length: LARGE_AT_ONCE }, (_, number) => sendLarge(ground, number)));
    await Bun.sleep(SHORT_MS);
    const peakMb = Number(readFileSync(`${group}/memory.max_usage_in_bytes`, "utf8")) / 1024 / 1024;
    ground.note = `peak ${Math.round(peakMb)} MB, ${ground.server.isOver ? "killed by the system" : "it lived on"}`;
    if (ground.server.isOver) {
      ground.gone();
      await ground.start();
    }
    await ground.end();
  } finally {
    if (!ground.server.isOver) writeFileSync(`${GROUP}/cgroup.procs`, String(ground.server.pid));
    rmdirSync(group);
  }
}

async function sendLarge({ book, address }: Ground, number: number): Promise<void> {
  const request = { recipients: [`large${number}@example.com`], key: null };
  book.asked(request);
  const attachments = [
    { filename: "a.bin", contentType: "application/octet-stream", content: "A".repeat(LARGE_BYTES) },
  ];
  const said = await post(address, request, { attachments }).catch(() => null);
  if (said?.kind === "accepted") book.answered(request, said.answer);
  else if (said) book.turnedAway(request, said.kind);
}
