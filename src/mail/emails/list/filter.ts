// The filters of GET /emails, each checked, with the records that they name.
import { templateIdOf } from "../../../content/templates/queries.ts";
import { parseDomainName } from "../../../base/addresses.ts";
import { iso } from "../../../base/clock.ts";
import { AppError, invalidParameter, type ErrorCode } from "../../../base/errors.ts";
import { namesSought } from "../../../base/labels.ts";
import { momentOf } from "../../../base/moments.ts";
import type { Reader } from "../../../store/store.ts";
import { NO_DATE_TIME } from "../send-time.ts";
import { REFUSED_STATES, type RefusalReason } from "../refusals/reason.ts";
import type { MailboxProvider } from "../../statistics/providers.ts";
import type { EmailStatus, MailMilestone, SourceType } from "../shape.ts";
import { STATES_AFTER } from "./happenings.ts";
import { contentOfGroup, hopsOfWay, seqOf, type MailOwner } from "./queries.ts";

/** As in a query or a body; absent or null = any. */
export type FilterInput = {
  readonly status?: readonly EmailStatus[] | null;
  readonly held?: boolean | null;
  readonly sourceType?: SourceType | null;
  readonly contactId?: string | null;
  readonly campaignId?: string | null;
  readonly group?: string | null;
  readonly templateId?: string | null;
  readonly workflowId?: string | null;
  /** A step of that workflow. */
  readonly stepId?: string | null;
  readonly retrying?: boolean | null;
  readonly scheduled?: ScheduleFilter | null;
  /** The key set whose key sent it. */
  readonly keyId?: string | null;
  readonly domain?: string | null;
  readonly tag?: readonly string[] | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly provider?: MailboxProvider | null;
  /** The name of the way out that took it. */
  readonly way?: string | null;
  readonly reason?: RefusalReason | null;
  readonly failedSince?: string | null;
  /** `since` and `until` then refer to its time. */
  readonly happened?: MailMilestone | null;
  readonly since?: string | null;
  readonly until?: string | null;
};

/** Null = any. Records by their seqs. */
export type MailFilter = {
  readonly workspace: number;
  readonly statuses: readonly EmailStatus[] | null;
  readonly held: boolean | null;
  readonly source: SourceType | null;
  readonly contact: number | null;
  readonly campaign: number | null;
  /** The content of a group. */
  readonly group: number | null;
  /** Public ids: mails outlive these. */
  readonly workflow: string | null;
  readonly step: string | null;
  readonly retrying: boolean | null;
  readonly scheduled: ScheduleFilter | null;
  /** Public id of a key set. */
  readonly key: string | null;
  readonly template: string | null;
  readonly domain: string | null;
  /** A mail must have all of them (`namesOfLabels`). */
  readonly labels: readonly string[];
  /** The provider of the recipient's mailbox. */
  readonly provider: MailboxProvider | null;
  /** The mail servers to which a way out leads or led. */
  readonly hops: readonly number[] | null;
  readonly reason: RefusalReason | null;
  readonly failedSince: string | null;
  readonly happened: HappeningFilter | null;
  /** The time of acceptance. */
  readonly since: string | null;
  readonly until: string | null;
};

/** Whether its time is still ahead at the moment `at`. */
export type ScheduleFilter = { readonly is: boolean; readonly at: string };

export type HappeningFilter = {
  readonly what: MailMilestone;
  readonly since: string | null;
  readonly until: string | null;
};

/** No content has this number. */
const NOBODY = 0;

type ParameterFault = typeof invalidParameter;

/** @throws AppError as `fault` makes it; CONTACT_NOT_FOUND, CAMPAIGN_NOT_FOUND */
export async function readFilter(
  reader: Reader,
  workspace: number,
  input: FilterInput,
  fault: ParameterFault = invalidParameter,
): Promise<MailFilter> {
  const known = (what: MailOwner, id: string | null | undefined) => seqOfOwner(reader, workspace, what, id ?? null);
  const since = timeIn("since", input.since ?? null, fault);
  const until = timeIn("until", input.until ?? null, fault);
  const what = input.happened ?? null;
  if (input.stepId != null && input.workflowId == null)
    throw fault("stepId", "Name its workflow as well: workflowId.", "required");
  return {
    workspace,
    statuses: input.status ?? statesImplied(input),
    held: input.held ?? null,
    source: input.sourceType ?? null,
    contact: await known("contact", input.contactId),
    campaign: await known("campaign", input.campaignId),
    group: input.group == null ? null : ((await contentOfGroup(reader, workspace, input.group)) ?? NOBODY),
    workflow: input.workflowId ?? null,
    step: input.stepId ?? null,
    retrying: input.retrying ?? null,
    scheduled: input.scheduled ?? null,
    key: input.keyId ?? null,
    template: await templateIn(reader, workspace, input.templateId ?? null),
    domain: domainIn(input.domain ?? null, fault),
    labels: namesSought(input),
    provider: input.provider ?? null,
    hops: input.way == null ? null : await hopsOfWay(reader, input.way),
    reason: input.reason ?? null,
    failedSince: timeIn("failedSince", input.failedSince ?? null, fault),
    happened: what === null ? null : { what, since, until },
    since: what === null ? since : null,
    // A mail is accepted before anything happens to it: `until` bounds the acceptance, too.
    until,
  };
}

/** States by which an index finds the mails. */
function statesImplied(input: FilterInput): readonly EmailStatus[] | null {
  const { reason, failedSince, happened, retrying, scheduled } = input;
  if (retrying != null || scheduled != null) return ["QUEUED"];
  if (failedSince != null) return ["FAILED"];
  if (reason != null) return REFUSED_STATES;
  return happened == null ? null : (STATES_AFTER[happened] ?? null);
}

const NOT_FOUND: Readonly<Record<MailOwner, ErrorCode>> = {
  contact: "CONTACT_NOT_FOUND",
  campaign: "CAMPAIGN_NOT_FOUND",
};

async function seqOfOwner(
  reader: Reader,
  workspace: number,
  what: MailOwner,
  id: string | null,
): Promise<number | null> {
  if (id === null) return null;
  const seq = await seqOf(reader, workspace, what, id);
  if (seq === null) throw new AppError(NOT_FOUND[what], `There is no ${what} ${id}.`);
  return seq;
}

/** An alias without a template matches no mail. */
async function templateIn(reader: Reader, workspace: number, name: string | null): Promise<string | null> {
  return name === null ? null : ((await templateIdOf(reader, workspace, name)) ?? name);
}

function domainIn(text: string | null, fault: ParameterFault): string | null {
  if (text === null) return null;
  const domain = parseDomainName(text);
  if (domain === null) throw fault("domain", "This is not a domain name.");
  return domain;
}

function timeIn(field: "since" | "until" | "failedSince", text: string | null, fault: ParameterFault): string | null {
  if (text === null) return null;
  const moment = /T.*(Z|[+-]\d\d:?\d\d)$/i.test(text) ? momentOf(text) : null;
  if (moment === null) throw fault(field, NO_DATE_TIME, "invalid_date");
  return iso(Date.parse(`${moment}Z`));
}
