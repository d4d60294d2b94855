// /domains/{id}/warmup: the plan by which a new sender domain sends a little more each day.
import type { Access } from "../../tenant/access/auth.ts";
import { get, post, put, routes } from "../../tenant/access/route-table.ts";
import { ownDomain } from "../../tenant/domains/domain.ts";
import type { Reader } from "../../store/store.ts";
import { planOf, planShape, skipShape, warmupRecord, warmupShape } from "./record.ts";
import { act, changePlan, type WarmupAct } from "./warmup.ts";

const found = ["DOMAIN_NOT_FOUND"] as const;
const declared = { answers: { 200: warmupShape }, permission: "domains", managers: true, refuses: found } as const;

export function warmupRoutes(access: Access, isWanted: () => boolean) {
  const { clock } = access;
  const subjectOf = async (reader: Reader, workspace: number, id: string) => {
    const { seq: domain } = await ownDomain(reader, workspace, id);
    return { workspace, domain };
  };
  const warmupRecordOf = (reader: Reader, of: { readonly workspace: number; readonly domain: number }) =>
    warmupRecord(reader, of, { nowMs: clock.nowMs(), isWanted: isWanted() });
  const acting = (what: WarmupAct, name: string, summary: string, description: string) =>
    post(
      `/domains/:id/warmup/${what}`,
      { ...declared, name, summary, description, refuses: [...found, "CONFLICT"] },
      async (tx, { params, caller }) => {
        const subject = await subjectOf(tx, caller.workspace, params.id);
        await act(tx, subject, what);
        return warmupRecordOf(tx, subject);
      },
    );
  const skipping = post(
    "/domains/:id/warmup/skip",
    {
      ...declared,
      name: "skipDomainWarmup",
      summary: "End a warm-up",
      description:
        "Marketing email leaves at full pace from now on, also where the warm-up has not begun: of a domain that is warm already, since it has sent as much elsewhere.",
      body: skipShape,
      refuses: [...found, "CONFLICT"],
    },
    async (tx, { params, body, caller }) => {
      const subject = await subjectOf(tx, caller.workspace, params.id);
      await act(tx, subject, "skip", body.reason ?? null);
      return warmupRecordOf(tx, subject);
    },
  );
  return routes(access, [
    get(
      "/domains/:id/warmup",
      {
        ...declared,
        permission: "read",
        name: "getDomainWarmup",
        summary: "Get the warm-up of a sender domain",
        description:
          "Marketing email of a new domain leaves by a plan, so that mailbox providers get to know it: a little more each day, for each known provider apart. Transactional email is counted and does not wait.",
      },
      async (reader, { params, caller }) =>
        warmupRecordOf(reader, await subjectOf(reader, caller.workspace, params.id)),
    ),
    put(
      "/domains/:id/warmup",
      {
        ...declared,
        name: "updateDomainWarmup",
        summary: "Change the plan of a warm-up",
        body: planShape,
        refuses: [...found, "CONFLICT"],
        description: "From the day that has begun on. A plan may not be shorter than that.",
      },
      async (tx, { params, body, caller }) => {
        const subject = await subjectOf(tx, caller.workspace, params.id);
        await changePlan(tx, subject, planOf(body), body);
        return warmupRecordOf(tx, subject);
      },
    ),
    acting(
      "pause",
      "pauseDomainWarmup",
      "Pause a warm-up",
      "Known providers get no marketing email until it is resumed.",
    ),
    acting(
      "resume",
      "resumeDomainWarmup",
      "Resume a warm-up",
      "Also one that has halted by itself: what had bounced before does not count any more.",
    ),
    skipping,
    acting("restart", "restartDomainWarmup", "Start a warm-up again", "From the first day of its plan."),
  ]);
}
