// `posthorn queue …`: the mail in the queues of all workspaces, and an operator's acts on it. Without --yes, it only
// shows them.
import { isCampaign } from "../../../programs/campaigns/queries.ts";
import { iso } from "../../../base/clock.ts";
import { duration, inContext } from "../../../base/config/kinds.ts";
import { settleByHand } from "../../../mail/emails/actions/by-hand.ts";
import { actOn, queueFound, type QueueAct } from "../../../mail/emails/actions/operator.ts";
import {
  WAITING_STATES,
  type QueueFilter,
  type WaitingMail,
  type WaitingState,
} from "../../../mail/emails/queue/operator-queries.ts";
import { mailOfAnyWorkspace } from "../../../mail/emails/queries.ts";
import { codeOf } from "../../../sending/delivery/handover-line.ts";
import { AppError } from "../../../base/errors.ts";
import { COMMAND_LINE } from "../../../tenant/access/caller.ts";
import { noteAct } from "../../../operator/team/audit/audit.ts";
import { domainName } from "../../../http/body/address-field.ts";
import { misused } from "../arguments.ts";
import { inStore, WORKSPACE_OPTION, workspaceOf, type CliGround } from "../beside.ts";
import { printList, printOne } from "../print.ts";
import { grouped } from "../progress.ts";
import { JSON_OPTION, type VerbCall, type VerbOptions, type Verb } from "../verb.ts";

const FILTER: VerbOptions = {
  workspace: { ...WORKSPACE_OPTION, help: "Emails of this workspace" },
  campaign: { value: "ID", help: "Emails of this campaign" },
  mail: { value: "ID", help: "This email" },
  "to-domain": { value: "DOMAIN", help: "Emails to addresses of this domain" },
  state: { value: "STATE", help: `Emails in this state: ${WAITING_STATES.join(", ")}` },
  "older-than": { value: "TIME", help: 'Accepted longer ago than this: "30m", "2h", "3d"' },
  "newer-than": { value: "TIME", help: "Accepted within this time" },
};
const DO: VerbOptions = {
  all: { help: "All waiting emails; required without a filter" },
  yes: { help: "Do it; without this, only say what would be done" },
};
const MOST_SHOWN = 50;
const TEN_YEARS_SECONDS = 3650 * 86_400;

const LIST: Verb = {
  name: "queue list",
  summary: "Lists waiting emails, the oldest of each queue first, and says how many there are",
  options: { ...FILTER, addresses: { help: "Show recipients, and the reply to the last attempt" }, ...JSON_OPTION },
  run: (call) => inStore(call, (place) => listQueue(call, place)),
};

const SETTLE: Verb = {
  name: "queue settle",
  summary: "Says whether an email that was perhaps delivered has arrived",
  notes: ["It is DELIVERED or FAILED then, and no other copy of it is sent."],
  argument: "ID",
  options: { arrived: { value: "ANSWER", needed: true, help: "yes or no" }, ...JSON_OPTION },
  run: (call) => inStore(call, (place) => settle(call, place)),
};

export const QUEUE_VERBS: readonly Verb[] = [
  LIST,
  SETTLE,
  acting("retry", "Makes deferred and scheduled emails, and emails put on hold by queue hold, due at once"),
  acting("hold", "Puts emails on hold until queue retry"),
  acting("drop", "Cancels waiting emails; they are never sent"),
];

async function settle(call: VerbCall, { store }: Pick<CliGround, "store">): Promise<void> {
  const arrived = { yes: true, no: false }[call.text("arrived") ?? ""];
  if (arrived === undefined) throw misused(SETTLE, "takes --arrived yes or --arrived no");
  const { status } = await store.write(async (tx) => {
    const mail = await mailOfAnyWorkspace(tx, call.argument);
    if (!mail) throw new AppError("EMAIL_NOT_FOUND", `There is no email ${call.argument}.`);
    await noteAct(tx, { by: COMMAND_LINE, action: "queue settle", workspace: mail.workspace, target: mail.id });
    return settleByHand(tx, mail.workspace, mail.id, arrived);
  });
  printOne(call, { id: call.argument, status }, () => `The email is ${status}.`);
}

function acting(act: QueueAct, summary: string): Verb {
  const verb: Verb = {
    name: `queue ${act}`,
    summary,
    notes: ["Without --yes nothing is done. An email that is being handed over is left alone."],
    options: { ...FILTER, ...DO, ...JSON_OPTION },
    run: (call) => inStore(call, (place) => perform(call, place, verb, act)),
  };
  return verb;
}

async function listQueue(call: VerbCall, { store }: CliGround): Promise<void> {
  const filter = await filterOf(call, { store }, LIST);
  const shown: WaitingMail[] = [];
  let total = 0;
  for await (const mails of queueFound(store, filter)) {
    total += mails.length;
    shown.push(...mails.slice(0, MOST_SHOWN - shown.length));
  }
  const records = shown.map((mail) => mailLine(call, mail));
  if (call.flag("json")) return void call.io.out(JSON.stringify({ total, mails: records }));
  printList(call, records, asRow, "No such email waits.");
  if (total > shown.length) call.io.out(`… ${grouped(total)} in all.`);
}

function mailLine(
  call: VerbCall,
  { seq: _, content: __, workspace: ___, workspaceName, error, to, ...mail }: WaitingMail,
) {
  const said = { code: error === null ? null : codeOf(error) };
  const record = { ...mail, kind: mail.kind.toLowerCase(), workspace: workspaceName, ...said };
  return call.flag("addresses") ? { ...record, to, error } : record;
}

function asRow({ id, workspace, state, acceptedAt, dueAt, attempts, code, ...more }: ReturnType<typeof mailLine>) {
  const row = { id, workspace, state, accepted: acceptedAt, due: dueAt, attempts: String(attempts), code: code ?? "" };
  return "to" in more ? { ...row, to: more.to, said: more.error ?? "" } : row;
}

type MailSums = Map<number, { readonly workspace: string; mails: number }>;

async function perform(call: VerbCall, { store }: Pick<CliGround, "store">, verb: Verb, act: QueueAct): Promise<void> {
  const filter = await filterOf(call, { store }, verb);
  if (!call.flag("all") && Object.values(filter).every((part) => part === undefined || part === null))
    throw misused(verb, "needs a filter, or --all");
  const isReal = call.flag("yes");
  const sums: MailSums = new Map();
  for await (const mails of queueFound(store, filter))
    for (const [workspace, own] of Map.groupBy(mails.filter(isOpenTo(act)), (mail) => mail.workspace)) {
      const done = isReal ? await store.write((tx) => actOn(tx, act, own)) : own.length;
      const before = sums.get(workspace)?.mails ?? 0;
      sums.set(workspace, { workspace: own[0]?.workspaceName ?? "", mails: before + done });
    }
  if (isReal) await store.write((tx) => note(tx, act, sums));
  const shares = [...sums.values()];
  const mails = shares.reduce((sum, share) => sum + share.mails, 0);
  const record = { act, done: isReal, mails, workspaces: shares };
  printOne(call, record, () => outcomeText(record));
}

/** Mail that is held already is not held again. */
function isOpenTo(act: QueueAct) {
  return ({ state }: WaitingMail) => act !== "hold" || state !== "held";
}

async function note(tx: Parameters<typeof noteAct>[0], act: QueueAct, sums: MailSums): Promise<void> {
  for (const workspace of sums.keys()) await noteAct(tx, { by: COMMAND_LINE, action: `queue ${act}`, workspace });
}

const DONE = { retry: "called", hold: "held", drop: "cancelled" };

type QueueActOutcome = {
  readonly act: QueueAct;
  readonly done: boolean;
  readonly mails: number;
  readonly workspaces: readonly { readonly workspace: string; readonly mails: number }[];
};

function outcomeText({ act, done, mails, workspaces }: QueueActOutcome): string {
  if (mails === 0) return "No such email waits.";
  const count = `${grouped(mails)} ${mails === 1 ? "mail" : "mails"}`;
  const shares = workspaces.map((share) => `  ${grouped(share.mails)} of ${share.workspace}`);
  const title = done ? `${count} ${DONE[act]}:` : `${count} would be ${DONE[act]}:`;
  return [title, ...shares, ...(done ? [] : ["Nothing was done. To do it, add --yes."])].join("\n");
}

/** @throws UsageError for an invalid state or time */
async function filterOf(call: VerbCall, { store }: Pick<CliGround, "store">, verb: Verb): Promise<QueueFilter> {
  const state = call.text("state");
  if (state !== undefined && !(WAITING_STATES as readonly string[]).includes(state))
    throw misused(verb, `has no state ${state}: it is one of ${WAITING_STATES.join(", ")}`);
  const mail = call.text("mail");
  const workspace = await store.read((reader) => workspaceOf(call, reader));
  if (mail !== undefined && !(await store.read((reader) => mailOfAnyWorkspace(reader, mail))))
    throw new AppError("EMAIL_NOT_FOUND", `There is no email ${mail}.`);
  const campaign = call.text("campaign");
  if (campaign !== undefined && !(await store.read((reader) => isCampaign(reader, campaign))))
    throw new AppError("CAMPAIGN_NOT_FOUND", `There is no campaign ${campaign}.`);
  const domain = call.text("to-domain");
  return {
    workspace,
    campaign,
    mail,
    domain: domain && domainName(domain, "to-domain"),
    state: state as WaitingState | undefined,
    before: momentOf(call, store, verb, "older-than"),
    from: momentOf(call, store, verb, "newer-than"),
  };
}

/** So long before now; undefined without the option. @throws UsageError */
export function momentOf(
  call: VerbCall,
  { clock }: CliGround["store"],
  verb: Verb,
  option: string,
): string | undefined {
  const text = call.text(option);
  if (text === undefined) return undefined;
  try {
    const seconds = inContext(`--${option}`, () =>
      duration(0, TEN_YEARS_SECONDS).check(/^\d+$/.test(text) ? Number(text) : text),
    );
    return iso(clock.nowMs() - seconds * 1000);
  } catch (error) {
    throw misused(verb, (error as Error).message);
  }
}
