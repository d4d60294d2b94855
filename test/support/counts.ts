// Kept counts against what they count, contacts and mails: held after every test that has a server.
import { expect } from "bun:test";
import { COUNTED } from "../../src/tenant/events/catalog.ts";
import type { CountSums } from "../../src/mail/statistics/increments.ts";
import { Sql } from "../../src/store/sql.ts";
import type { Store } from "../../src/store/store.ts";

type Counts = { readonly workspace: number; readonly total: number; readonly subscribed: number };

/** What is kept must be what is there, in every workspace. */
export async function expectTrueCounts(store: Store): Promise<void> {
  const kept = await store.read(
    (reader) => reader.all<Counts>`
      select workspace, cast(sum(total) as bigint) as total, cast(sum(subscribed) as bigint) as subscribed
      from contact_counts group by workspace having sum(total) <> 0 or sum(subscribed) <> 0 order by workspace`,
  );
  const counted = await store.read(
    (reader) => reader.all<Counts>`
      select workspace, count(*) as total, sum(subscribed) as subscribed from contacts
      where instr(email, '@') > 0 group by workspace order by workspace`,
  );
  expect(kept).toEqual(counted);
}

/** Which mails have come to what, as long as they are there. A soft bounce may have been followed by a hard one. */
const RECORDS: Readonly<Record<keyof CountSums, string>> = {
  accepted: "created_at is not null",
  sent: "sent_at is not null",
  delivered: "delivered_at is not null",
  failed: "failed_at is not null",
  hard_bounced: "bounced_at is not null and bounce_type = 'Permanent'",
  soft_bounced: "bounced_at is not null and bounce_type = 'Transient'",
  complained: "complained_at is not null",
  opened: "opened_at is not null",
  clicked: "clicked_at is not null",
  unsubscribed: "unsubscribed_at is not null",
  left_topic: "left_topic_at is not null",
  skipped: "skipped_at is not null",
  cancelled: "cancelled_at is not null",
};

/**
 * Every change of a mail, unless it went to the team, is in the sums, or will be: of mails that are gone as well, so
 * there may be more.
 */
export async function expectAllCounted(store: Store): Promise<void> {
  const columns = (column: (one: keyof CountSums) => string, between = ", ") =>
    new Sql([COUNTED.map((one) => column(one)).join(between)], []);
  const uncounted = await store.read(
    (reader) => reader.all`
      select r.*, ${columns((one) => `s.${one} as counted_${one}`)} from (
        select workspace, ${columns((one) => `sum(case when ${RECORDS[one]} then 1 else 0 end) as ${one}`)}
        from emails where source_type <> 'INBOUND' and content not in (select seq from contents where private = 1) group by workspace) as r
      left join (
        select workspace, ${columns((one) => `sum(${one}) as ${one}`)} from (
          select workspace, ${columns((one) => one)} from mail_counts
          union all
          select workspace, ${columns((one) => `case when what = '${one}' then times else 0 end`)} from mail_increments) as each_one
        group by workspace) as s on s.workspace = r.workspace
      where ${columns((one) => `r.${one} > coalesce(s.${one}, 0)`, " or ")}`,
  );
  expect(uncounted).toEqual([]);
}
