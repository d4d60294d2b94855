// /installation/ways/{name}/warmup: the plan by which a new way out sends a little more each day.
import { personOnly, type Access } from "../../tenant/access/auth.ts";
import { act as acting, get, routes, put } from "../../tenant/access/route-table.ts";
import type { Ground } from "../../ground/ground.ts";
import { planOf, planShape, skipShape, warmupRecord, warmupShape } from "./record.ts";
import { act, changePlan, type WarmupAct } from "./warmup.ts";
import { findWay } from "../../ground/ways/keep.ts";
import type { Reader } from "../../store/store.ts";

const OWNERS = { key: "person", permission: "installation", answers: { 200: warmupShape } } as const;
const FOUND = ["WAY_NOT_FOUND"] as const;
const PATH = "/installation/ways/:name/warmup";

export function wayWarmupRoutes(access: Access, { config, secrets, clock }: Ground) {
  const known = { config, secrets };
  const wayWarmup = (reader: Reader, way: string) =>
    warmupRecord(reader, { way }, { nowMs: clock.nowMs(), isWanted: false });
  const doing = (what: WarmupAct, name: string, summary: string, description: string) =>
    acting(
      `${PATH}/${what}`,
      { ...OWNERS, proof: true, name, summary, description, refuses: [...FOUND, "CONFLICT"] },
      async (tx, { params }) => {
        const { name: way } = await findWay(tx, known, params.name);
        await act(tx, { way, workspace: null }, what);
        return wayWarmup(tx, way);
      },
    );
  return routes(
    access,
    [
      get(
        PATH,
        {
          ...OWNERS,
          name: "getWayWarmup",
          summary: "Get the warm-up of a sending route",
          refuses: FOUND,
          description:
            "A way with an address of its own that mailbox providers do not know. There is none (NONE) until it is started. It covers the marketing email of all workspaces that leaves by this way.",
        },
        async (reader, { params }) => wayWarmup(reader, (await findWay(reader, known, params.name)).name),
      ),
      put(
        PATH,
        {
          ...OWNERS,
          proof: true,
          name: "changeWayWarmup",
          summary: "Start the warm-up of a sending route with a plan, or change it",
          body: planShape,
          refuses: [...FOUND, "CONFLICT"],
        },
        async (tx, { params, body }) => {
          const { name: way } = await findWay(tx, known, params.name);
          await changePlan(tx, { way, workspace: null }, planOf(body), body);
          return wayWarmup(tx, way);
        },
      ),
      doing(
        "pause",
        "pauseWayWarmup",
        "Pause the warm-up of a sending route",
        "Known providers get no marketing email by it.",
      ),
      doing(
        "resume",
        "resumeWayWarmup",
        "Resume the warm-up of a sending route",
        "Also one that has halted by itself.",
      ),
      acting(
        `${PATH}/skip`,
        {
          ...OWNERS,
          proof: true,
          name: "skipWayWarmup",
          summary: "End the warm-up of a sending route",
          description: "Marketing email leaves by it at full pace.",
          body: skipShape,
          refuses: [...FOUND, "CONFLICT"],
        },
        async (tx, { params, body }) => {
          const { name: way } = await findWay(tx, known, params.name);
          await act(tx, { way, workspace: null }, "skip", body.reason ?? null);
          return wayWarmup(tx, way);
        },
      ),
      doing("restart", "restartWayWarmup", "Start the warm-up of a sending route", "From the first day of its plan."),
    ],
    personOnly,
  );
}
