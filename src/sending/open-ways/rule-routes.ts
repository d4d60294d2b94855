// /installation/way-rules: which mails leave by which ways, for the owners of the installation.
import { domainOf } from "../../base/addresses.ts";
import { iso } from "../../base/clock.ts";
import { personOnly, type Access } from "../../tenant/access/auth.ts";
import type { ChangeAuthor } from "../../tenant/access/caller.ts";
import { get, queryPost, put, routes } from "../../tenant/access/route-table.ts";
import { refuseSavedSince, timeOfSaving } from "../../tenant/access/saving.ts";
import type { WayStates } from "./open-ways.ts";
import type { Ground } from "../../ground/ground.ts";
import { providerOf } from "../../mail/statistics/providers.ts";
import { jsonOrNull } from "../../store/columns.ts";
import type { Reader } from "../../store/store.ts";
import { setRules } from "../../ground/ways/keep-rules.ts";
import { meets } from "../../ground/ways/rule.ts";
import { keptRules } from "../../ground/ways/rule-queries.ts";
import { lockRules, noteRulesSaved, savedRules } from "../../store/installation.ts";
import { mailInput, previewShape, ruleRecord, rulesInput, rulesShape } from "./rule-record.ts";

const OWNERS = { key: "person", permission: "installation" } as const;
const PATH = "/installation/way-rules";

export function ruleRoutes(access: Access, { config, secrets }: Ground, outgoing: WayStates) {
  return routes(
    access,
    [
      get(
        PATH,
        {
          name: "listWayRules",
          summary: "List the rules for sending routes",
          answers: { 200: rulesShape },
          ...OWNERS,
          description: "An email that no rule is about leaves by the first way that works.",
        },
        rulesRecord,
      ),
      put(
        PATH,
        {
          name: "setWayRules",
          summary: "Replace the rules for sending routes",
          answers: { 200: rulesShape },
          ...OWNERS,
          proof: true,
          body: rulesInput,
          refuses: ["CONFLICT"],
          description:
            "All of them, in their order. Emails meet their rule when they are accepted; which ways a rule names counts when they leave. Emails of a rule that is gone leave by the first way that works.",
        },
        async (tx, { body, caller }) => {
          await lockRules(tx);
          const before = await savingOf(tx);
          refuseSavedSince(tx, before, body);
          await setRules(tx, { config, secrets }, body.rules);
          await noteRulesSaved(tx, { at: timeOfSaving(tx, before), by: JSON.stringify(caller.by) });
          return rulesRecord(tx);
        },
      ),
      queryPost(
        `${PATH}/preview`,
        {
          name: "previewWay",
          summary: "See which way an email would take",
          answers: { 200: previewShape },
          ...OWNERS,
          body: mailInput,
          harmless: true,
          description: "By the rules, and by what the node that answers knows of the ways at this moment.",
        },
        (reader, { body }) => previewOf(reader, outgoing, body),
      ),
    ],
    personOnly,
  );
}

/** The time of rules that were never saved, so that two first savers do not overwrite each other. */
const NEVER = iso(0);

async function savingOf(reader: Reader) {
  const { at, by } = await savedRules(reader);
  return { updatedAt: at ?? NEVER, updatedBy: jsonOrNull<ChangeAuthor>(by) };
}

async function rulesRecord(reader: Reader) {
  return { data: (await keptRules(reader)).map(ruleRecord), ...(await savingOf(reader)) };
}

type RulePreviewBody = typeof mailInput.static;

async function previewOf(reader: Reader, outgoing: WayStates, { from, to, workspaceId, kind, tags }: RulePreviewBody) {
  const provider = providerOf(domainOf(to.toLowerCase()));
  const mail = {
    domain: domainOf(from.toLowerCase()),
    kind: kind ?? ("TRANSACTIONAL" as const),
    tags: tags ? JSON.stringify(tags) : null,
    provider: () => provider,
  };
  const rules = await keptRules(reader);
  const isOf = (own: string | null) => own === null || own === (workspaceId ?? null);
  const rule = rules.find((one) => isOf(one.workspaceId) && meets(mail, one)) ?? null;
  const ways = outgoing.orderOf(rule?.seq ?? null);
  return {
    rule: rule && { id: rule.id, name: rule.name },
    provider,
    ways,
    waits: !ways.some(({ isUsable }) => isUsable),
  };
}
