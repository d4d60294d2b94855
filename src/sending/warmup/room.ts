// The warm-up room: new sender domains send a little more each day.
import { NOTHING_DUE } from "../../base/jobs/due.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { Ground, Room } from "../../ground/ground.ts";
import { MINUTE_MS } from "../../base/clock.ts";
import { isWanted } from "./is-wanted.ts";
import { warmupsUnderWay } from "./queries.ts";
import { warmupRoutes } from "./routes.ts";
import { advance } from "./warmup.ts";
import { wayWarmupRoutes } from "./way-routes.ts";

const MOST_WARMUPS = 5_000;

export function openWarmup(ground: Ground, access: Access): Room {
  const { store, config, log } = ground;
  const step = async () => {
    const all = await store.read((reader) => warmupsUnderWay(reader, MOST_WARMUPS));
    for (const warmup of all.filter(({ state }) => state === "RUNNING"))
      if (await store.write((tx) => advance(tx, warmup)))
        log.info("a warm-up has changed", { workspace: warmup.workspace, domain: warmup.domain, way: warmup.way });
    return all.length > 0 ? MINUTE_MS : NOTHING_DUE;
  };
  return {
    routes: [warmupRoutes(access, () => isWanted(config)), wayWarmupRoutes(access, ground)],
    loops: [{ name: "advancing warm-ups", step, goesByDate: true }],
  };
}
