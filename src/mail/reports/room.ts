// The reports room: reports are shown, and deleted with their domain.
import type { Access } from "../../tenant/access/auth.ts";
import { recordSettings } from "../../tenant/domains/dns-records.ts";
import type { Ground, Room } from "../../ground/ground.ts";
import { hourly } from "../../base/jobs/loops.ts";
import { deleteReportsOfRemoved } from "./pruning-queries.ts";
import { reportRoutes } from "./routes.ts";

/** Each may have a thousand rows. */
const REPORTS_A_BATCH = 50;

export function openReports({ config, store, ways }: Ground, access: Access): Room {
  return {
    routes: [reportRoutes(access, () => recordSettings(config, ways.used))],
    loops: [
      hourly("deleting reports of removed domains", REPORTS_A_BATCH, (most) =>
        store.write((tx) => deleteReportsOfRemoved(tx, most)),
      ),
    ],
  };
}
