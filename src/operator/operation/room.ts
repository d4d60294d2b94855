// The operation room: what programs that watch this server read, and what its operator sees and does.
import type { Ground, Room } from "../../ground/ground.ts";
import { reportingChanges } from "./changes.ts";
import { Figures, type FiguresOptions } from "./figures.ts";
import { listenForMetrics, metricsRoutes } from "./metrics-routes.ts";
import { reportingNeeds } from "./reporting-needs.ts";
import { watchingDelay } from "./process-figures.ts";
import { Readiness, type ProcessHealth } from "./readiness.ts";
import { readyRoutes } from "./routes.ts";
import { testClockRoutes, type TestClockOptions } from "./test-clock-routes.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { storeSpace } from "../../store/space.ts";

type OperationRoom = Room & {
  /** Opens the port of the figures, if there is to be one. @throws Error if it cannot be listened on */
  readonly listen: () => void;
};

type OperationOptions = Pick<ProcessHealth, "stuckLoops"> &
  Pick<FiguresOptions, "relay" | "stream"> &
  Pick<TestClockOptions, "testTime">;

export function openOperation(
  ground: Ground,
  access: Access,
  { relay, stream, stuckLoops, testTime }: OperationOptions,
): OperationRoom {
  const { metrics } = ground.config;
  const readiness = new Readiness(ground, {
    stuckLoops,
    isRefused: () => stream?.isRefused() ?? false,
    space: () => storeSpace(ground.config),
  });
  const isReady = () =>
    readiness.missing().then(
      ({ length }) => length === 0,
      () => false,
    );
  const figures = new Figures({ ground, relay, stream, isReady, stuckLoops });
  let port: Bun.Server<undefined> | null = null;
  return {
    routes: [
      readyRoutes({ readiness, relay, stream }, ground),
      metricsRoutes(figures, metrics),
      testClockRoutes(access, { ...ground, testTime }),
    ],
    loops: [watchingDelay(ground.clock), reportingChanges(ground), reportingNeeds(ground)],
    listen: () => void (port = metrics.port === 0 ? null : listenForMetrics(figures, metrics)),
    stop: async () => port?.stop(true),
  };
}
