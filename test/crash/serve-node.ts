// `posthorn serve` with what only tests may change, told as JSON in its one argument. Run as a process by node.ts.
import { systemClock } from "../../src/base/clock.ts";
import { prepareFirstStart } from "../../src/whole/cli/serve/first-start.ts";
import { loadConfig } from "../../src/base/config.ts";
import { loadSecrets } from "../../src/base/secrets.ts";
import { startServer } from "../../src/whole/server.ts";

export type NodeOptions = {
  readonly leaseMs: number;
  /** How far its clock is ahead of the machine's. */
  readonly clockAheadMs?: number;
  /** It takes mails in and sends none. */
  readonly idle?: boolean;
};

async function serve({ leaseMs, clockAheadMs = 0, idle = false }: NodeOptions): Promise<void> {
  const config = loadConfig({});
  const signal = new Promise((resolve) => process.once("SIGTERM", resolve));
  // The input ends with the test, however that ends.
  process.stdin.once("end", () => process.exit(1)).resume();
  const clock = { ...systemClock, nowMs: () => Date.now() + clockAheadMs };
  await using server = await startServer(config, { clock, leaseMs, ...(idle ? { loops: "settled by hand" } : {}) });
  const first = await prepareFirstStart(
    server.store,
    loadSecrets(config.secrets.key, config.data.dir),
    config.delivery.transport,
  );
  if (first) console.log(`secret ${first.keys.secret}`);
  console.log(`HTTP API on ${server.url}`);
  await signal;
}

if (import.meta.main) {
  await serve(JSON.parse(process.argv[2] ?? "{}") as NodeOptions);
  process.exit(0);
}
