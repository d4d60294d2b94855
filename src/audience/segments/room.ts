// The segments room: groups of contacts, and the sweeps that keep their members current.
import type { CatchUp } from "../../tenant/events/dispatch.ts";
import type { Ground, Room } from "../../ground/ground.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { SEGMENT_CHANGED, sweepStep } from "./membership/sweep.ts";
import { recallSweeps } from "./queries.ts";
import { segmentRoutes } from "./routes.ts";
import { countStep } from "./sizes.ts";

export function openSegments({ store, clock }: Ground, access: Access, catchUp: CatchUp): Room {
  return {
    recall: recallSweeps,
    routes: [segmentRoutes(access, catchUp)],
    loops: [
      { name: "sweeping segments", step: () => sweepStep(store, clock), wokenBy: SEGMENT_CHANGED },
      { name: "noting the sizes of segments", step: () => countStep(store, clock), goesByDate: true },
    ],
  };
}
