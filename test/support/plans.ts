// Preloaded in all tests (bunfig.toml): SQLite explains each statement of src/ once, when it is first prepared. One
// that reads a whole table that grows, or sorts what it reads instead of following an index, fails where it was asked.
// What may do so has its reason here.
import { Database } from "bun:sqlite";
import { migrateSqlite } from "../../src/store/migrations.ts";
import { preparable, Statements } from "../../src/store/sqlite/statements.ts";
import { isOfSource } from "./of-source.ts";
import { SMALL } from "./small-tables.ts";

/** Indexes that have few rows, or of which few are read. */
const SHORT: Readonly<Record<string, string>> = {
  emails_due: "has what is queued; operators ask what waits and why",
  emails_held: "has what is held; operators ask what waits and why",
  emails_waiting: "has what is queued; a claim by another process, or the start after a crash, looks for leases in it",
  webhook_deliveries_due: "has the calls that wait; the start looks for leases in it",
  messages_due: "has the messages that wait; the start looks for leases in it",
  executions_due: "has the executions that wait; the repair of turns reads all of them",
  outbox_due: "has the events that wait; the repair of turns reads all of them",
  missed_starts_in_order: "has at most the newest 1,000 of each workflow",
  workflows_deleted: "has the workflows that are being deleted",
  watch_findings_wrong: "has the faults that there are at present",
  segments_to_sweep: "has the segments that are to be swept",
};

/** Statements with a piece of their text. */
const ALLOWED: Readonly<Record<string, string>> = {
  "delete from import_exclusions": "holds those erased while an import runs, and is emptied after it",
  "from workspaces where id = ? or name = ?": "sorts two rows",
  "when hold = 'workspace' then 'workspace disabled'": "sorts a row a workspace and reason",
  "order by d.failing_since limit": "sorts the domains that are failing",
  "select 1 as told from notices limit 1": "reads one row",
  "select 1 as told from provider_reports limit 1": "reads one row",
  "with plain as materialized": "sorts the points of one series",
  "select e.id, e.workspace from workspaces w cross join contents c": "sorts the mails that one id names",
  "from emails e indexed by emails_to_others": "sorts the mails to others whose address begins with what is looked for",
  ") as named order by seq desc limit": "sorts the mails that one id names",
  "from contents c cross join emails e where c.workspace = ? and c.template_id = ?":
    "sorts the mails of a template that few contents name (emails/list)",
  "from recipients r join campaigns k on k.seq = r.campaign where r.contact = ?":
    "sorts the campaigns that left one person out",
  "from former_addresses f join contacts c": "sorts the addresses that one person had",
  "from segment_members m join segments s": "sorts the segments that one person is in",
  "join execution_steps s on s.execution = e.seq and s.step = e.step where e.due_at is not null and e.due_at > ?":
    "runs once, when a clock that was far ahead is set right",
  "from email_labels r cross join events e": "sorts the events of a bounded number of mails (events/queries.ts)",
  "from email_attempts a join emails e on e.seq = a.email": "sorts the attempts of one mail",
  "from workflow_versions v join workflows w": "sorts the versions of one workspace, when a person is erased",
  "from segments where workspace = ? and id in": "sorts the segments of one workspace",
  "from events order by seq desc limit": "reads the newest",
  "select 1 as parked from outbox": "reads what is not dispatched, for an operator",
  "from (select seq from emails where campaign = ? and due_at is null and clicks > 0 limit ?) as clicked":
    "sorts the links of one campaign, of a bounded number of clicks",
  "group by policy_type, result, host order by": "sorts the kinds of failure of one domain",
  "group by origin, provider, address order by": "sorts the sources of one domain",
  "delete from devices where person = ? and ends_at <=": "sorts the browsers of one person, of which 50 are kept",
  "select seq, email, suppressed from contacts where workspace = ? and email in":
    "sorts the contacts of one batch of suppressions, to lock them in order",
  "select seq from images where workspace = ? and hash in": "sorts the images of one text",
  "update watch_looks set due_at = ?, begun_at": "sorts four rows",
  "from domains d join domain_keys k on k.domain = d.seq where d.removed_at is null":
    "sorts the keys of the sender domains, when an alert is sent",
  "union select seq as person from users where is_owner = 1": "sorts the people of one workspace",
};

const MIGRATED_AT = "2026-03-01T09:00:00.000Z";
const explained = new Set<string>();
const { prepareText } = Statements.prototype;

Statements.prototype.prepareText = function (text: string) {
  const statement = prepareText.call(this, text);
  if (explained.has(text) || !/^\s*(with|select|update|delete|insert)/i.test(text)) return statement;
  explained.add(text);
  const faults = faultsOf(text);
  if (faults.length > 0 && isOfSource(text) && !Object.keys(ALLOWED).some((piece) => oneLine(text).includes(piece)))
    throw new Error(
      `${faults.join("; ")}: an index is missing, or a reason in test/support/plans.ts. ${oneLine(text)}`,
    );
  return statement;
};

function faultsOf(text: string): readonly string[] {
  const { database, tables } = (schema ??= migrated());
  return planOf(database, text).filter((detail) => {
    if (detail.includes("TEMP B-TREE FOR ORDER BY")) return true;
    const scanned = /^SCAN (\S+)(?: USING (?:COVERING )?INDEX (\w+))?$/.exec(detail);
    if (scanned === null) return false;
    const [, name = "", index = ""] = scanned;
    const table = tableOf(name, text);
    return tables.has(table) && !Object.hasOwn(SMALL, table) && !Object.hasOwn(SHORT, index);
  });
}

/** Of tables that a test has made itself nothing is known. */
function planOf(database: Database, text: string): readonly string[] {
  try {
    const plan = database.query<{ detail: string }, []>(`explain query plan ${preparable(text)}`).all();
    return plan.map(({ detail }) => detail);
  } catch {
    return [];
  }
}

type Schema = { readonly database: Database; readonly tables: ReadonlySet<string> };
let schema: Schema | null = null;

/** A database of its own: a statement that is explained would be in the way of a commit. */
function migrated(): Schema {
  const database = new Database(":memory:", { strict: true });
  migrateSqlite(database, MIGRATED_AT);
  const names = database.query<{ name: string }, []>("select name from sqlite_schema where type = 'table'").all();
  return { database, tables: new Set(names.map(({ name }) => name)) };
}

/** The table that a statement knows by this name. */
function tableOf(name: string, text: string): string {
  const known = new RegExp(`\\b(?:from|join|update|into)\\s+(\\w+)\\s+(?:as\\s+)?${RegExp.escape(name)}\\b`, "i").exec(
    text,
  );
  return known?.[1] ?? name;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
