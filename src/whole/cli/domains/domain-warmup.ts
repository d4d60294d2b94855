// `posthorn domain warmup`: the progress of a sender domain's warm-up, and the verbs that change it.
import type { Domain } from "../../../tenant/domains/queries.ts";
import type { Tx } from "../../../store/store.ts";
import { isWanted } from "../../../sending/warmup/is-wanted.ts";
import { daysIn } from "../../../sending/warmup/plan.ts";
import { planOf, warmupRecord, type WarmupRecord } from "../../../sending/warmup/record.ts";
import { act, ACTS, changePlan, type WarmupAct } from "../../../sending/warmup/warmup.ts";
import { UsageError } from "../arguments.ts";
import type { CliGround } from "../beside.ts";
import { printOne, table } from "../print.ts";
import type { VerbCall, VerbOptions } from "../verb.ts";

export const WARMUP_OPTIONS: VerbOptions = {
  pause: { help: "Known mailbox providers get no marketing email from the domain until it is resumed" },
  resume: { help: "Goes on, also where it has halted by itself" },
  skip: { help: "Ends it: what waits leaves at once" },
  restart: { help: "Begins again with the first day of the plan" },
  days: { value: "N,N,…", help: "Another plan: emails to each mailbox provider on each day, such as 50,50,100,100" },
};

const NAMES = Object.keys(ACTS) as WarmupAct[];

export type WarmupRequest = { readonly what: WarmupAct } | { readonly days: readonly number[] } | null;

/** Null = only show it. @throws UsageError for several changes together, or an invalid number of days */
export function wantedIn(call: VerbCall): WarmupRequest {
  const [what, ...more] = NAMES.filter((name) => call.flag(name));
  const days = call.text("days");
  const hint = "See: posthorn domain warmup --help";
  if (more.length > 0 || (what !== undefined && days !== undefined))
    throw new UsageError("Only one change can be made at a time.", hint);
  if (days === undefined) return what === undefined ? null : { what };
  const read = daysIn(days);
  if (read === null)
    throw new UsageError("--days takes up to 90 whole numbers with commas between them, such as 50,50,100,100.", hint);
  return { days: read };
}

/** Answers the name of the change in the audit log. */
export async function changeWarmup(
  tx: Tx,
  { workspace, seq }: Domain,
  wanted: NonNullable<WarmupRequest>,
): Promise<string> {
  const subject = { workspace, domain: seq };
  if ("what" in wanted) {
    await act(tx, subject, wanted.what);
    return `domain warmup --${wanted.what}`;
  }
  await changePlan(tx, subject, planOf({ days: [...wanted.days] }));
  return "domain warmup --days";
}

export async function showWarmup(call: VerbCall, { store, config }: CliGround, row: Domain): Promise<void> {
  const terms = { nowMs: store.clock.nowMs(), isWanted: isWanted(config) };
  const of = { workspace: row.workspace, domain: row.seq };
  const record = await store.read((reader) => warmupRecord(reader, of, terms));
  printOne(call, { domain: row.domain, ...record }, () => warmupText(row.domain, record));
}

function warmupText(domain: string, record: WarmupRecord): string {
  const { today, doneAt } = record;
  const rows = today.map(({ provider, allowed, sent, waiting, doneAt: at }) => ({
    provider,
    today: `${sent} of ${allowed}`,
    waiting: `${waiting}`,
    done: at ?? "",
  }));
  return [
    `${domain}: ${stateInWords(record)}`,
    ...(rows.length === 0 ? [] : ["", ...table(rows)]),
    ...(doneAt === null ? [] : ["", `What waits will have left by ${doneAt}.`]),
  ].join("\n");
}

function stateInWords({ state, day, dayEndsAt, plan, reason }: WarmupRecord): string {
  const ofPlan = `day ${day} of ${Math.max(plan.days.length, ...Object.values(plan.providers).map((one) => one.length))}`;
  switch (state) {
    case "NONE":
      return "no warm-up. The domain has a history, or warm-ups are switched off.";
    case "PLANNED":
      return "new. Its warm-up begins with its first marketing email.";
    case "RUNNING":
      return `warming up, ${ofPlan}. ${dayEndsAt === null ? "The day begins with its first email." : `The day ends ${dayEndsAt}.`}`;
    case "PAUSED":
      return `paused on ${ofPlan}. Known mailbox providers get no marketing email.`;
    case "HALTED":
      return `halted on ${ofPlan}. ${reason}`;
    case "DONE":
      return "warmed up. Marketing email leaves at full pace.";
    case "SKIPPED":
      return "not warming up. Marketing email leaves at full pace.";
  }
}
