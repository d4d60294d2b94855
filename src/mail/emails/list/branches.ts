// The indexes along which the mails of a filter are found, and the remaining checks of each mail.
import { joined, sqlList, sql, type Sql } from "../../../store/sql.ts";
import { hasProvider } from "../../statistics/provider-queries.ts";
import { HEAPS, heapsOf, indexOfHeap, inHeap, isHeld, type Heap } from "../queue/holds.ts";
import type { EmailStatus } from "../shape.ts";
import type { HappeningFilter, MailFilter } from "./filter.ts";
import { alongHappening, momentOf } from "./happenings.ts";
import { isOfKey, isScheduled, type Branch } from "./queries.ts";

export const OF_CONTACT = "emails_of_contact";
export const IN_QUEUE: readonly EmailStatus[] = ["QUEUED", "SENDING"];

/** No mail server has this number. */
const NOWHERE = 0;

type FilterPart =
  | "contact"
  | "group"
  | "workflow"
  | "step"
  | "retrying"
  | "scheduled"
  | "key"
  | "campaign"
  | "state"
  | "source"
  | "template"
  | "domain"
  | "labels"
  | "provider"
  | "way"
  | "failed"
  | "happened"
  | "since"
  | "until";

/** `isStopped`: marketing mail of the workspace is stopped. */
export function branchesOf(filter: MailFilter, isStopped: boolean): Branch[] {
  const checks = new Map(checksOf(filter, isStopped));
  const along = (part: FilterPart, branches: readonly Branch[]): Branch[] => {
    checks.delete(part);
    return branches.map((branch) => ({ ...branch, checks: [...branch.checks, ...checks.values()] }));
  };
  const one = (index: string, where: Sql): Branch[] => [{ index, where, checks: [] }];
  const { contact, group, labels, workflow, step, campaign, source, happened, workspace } = filter;
  const whole = sql`e.workspace = ${workspace}`;
  // A contact implies its workspace; with both, the engine would use the index of the workspace.
  if (contact !== null) return along("contact", one(OF_CONTACT, sql`e.contact = ${contact}`));
  if (group !== null) return along("group", one("emails_of_content", sql`e.content = ${group}`));
  const [label, ...others] = labels;
  if (label !== undefined) return along("labels", [{ ...ofLabel(workspace, label), checks: others.map(hasLabel) }]);
  const ofStep = step === null ? null : ofStepBy(filter, step, isStopped);
  if (ofStep) return along("step", ofStep);
  if (workflow !== null)
    return along("workflow", one("emails_of_workflow", sql`${whole} and e.workflow_id = ${workflow}`));
  if (campaign !== null)
    return along("campaign", one("emails_in_campaign", sql`e.campaign = ${campaign} and e.source_type = 'CAMPAIGN'`));
  const states = statesOf(filter, isStopped);
  if (states !== null) return along("state", states);
  const those = happened && alongHappening(workspace, happened.what);
  if (those) {
    if (happened.since === null && happened.until === null) checks.delete("happened");
    return [{ ...those, checks: [...checks.values()] }];
  }
  if (source !== null && source !== "TRANSACTIONAL")
    return along(
      "source",
      one("emails_by_source", sql`${whole} and e.source_type = ${source} and e.source_type <> 'TRANSACTIONAL'`),
    );
  return [{ index: "emails_in_order", where: whole, checks: [...checks.values()] }];
}

function ofLabel(workspace: number, name: string): Omit<Branch, "checks"> {
  const where = sql`l.workspace = ${workspace} and l.name = ${name}`;
  return { index: "email_labels_by_name", where, isByLabel: true };
}

function hasLabel(name: string): Sql {
  return sql`exists (select 1 from email_labels h where h.email = e.seq and h.name = ${name})`;
}

/** All conditions of a filter. */
export function checksOf(filter: MailFilter, isStopped: boolean): [FilterPart, Sql][] {
  const { contact, group, workflow, step, retrying, campaign, source, template, domain, labels } = filter;
  const { scheduled, key, provider, hops, failedSince, happened, since, until } = filter;
  const checks: readonly [FilterPart, Sql | null][] = [
    ["contact", ifGiven(contact, (one) => sql`e.contact = ${one}`)],
    ["group", ifGiven(group, (one) => sql`e.content = ${one}`)],
    ["workflow", ifGiven(workflow, (one) => sql`e.workflow_id = ${one}`)],
    ["step", ifGiven(step, (one) => sql`e.step_id = ${one}`)],
    ["retrying", ifGiven(retrying, (is) => (is ? sql`e.attempts > 0` : sql`e.attempts = 0`))],
    ["scheduled", ifGiven(scheduled, ({ is, at }) => (is ? isScheduled(at) : sql`not (${isScheduled(at)})`))],
    ["key", ifGiven(key, isOfKey)],
    ["campaign", ifGiven(campaign, (one) => sql`e.campaign = ${one}`)],
    ["state", stateCheck(filter, isStopped)],
    ["source", ifGiven(source, (one) => sql`e.source_type = ${one}`)],
    ["template", ifGiven(template, (one) => sql`c.template_id = ${one}`)],
    ["domain", ifGiven(domain, (one) => sql`c.from_address like ${`%@${escaped(one)}`} escape '\\'`)],
    ["labels", labels.length === 0 ? null : joined(labels.map(hasLabel), " and ")],
    ["provider", ifGiven(provider, (one) => hasProvider(sql`e.to_address`, one))],
    [
      "way",
      ifGiven(
        hops,
        (some) => sql`e.hop in (${sqlList(some.length === 0 ? [NOWHERE] : some)}) and e.status <> 'SENDING'`,
      ),
    ],
    ["failed", ifGiven(failedSince, (one) => sql`e.failed_at >= ${one}`)],
    ["happened", ifGiven(happened, hasHappened)],
    ["since", ifGiven(since, (one) => sql`e.created_at >= ${one}`)],
    ["until", ifGiven(until, (one) => sql`e.created_at < ${one}`)],
  ];
  return checks.flatMap(([part, check]) => (check ? [[part, check]] : []));
}

function ifGiven<Value>(value: Value | null, check: (value: Value) => Sql): Sql | null {
  return value === null ? null : check(value);
}

function hasHappened({ what, since, until }: HappeningFilter): Sql {
  const moment = momentOf(what);
  const within = [ifGiven(since, (one) => sql`${moment} >= ${one}`), ifGiven(until, (one) => sql`${moment} < ${one}`)];
  return joined([sql`${moment} is not null`, ...within.filter((one) => one !== null)], " and ");
}

/** For `like … escape '\'`. */
export function escaped(text: string): string {
  return text.replace(/[\\%_]/g, (sign) => `\\${sign}`);
}

function stateCheck({ statuses, held }: MailFilter, isStopped: boolean): Sql | null {
  const isIn = statuses && sql`e.status in (${sqlList(statuses)})`;
  if (held === null) return isIn;
  const queued = sql`e.status = 'QUEUED' and ${isHeld(held, isStopped)}`;
  return isIn ? sql`${isIn} and ${queued}` : queued;
}

/** Branches for mails that wait at a step of a workflow, heap by heap, or that failed there; null = other states. */
function ofStepBy({ workspace, statuses, held }: MailFilter, step: string, isStopped: boolean): Branch[] | null {
  const own = sql`e.workspace = ${workspace} and e.step_id = ${step}`;
  const only = held !== null ? "QUEUED" : statuses?.length === 1 ? statuses[0] : null;
  if (only === "FAILED")
    return [{ index: "emails_failed_at_step", where: sql`${own} and e.status = 'FAILED'`, checks: [] }];
  if (only !== "QUEUED") return null;
  const heaps = held === null ? HEAPS : heapsOf(held, isStopped);
  return heaps.map((heap) => ({
    index: "emails_at_step",
    where: sql`${own} and ${inHeap(heap)} and e.status = 'QUEUED'`,
    checks: [],
  }));
}

/** A branch for each state, and for each heap of the queue; null = any state. */
function statesOf(filter: MailFilter, isStopped: boolean): Branch[] | null {
  const { workspace, statuses, held } = filter;
  if (held !== null) {
    const isAsked = statuses === null || statuses.includes("QUEUED");
    return isAsked ? queueOf(workspace, ["QUEUED"], heapsOf(held, isStopped)) : [];
  }
  if (statuses === null) return null;
  const settled = statuses.filter((status) => !IN_QUEUE.includes(status) && status !== "PERHAPS_DELIVERED");
  const perhaps = sql`e.workspace = ${workspace} and e.status = 'PERHAPS_DELIVERED'`;
  const waiting = statuses.filter((status) => IN_QUEUE.includes(status));
  const isIn = (status: EmailStatus) => sql`e.workspace = ${workspace} and e.status = ${status} and e.due_at is null`;
  return [
    ...settled.map((status) => ({ index: "emails_settled", where: isIn(status), checks: [] })),
    // Some of them are due for a late repeat.
    ...(statuses.includes("PERHAPS_DELIVERED") ? [{ index: "emails_perhaps", where: perhaps, checks: [] }] : []),
    ...(waiting.length === 0 ? [] : queueOf(workspace, waiting, HEAPS)),
  ];
}

/** Few mails of a queue are SENDING, so the search for them is bounded. PERHAPS_DELIVERED mails wait in it as well. */
function queueOf(workspace: number, statuses: readonly EmailStatus[], heaps: readonly Heap[]): Branch[] {
  const [only, ...others] = statuses;
  const isQueued =
    only === "QUEUED" && others.length === 0 ? sql`e.status = 'QUEUED'` : sql`e.status <> 'PERHAPS_DELIVERED'`;
  const checks = only === "SENDING" && others.length === 0 ? [sql`e.status = 'SENDING'`] : [];
  return heaps.map((heap) => ({
    index: indexOfHeap(heap),
    where: sql`e.workspace = ${workspace} and ${inHeap(heap)} and e.due_at is not null and ${isQueued}`,
    checks,
  }));
}
