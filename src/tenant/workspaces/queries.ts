// The SQL of workspaces.
import { KEY_RULES, withKeyRules, type KeyRuleColumns, type KeyRules, type SendData } from "../access/key-queries.ts";
import type { Language } from "../../base/languages/language.ts";
import { isListenedTo } from "../events/interests.ts";
import { typeSubject } from "../events/subjects.ts";
import { flag, json } from "../../store/columns.ts";
import { sqlList, sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { PageField } from "./page-fields.ts";

export type Tracking = "ENABLED" | "DISABLED" | "MARKETING_ONLY";

/** For how many days it keeps data; null = as long as the installation. */
export type Retention = {
  readonly mailDays: number | null;
  readonly bodyDays: number | null;
  readonly eventDays: number | null;
  readonly inboundDays: number | null;
  readonly attemptDays: number | null;
  readonly recipientDays: number | null;
};

/** A workspace's own settings. */
type WorkspaceSettings = KeyRules & {
  readonly name: string;
  readonly tracking: Tracking;
  readonly language: Language;
  readonly postalAddress: string | null;
  readonly fromAddress: string | null;
  readonly fromName: string | null;
  /** The name of a zone of the IANA's; null = none is set. */
  readonly timeZone: string | null;
  readonly sendData: SendData;
  /** Which mail a complaint suppresses. */
  readonly complaintScope: "marketing" | "all";
  /** This many soft bounces in a row, over so many days, suppress an address; 0 = none do. */
  readonly softBounces: number;
  readonly softBounceDays: number;
  /** Keys of data that a search for contacts covers. */
  readonly searchFields: readonly string[];
  /** The fields on the page of a recipient's choices. */
  readonly pageFields: readonly PageField[];
  readonly asksWhy: boolean;
};

export type Workspace = WorkspaceSettings &
  Retention & {
    readonly seq: number;
    readonly id: string;
    /** Encrypted with the installation's key. */
    readonly webhookSecret: string;
    readonly disabledAt: string | null;
    /** Why marketing mail is stopped; null = it is not. */
    readonly marketingStopped: string | null;
    /** The part of the rules for ways out that the door needs (ways/rule.ts). */
    readonly wayRules: string | null;
    readonly createdAt: string;
    readonly updatedAt: string;
  };

type WorkspaceRow = Omit<Workspace, keyof KeyRules | "searchFields" | "pageFields" | "asksWhy"> &
  KeyRuleColumns & {
    /** JSON texts. */
    readonly searchFields: string;
    readonly pageFields: string;
    readonly asksWhy: 0 | 1;
  };

/** The columns of a workspace's retention. */
export const RETENTION = sql`mail_days as "mailDays", body_days as "bodyDays", event_days as "eventDays", inbound_days as "inboundDays",
  attempt_days as "attemptDays", recipient_days as "recipientDays"`;

const WORKSPACE = sql`
  seq, id, name, tracking, language, postal_address as "postalAddress", ${KEY_RULES}, from_address as "fromAddress",
  from_name as "fromName", time_zone as "timeZone", send_data as "sendData", complaint_scope as "complaintScope", soft_bounces as "softBounces",
  soft_bounce_days as "softBounceDays", search_fields as "searchFields", page_fields as "pageFields", asks_why as "asksWhy", webhook_secret as "webhookSecret", disabled_at as "disabledAt",
  marketing_stopped as "marketingStopped", way_rules as "wayRules", created_at as "createdAt", updated_at as "updatedAt", ${RETENTION}`;

async function oneWorkspace(row: Promise<WorkspaceRow | null>): Promise<Workspace | null> {
  const found = await row;
  return found && workspaceOf(found);
}

function workspaceOf(row: WorkspaceRow): Workspace {
  return {
    ...withKeyRules(row),
    searchFields: json<readonly string[]>(row.searchFields),
    pageFields: json<readonly PageField[]>(row.pageFields),
    asksWhy: flag(row.asksWhy),
  };
}

type NewWorkspace = { readonly id: string; readonly name: string; readonly encryptedWebhookSecret: string };

/** Answers null if the name is taken. */
export function insertWorkspace(tx: Tx, workspace: NewWorkspace): Promise<Workspace | null> {
  return oneWorkspace(tx.get`
    insert into workspaces (id, name, webhook_secret, created_at, updated_at)
    values (${workspace.id}, ${workspace.name}, ${workspace.encryptedWebhookSecret}, ${tx.now}, ${tx.now})
    on conflict (name) do nothing returning ${WORKSPACE}`);
}

export function workspaceNamed(reader: Reader, idOrName: string): Promise<Workspace | null> {
  return oneWorkspace(reader.get`
    select ${WORKSPACE} from workspaces
    where (id = ${idOrName} or name = ${idOrName}) and arriving_until is null order by case when id = ${idOrName} then 0 else 1 end limit 1`);
}

export function workspaceBySeq(reader: Reader, seq: number): Promise<Workspace | null> {
  return oneWorkspace(reader.get`select ${WORKSPACE} from workspaces where seq = ${seq}`);
}

/** With whether endpoints are notified of each queued mail, which every mail needs. */
export async function workspaceToSendFrom(
  reader: Reader,
  seq: number,
): Promise<(Workspace & { readonly tellsAccepted: boolean }) | null> {
  const row = await reader.get<WorkspaceRow & { readonly heard: 0 | 1 }>`
    select ${WORKSPACE}, case when ${isListenedTo(sql`workspaces.seq`, typeSubject("email.accepted"))} then 1 else 0 end as heard
    from workspaces where seq = ${seq}`;
  if (!row) return null;
  const { heard, ...workspace } = row;
  return { ...workspaceOf(workspace), tellsAccepted: flag(heard) };
}

/** The present row; no other transaction changes it before this one is over. */
export function lockWorkspace(tx: Tx, seq: number): Promise<Workspace | null> {
  return oneWorkspace(tx.get`select ${WORKSPACE} from workspaces where seq = ${seq}${tx.dialect.forChange}`);
}

export async function allWorkspaces(reader: Reader): Promise<Workspace[]> {
  return (
    await reader.all<WorkspaceRow>`select ${WORKSPACE} from workspaces where arriving_until is null order by seq`
  ).map(workspaceOf);
}

/** Oldest first. */
export async function workspacesPage(reader: Reader, limit: number, offset: number): Promise<Workspace[]> {
  const rows = await reader.all<WorkspaceRow>`
    select ${WORKSPACE} from workspaces where arriving_until is null order by seq limit ${limit} offset ${offset}`;
  return rows.map(workspaceOf);
}

export async function countWorkspaces(reader: Reader): Promise<number> {
  return (
    (await reader.get<{ total: number }>`select count(*) as total from workspaces where arriving_until is null`)
      ?.total ?? 0
  );
}

export type RetainingWorkspace = Retention & Pick<Workspace, "seq" | "name">;

/** Each workspace's own setting, in their order. */
export function allRetention(reader: Reader): Promise<RetainingWorkspace[]> {
  return reader.all<RetainingWorkspace>`select seq, name, ${RETENTION} from workspaces where arriving_until is null order by seq`;
}

/** @throws ConstraintError `unique` if the name was taken at the same moment */
export function updateWorkspace(
  tx: Tx,
  seq: number,
  settings: WorkspaceSettings & Pick<Workspace, "updatedAt">,
): Promise<number> {
  return tx.run`
    update workspaces set name = ${settings.name}, tracking = ${settings.tracking}, language = ${settings.language},
      postal_address = ${settings.postalAddress}, double_opt_in = ${settings.doubleOptIn ? 1 : 0},
      public_update = ${settings.publicUpdate ? 1 : 0}, public_unsubscribe = ${settings.publicUnsubscribe ? 1 : 0},
      from_address = ${settings.fromAddress}, from_name = ${settings.fromName}, time_zone = ${settings.timeZone},
      complaint_scope = ${settings.complaintScope}, soft_bounces = ${settings.softBounces}, soft_bounce_days = ${settings.softBounceDays},
      send_data = ${settings.sendData}, search_fields = ${JSON.stringify(settings.searchFields)},
      page_fields = ${JSON.stringify(settings.pageFields)}, asks_why = ${settings.asksWhy ? 1 : 0}, public_events = ${settings.publicEvents && JSON.stringify(settings.publicEvents)},
      updated_at = ${settings.updatedAt}
    where seq = ${seq}`;
}

/** Marks its contacts as not prepared for the fields that it searches now (search-fields.ts). */
export function setSearchUnprepared(tx: Tx, seq: number): Promise<number> {
  return tx.run`update workspaces set search_prepared = 0 where seq = ${seq}`;
}

/** Clears the address if it is of this domain. */
export function clearFromAddress(tx: Tx, seq: number, domain: string): Promise<number> {
  return tx.run`
    update workspaces set from_address = null, updated_at = ${tx.now}
    where seq = ${seq} and from_address like ${`%@${domain}`}`;
}

export function setRetention(tx: Tx, seq: number, days: Retention): Promise<number> {
  return tx.run`
    update workspaces set mail_days = ${days.mailDays}, body_days = ${days.bodyDays}, event_days = ${days.eventDays},
      inbound_days = ${days.inboundDays}, attempt_days = ${days.attemptDays}, recipient_days = ${days.recipientDays},
      updated_at = ${tx.now}
    where seq = ${seq}`;
}

/** The previous secret signs as well, until then: 0 rows changed if an earlier one still does so and must not end. */
export function setWebhookSecret(
  tx: Tx,
  seq: number,
  encrypted: string,
  { formerUntil, endsBoth }: { readonly formerUntil: string; readonly endsBoth: boolean },
): Promise<number> {
  return tx.run`
    update workspaces set former_webhook_secret = webhook_secret, former_webhook_until = ${formerUntil},
      webhook_secret = ${encrypted}, updated_at = ${tx.now}
    where seq = ${seq} and (${endsBoth ? 1 : 0} = 1 or coalesce(former_webhook_until, '') <= ${tx.now})`;
}

/** Until when the previous secret signs as well; "" = there was none. */
export async function formerSecretUntil(reader: Reader, seq: number): Promise<string> {
  const row = await reader.get<{ until: string | null }>`
    select former_webhook_until as until from workspaces where seq = ${seq}`;
  return row?.until ?? "";
}

/** The secrets that sign webhooks at this moment, encrypted, the newest first. */
export async function webhookSecrets(reader: Reader, seq: number, now: string): Promise<string[]> {
  const row = await reader.get<{ secret: string; former: string | null }>`
    select webhook_secret as secret, case when former_webhook_until > ${now} then former_webhook_secret end as former
    from workspaces where seq = ${seq}`;
  return row === null ? [] : [row.secret, ...(row.former === null ? [] : [row.former])];
}

export function setWorkspaceDisabled(tx: Tx, seq: number, disabledAt: string | null): Promise<number> {
  return tx.run`update workspaces set disabled_at = ${disabledAt}, updated_at = ${tx.now} where seq = ${seq}`;
}

/** `workspaces` must not be empty. */
export async function disabledAmong(reader: Reader, workspaces: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await reader.all<{ seq: number }>`
    select seq from workspaces where seq in (${sqlList(workspaces)}) and disabled_at is not null`;
  return new Set(rows.map(({ seq }) => seq));
}

/** Answers 0 if nothing has changed. */
export function setMarketingStopped(tx: Tx, workspace: number, reason: string | null): Promise<number> {
  return tx.run`
    update workspaces set marketing_stopped = ${reason} where seq = ${workspace} and coalesce(marketing_stopped, '') <> ${reason ?? ""}`;
}

/** Deletes the row with all that it owns. */
export function deleteWorkspaceRow(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from workspaces where seq = ${seq}`;
}

/** When its host for links was set or removed; before that, when the workspace was made. */
export async function linkHostSetAt(reader: Reader, seq: number): Promise<string> {
  const row = await reader.get<{ at: string }>`
    select coalesce(link_host_at, created_at) as at from workspaces where seq = ${seq}`;
  return row?.at ?? "";
}

export function setLinkHostAt(tx: Tx, seq: number, at: string): Promise<number> {
  return tx.run`update workspaces set link_host_at = ${at} where seq = ${seq}`;
}

/** For searches of contacts. `upTo`: the last contact that the chosen fields cover; null = they cover all. */
export function setSearchPrepared(tx: Tx, workspace: number, upTo: number | null): Promise<number> {
  return tx.run`update workspaces set search_prepared = ${upTo} where seq = ${workspace}`;
}
