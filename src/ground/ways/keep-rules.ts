// The changes of owners to the rules: they replace the whole list. Each workspace gets the part that the door needs.
import { parseDomainName } from "../../base/addresses.ts";
import { AppError, invalidField, limitReached } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { listedWays, WAYS_CHANGED, type WayListOptions } from "./list.ts";
import { rulesJson, type Conditions, type RuleAtDoor } from "./rule.ts";
import {
  dropRules,
  keptRules,
  putRule,
  setRulesOf,
  setRulesOfOthers,
  workspaceWith,
  type KeptRule,
  type NewRule,
  type WeightedWay,
} from "./rule-queries.ts";

export type RuleInput = Partial<Conditions> & {
  /** The id of the rule that it replaces. */
  readonly id?: string | null;
  readonly name: string;
  readonly workspaceId?: string | null;
  readonly ways: readonly { readonly name: string; readonly weight?: number | null }[];
  readonly others?: boolean | null;
};

const MOST_RULES = 50;

/**
 * Replaces all rules, which are locked, in this order. A rule that keeps its id, or its name, keeps the mails that wait
 * for it; mails of a removed rule follow the order of the ways.
 * @throws AppError VALIDATION_ERROR naming the field, CONFLICT if there are too many
 */
export async function setRules(
  tx: Tx,
  known: WayListOptions,
  inputs: readonly RuleInput[],
): Promise<readonly KeptRule[]> {
  if (inputs.length > MOST_RULES)
    throw limitReached("rules", MOST_RULES, `There may be ${MOST_RULES} rules.`, "Take one away first.");
  const kept = await keptRules(tx);
  const before = new Map(kept.map((rule) => [rule.id, rule]));
  const names = new Set((await listedWays(tx, known)).map(({ name }) => name));
  const rules: NewRule[] = [];
  for (const [index, input] of withIds(inputs, kept).entries())
    rules.push(await ruleOf(tx, { input, index, before, names }));
  if (new Set(rules.map(({ id }) => id)).size < rules.length)
    throw invalidField("rules", "A rule is in the list twice.", "duplicate");
  await dropRules(tx);
  for (const [position, rule] of rules.entries()) await putRule(tx, position, rule);
  const now = await keptRules(tx);
  await spread(tx, now);
  tx.signal(WAYS_CHANGED);
  return now;
}

/**
 * Without an id a rule replaces the one with its name: a list that is sent again and again leaves no removed rules
 * behind.
 */
function withIds(inputs: readonly RuleInput[], kept: readonly KeptRule[]): readonly RuleInput[] {
  const taken = new Set(inputs.flatMap(({ id }) => id ?? []));
  return inputs.map((input) => {
    const same = input.id ? undefined : kept.find(({ id, name }) => name === input.name && !taken.has(id));
    if (same === undefined) return input;
    taken.add(same.id);
    return { ...input, id: same.id };
  });
}

/** Gives a new workspace the rules for all workspaces. */
export async function giveRules(tx: Tx, workspace: number): Promise<void> {
  await setRulesOf(tx, workspace, textFor(await keptRules(tx), workspace));
}

/** @throws AppError CONFLICT if a rule names the way */
export async function refuseRuled(reader: Reader, way: string): Promise<void> {
  const rule = (await keptRules(reader)).find(({ ways }) => ways.some(({ name }) => name === way));
  if (rule === undefined) return;
  throw new AppError("CONFLICT", `The rule "${rule.name}" names the sending route ${way}.`, {
    reason: "way_in_rule",
    values: { rule: rule.name },
    suggestion: "Change or remove the rule first.",
  });
}

type RuleDraft = {
  readonly input: RuleInput;
  readonly index: number;
  readonly before: ReadonlyMap<string, KeptRule>;
  readonly names: ReadonlySet<string>;
};

async function ruleOf(tx: Tx, { input, index, before, names }: RuleDraft): Promise<NewRule> {
  const at = (field: string) => `rules.${index}.${field}`;
  const { name, domain = null, kind = null, tag = null, provider = null } = input;
  if (input.id && !before.has(input.id)) throw invalidField(at("id"), "There is no such rule.", "unknown");
  const workspace = input.workspaceId ? await workspaceWith(tx, input.workspaceId) : null;
  if (input.workspaceId && workspace === null)
    throw invalidField(at("workspaceId"), "There is no such workspace.", "unknown");
  const ways = waysOf(input.ways);
  const unknown = ways.findIndex((way) => !names.has(way.name));
  if (unknown >= 0) throw invalidField(at(`ways.${unknown}.name`), "There is no such sending route.", "unknown");
  if (new Set(ways.map((way) => way.name)).size < ways.length)
    throw invalidField(at("ways"), "A way is in the list twice.", "duplicate");
  const conditions = { domain: domainIn(domain, at("domain")), kind, tag, provider };
  return { id: input.id ?? newId(tx.nowMs), name, workspace, ...conditions, ways, others: input.others ?? true };
}

/** A domain in the form of senders' stored addresses. */
function domainIn(text: string | null, field: string): string | null {
  if (text === null) return null;
  const domain = parseDomainName(text);
  if (domain === null) throw invalidField(field, "This is not a domain, such as example.com.", "invalid_domain");
  return domain;
}

/** Without weights the first way has all mail. */
function waysOf(ways: RuleInput["ways"]): readonly WeightedWay[] {
  const given = ways.map(({ name, weight }) => ({ name, weight: weight ?? 0 }));
  const hasWeights = given.some(({ weight }) => weight > 0);
  return hasWeights ? given : given.map(({ name }, index) => ({ name, weight: index === 0 ? 1 : 0 }));
}

async function spread(tx: Tx, rules: readonly KeptRule[]): Promise<void> {
  const own = [...new Set(rules.flatMap(({ workspace }) => workspace ?? []))];
  await setRulesOfOthers(tx, textFor(rules, null), own);
  for (const workspace of own) await setRulesOf(tx, workspace, textFor(rules, workspace));
}

function textFor(rules: readonly KeptRule[], workspace: number | null): string | null {
  const its = rules.filter((rule) => rule.workspace === null || rule.workspace === workspace);
  return rulesJson(
    its.map(({ seq, domain, kind, tag, provider }): RuleAtDoor => ({ rule: seq, domain, kind, tag, provider })),
  );
}
