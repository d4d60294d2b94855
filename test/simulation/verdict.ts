// What must be true once everything has settled, whatever happened on the way. Answers what is not.
import type { Reader } from "../../src/store/store.ts";
import { matches, type Person } from "../support/condition-evaluator.ts";
import type { Condition } from "../../src/audience/segments/condition/check.ts";
import type { Arrival, Relay } from "./relay.ts";
import { SEGMENTS, type Stage } from "./stage.ts";

type Rule = (stage: Stage, relay: Relay, reader: Reader) => Promise<readonly string[]>;

const RULES: Readonly<Record<string, Rule>> = {
  "one outcome": oneOutcome,
  "nothing accepted is lost, nothing unasked is there": allThatWasAsked,
  "only who bounced is refused": refusedForReason,
  "nothing leaves twice": nothingTwice,
  "nothing leaves by two ways": byOneWay,
  "campaigns add up": campaignsAddUp,
  "segments are what their conditions say": segmentsAreTrue,
  "executions end once": executionsEnd,
  "what happened is counted": allIsCounted,
};

export async function verdict(stage: Stage, relay: Relay): Promise<string[]> {
  const { installation, book } = stage;
  const found = await installation.store.read(async (reader) => {
    const faults: string[] = [];
    for (const [name, rule] of Object.entries(RULES))
      faults.push(...(await rule(stage, relay, reader)).map((fault) => `${name}: ${fault}`));
    return faults;
  });
  return [...book.faults, ...found];
}

type MailRow = {
  readonly id: string;
  readonly status: string;
  readonly due_at: string | null;
  readonly sent_at: string | null;
  readonly subject: string;
  readonly sent_events: number;
  readonly bounce_events: number;
};

function mailsOf(reader: Reader, workspace: number): Promise<MailRow[]> {
  return reader.all<MailRow>`
    select e.id, e.status, e.due_at, e.sent_at, c.subject,
      (select count(*) from events v where v.email = e.seq and v.name = 'email.sent') as sent_events,
      (select count(*) from events v where v.email = e.seq and v.name = 'email.bounce') as bounce_events
    from emails e join contents c on c.seq = e.content where e.workspace = ${workspace} order by e.seq`;
}

/** PERHAPS_DELIVERED: its last repeat was refused for good. */
const OVER = ["PERHAPS_DELIVERED", "SENT", "DELIVERED", "BOUNCED", "FAILED", "SKIPPED", "CANCELLED", "COMPLAINED"];

/**
 * A mail that two lives handed over may have been refused to the second, so an arrival alone is no proof that it was
 * recorded as sent.
 */
async function oneOutcome({ workspace }: Stage, { arrivals }: Relay, reader: Reader): Promise<string[]> {
  const mails = await mailsOf(reader, workspace);
  return mails.flatMap(({ id, status, due_at, sent_at, sent_events, bounce_events }) => {
    const times = arrivals.filter(({ mail }) => mail === id).length;
    return [
      ...(OVER.includes(status) && due_at === null ? [] : [`mail ${id} is still ${status}, due ${due_at}`]),
      ...(sent_events === (sent_at === null ? 0 : 1) ? [] : [`mail ${id} has ${sent_events} events email.sent`]),
      ...(bounce_events <= 1 ? [] : [`mail ${id} has ${bounce_events} events email.bounce`]),
      ...(sent_at !== null && times === 0 ? [`mail ${id} is ${status} and never arrived`] : []),
      ...(status === "BOUNCED" && sent_at === null && bounce_events !== 1 ? [`mail ${id} bounced without event`] : []),
    ];
  });
}

async function allThatWasAsked({ workspace, book }: Stage, _: Relay, reader: Reader): Promise<string[]> {
  const mails = await mailsOf(reader, workspace);
  return book.sendings.flatMap(({ subject, recipients, mails: answered, refusedFor }) => {
    const found = mails.filter((mail) => mail.subject === subject);
    const there = found.map(({ id }) => id);
    if (answered === null)
      return there.length === 0 || there.length === recipients
        ? []
        : [`${there.length} of ${recipients} mails of the unanswered ${subject}`];
    const unasked = there.filter((id) => !answered.includes(id));
    const lost = answered.filter((id) => !there.includes(id));
    const cancelled = found.filter(({ status }) => status === "CANCELLED").map(({ id }) => id);
    const wrong = [
      ...cancelled.filter((id) => !book.maybeTakenBack.has(id)),
      ...there.filter((id) => book.takenBack.has(id) && !cancelled.includes(id)),
    ];
    return [
      ...unasked.map((id) => `mail ${id} of ${subject} was not in its answer`),
      ...lost.map((id) => `mail ${id} of ${subject} was accepted and is gone`),
      ...wrong.map((id) => `mail ${id} of ${subject} is CANCELLED and was not cancelled, or the other way round`),
      ...(answered.length === (refusedFor === undefined ? recipients : 0)
        ? []
        : [`${subject} was answered with ${answered.length} mails`]),
    ];
  });
}

/** A complaint keeps marketing mail alone from somebody, and each sending here is transactional. */
async function refusedForReason({ workspace, book }: Stage, _: Relay, reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ email: string }>`
    select distinct to_address as email from emails where workspace = ${workspace} and bounced_at is not null`;
  const bounced = new Set(rows.map(({ email }) => email));
  return book.sendings.flatMap(({ subject, refusedFor = [] }) =>
    refusedFor.filter((email) => !bounced.has(email)).map((email) => `${subject} was refused for ${email}`),
  );
}

/** Short of a crash between the hand-over and its record; what was recorded when a life began does not leave in it. */
async function nothingTwice({ recordedBefore }: Stage, { arrivals }: Relay): Promise<string[]> {
  const faults: string[] = [];
  const seen = new Map<string, Arrival>();
  for (const arrival of arrivals) {
    const { mail, life, messageId } = arrival;
    const before = seen.get(mail);
    // A late repeat.
    if (before?.isUnknown) {
      seen.set(mail, arrival);
      continue;
    }
    if (before?.life === life) faults.push(`mail ${mail} left twice in one life`);
    else if (before && !hasDied(before.life, life)) faults.push(`mail ${mail} left twice, and nobody had died`);
    if (recordedBefore(mail, life)) faults.push(`mail ${mail} left again after it had been recorded`);
    if (before && before.messageId !== messageId)
      faults.push(`mail ${mail} left as ${before.messageId} and ${messageId}`);
    seen.set(mail, arrival);
  }
  return faults;
}

/** A mail that one way has, or may have, is given to no other one, unless who knew that has died. */
async function byOneWay(_: Stage, { taken }: Relay): Promise<string[]> {
  const last = new Map<string, Arrival>();
  return taken.flatMap((arrival) => {
    const before = last.get(arrival.mail);
    last.set(arrival.mail, arrival);
    if (!before || before.way === arrival.way || hasDied(before.life, arrival.life)) return [];
    return [`mail ${arrival.mail} went by ${before.way} and by ${arrival.way}`];
  });
}

/** Whether what handed a mail over in one life had died before another one did so again; a companion never dies. */
function hasDied(before: number, again: number): boolean {
  return Number.isInteger(before) && before !== Math.floor(again);
}

async function campaignsAddUp(stage: Stage, { arrivals }: Relay, reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ seq: number; id: string; status: string }>`
    select seq, id, status from campaigns where workspace = ${stage.workspace}`;
  const faults: string[] = [];
  for (const { seq, id, status } of rows) {
    if (!["DRAFT", "SENT", "CANCELLED"].includes(status)) faults.push(`campaign ${id} is still ${status}`);
    const { data } = await stage.mustDo(`GET /campaigns/${id}/stats`);
    const parts = ["pending", "queued", "sent", "refused", "perhapsDelivered", "failed", "skipped", "cancelled"];
    const sum = parts.reduce((total, part) => total + data[`${part}Count`], 0);
    if (sum !== data.totalRecipients) faults.push(`campaign ${id}: ${JSON.stringify(data)}`);
    if (data.pendingCount + data.queuedCount > 0) faults.push(`campaign ${id} still waits: ${JSON.stringify(data)}`);
    const people = await reader.all<{ contact: number; mails: number }>`
      select contact, count(*) as mails from emails where campaign = ${seq} group by contact`;
    const twice = people.filter(({ mails }) => mails > 1);
    faults.push(...twice.map(({ contact, mails }) => `campaign ${id} has ${mails} mails to contact ${contact}`));
    const sent = await reader.all<{
      id: string;
    }>`select id from emails where campaign = ${seq} and sent_at is not null`;
    const never = sent.filter((mail) => !arrivals.some((arrival) => arrival.mail === mail.id));
    if (never.length > 0) faults.push(`campaign ${id} counts ${never.length} mails that never left`);
  }
  return faults;
}

type ContactRow = Omit<Person, "subscribed" | "data" | "events" | "createdAt" | "updatedAt"> & {
  readonly subscribed: number;
  readonly data: string;
  readonly created_at: string;
  readonly updated_at: string;
};

async function peopleOf(reader: Reader, workspace: number): Promise<Person[]> {
  const rows = await reader.all<ContactRow>`
    select seq, email, subscribed, status, json(data) as data, created_at, updated_at from contacts where workspace = ${workspace}`;
  const events = await reader.all<{ contact: number; name: string; at: string }>`
    select contact, name, created_at as at from events where workspace = ${workspace} and contact is not null order by seq`;
  return rows.map(({ created_at: createdAt, updated_at: updatedAt, subscribed, data, ...row }) => ({
    ...{ ...row, createdAt, updatedAt, subscribed: subscribed === 1, data: JSON.parse(data) },
    events: events.filter(({ contact }) => contact === row.seq),
  }));
}

/** Also in the story that its events tell: who entered last is in, who left last is out. */
async function segmentsAreTrue({ workspace, installation }: Stage, _: Relay, reader: Reader): Promise<string[]> {
  const people = await peopleOf(reader, workspace);
  const faults: string[] = [];
  for (const { name, condition } of SEGMENTS) {
    const [segment] = await reader.all<{ seq: number; slug: string; member_count: number }>`
      select seq, slug, member_count from segments where workspace = ${workspace} and name = ${name}`;
    if (!segment) return [`segment ${name} is gone`];
    const rows = await reader.all<{
      contact: number;
    }>`select contact from segment_members where segment = ${segment.seq}`;
    const members = new Set(rows.map(({ contact }) => contact));
    if (segment.member_count !== members.size)
      faults.push(`${name} counts ${segment.member_count}, has ${members.size}`);
    for (const person of people) {
      const isIn = members.has(person.seq);
      if (matches(person, condition as unknown as Condition, installation.clock.nowMs()) !== isIn)
        faults.push(`${person.email} is ${isIn ? "" : "not "}in ${name}`);
      faults.push(...storyOf(person, segment.slug, isIn));
    }
  }
  return faults;
}

function storyOf({ events, email }: Person, slug: string, isIn: boolean): string[] {
  const moves = events
    .filter(({ name }) => name.startsWith(`segment.${slug}.`))
    .map(({ name }) => name.endsWith("entry"));
  const isSound = moves.every((entered, index) => entered === (index % 2 === 0)) && (moves.at(-1) ?? false) === isIn;
  return isSound ? [] : [`${email} entered and left ${slug}: ${moves.join()}, and is ${isIn ? "in" : "out"}`];
}

async function executionsEnd({ workspace, book }: Stage, _: Relay, reader: Reader): Promise<string[]> {
  const rows = await reader.all<{
    id: string;
    status: string;
    ended_at: string | null;
    once: number | null;
    email: string;
  }>`
    select x.id, x.status, x.ended_at, x.once, c.email from executions x join contacts c on c.seq = x.contact
    where x.workspace = ${workspace}`;
  const [steps] = await reader.all<{ mails: number; open: number }>`
    select sum(case when json_extract(s.output, '$.emailId') is not null then 1 else 0 end) as mails,
      sum(case when s.status = 'WAITING' then 1 else 0 end) as open
    from execution_steps s join executions x on x.seq = s.execution where x.workspace = ${workspace}`;
  const [mails] = await reader.all<{ count: number }>`
    select count(*) as count from emails where workspace = ${workspace} and source_type = 'WORKFLOW'`;
  const running = rows.filter(({ status, ended_at }) => ended_at === null || ["RUNNING", "WAITING"].includes(status));
  const failed = rows.filter(({ status }) => status === "FAILED");
  const missing = [...book.signedUp].filter(
    (email) => rows.filter((row) => row.email === email && row.once === 1).length !== 1,
  );
  return [
    ...running.map(({ id, status }) => `execution ${id} is still ${status}`),
    ...failed.map(({ id }) => `execution ${id} failed`),
    ...missing.map((email) => `${email} signed up and is not once in the workflow that takes everybody once`),
    ...((steps?.mails ?? 0) === mails?.count ? [] : [`steps name ${steps?.mails} mails of ${mails?.count}`]),
    ...((steps?.open ?? 0) === 0 ? [] : [`${steps?.open} steps wait for nothing`]),
  ];
}

async function allIsCounted({ workspace }: Stage, _: Relay, reader: Reader): Promise<string[]> {
  const [kept] = await reader.all<Record<string, number>>`
    select coalesce(sum(sent), 0) as sent, coalesce(sum(hard_bounced + soft_bounced), 0) as bounced,
      coalesce(sum(complained), 0) as complained, coalesce(sum(opened), 0) as opened, coalesce(sum(delivered), 0) as delivered,
      coalesce(sum(accepted - cancelled), 0) as stayed, coalesce(sum(failed), 0) as failed, coalesce(sum(skipped), 0) as skipped
    from mail_counts where workspace = ${workspace}`;
  const [true_] = await reader.all<Record<string, number>>`
    select sum(case when name = 'email.sent' then 1 else 0 end) as sent, sum(case when name = 'email.bounce' then 1 else 0 end) as bounced,
      sum(case when name = 'email.complaint' then 1 else 0 end) as complained, sum(case when name = 'email.open' and json_extract(data, '$.isFirstOpen') then 1 else 0 end) as opened,
      sum(case when name = 'email.delivery' then 1 else 0 end) as delivered,
      (select count(*) from emails where workspace = ${workspace} and status <> 'CANCELLED') as stayed,
      (select count(*) from emails where workspace = ${workspace} and skipped_at is not null) as skipped,
      (select count(*) from emails where workspace = ${workspace} and failed_at is not null) as failed
    from events where workspace = ${workspace}`;
  const wrong = Object.keys(kept ?? {}).filter((what) => kept?.[what] !== (true_?.[what] ?? 0));
  return wrong.map((what) => `${kept?.[what]} ${what} are counted, there were ${true_?.[what]}`);
}
