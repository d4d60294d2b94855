// GET /emails: in pages with a total, as in its first form, or by cursor with filters.
import { t } from "elysia";
import { iso } from "../../../base/clock.ts";
import { invalidParameters } from "../../../base/errors.ts";
import { countShape, idShape, nullable, pageShapeOf } from "../../../http/answer-shapes.ts";
import { labelFilters } from "../../../http/label-shapes.ts";
import { idInputShape, pageShape, parameter, shownAs, timeInputShape, wholeNumber } from "../../../http/schemas.ts";
import { pageFrom, readingOf } from "../../../store/page.ts";
import type { Store } from "../../../store/store.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { route, routes } from "../../../tenant/access/route-table.ts";
import { countMails, mailsPage, type ToldMail } from "../queries.ts";
import { emailRecord } from "../record.ts";
import { REFUSED_STATES } from "../refusals/reason.ts";
import { returnPathOf, type ReturnPathOptions } from "../return-path.ts";
import {
  emailShape,
  emailStatusShape,
  STATUSES,
  MOST_STATUSES,
  happeningShape,
  providerShape,
  reasonShape,
  sourceTypeShape,
} from "../shape.ts";
import { readFilter } from "./filter.ts";
import { countReasons, listMails } from "./list.ts";

const DEFAULT_LIMIT = 20;
const SEARCH =
  "The beginning of an address, a part of the subject, or exactly the id, Message-ID, remoteId or request id.";

const filters = {
  search: parameter(t.String({ minLength: 1, maxLength: 255 }), SEARCH),
  status: parameter(
    t.Array(emailStatusShape, { minItems: 1, maxItems: MOST_STATUSES }),
    "Only emails in one of these states: repeated, or with commas.",
  ),
  held: parameter(t.Boolean(), "`true`: only emails that are held back. `false`: only QUEUED emails that are not."),
  retrying: parameter(
    t.Boolean(),
    "Only QUEUED emails. `true`: those that failed for now and are tried again. `false`: those that were not tried yet.",
  ),
  scheduled: parameter(
    t.Boolean(),
    "Only QUEUED emails. `true`: those that wait for the time they were scheduled for. `false`: the others.",
  ),
  keyId: parameter(idInputShape, "Only emails that a key of this set sent."),
  sourceType: parameter(sourceTypeShape, "Only emails of this kind."),
  contactId: parameter(idInputShape, "Only emails to this contact, or from it."),
  campaignId: parameter(idInputShape, "Only emails of this campaign."),
  group: parameter(idInputShape, "Only emails of this group, which got one message."),
  templateId: parameter(
    shownAs(t.String({ minLength: 1, maxLength: 100 }), idShape),
    "Only emails made of this template.",
  ),
  workflowId: parameter(idInputShape, "Only emails that this workflow has sent."),
  stepId: parameter(idInputShape, "Only emails that this step has sent; with its `workflowId`."),
  domain: parameter(t.String({ minLength: 1, maxLength: 255 }), "Only emails from this sender domain."),
  ...labelFilters,
  way: parameter(
    t.String({ minLength: 1, maxLength: 30 }),
    "Only emails that this sending route took, such as `default`.",
  ),
  provider: parameter(providerShape, "Only emails to mailboxes of this provider; `other`: of none that is known."),
  reason: parameter(reasonShape, "Only FAILED and BOUNCED emails that were refused for this reason."),
  failedSince: parameter(
    timeInputShape,
    "Only emails that failed then or later; FAILED ones, unless `status` is given.",
  ),
  happened: parameter(
    happeningShape,
    "Only emails to which this has happened, whatever came after it; `since` and `until` are then about its time.",
  ),
  since: parameter(
    timeInputShape,
    "Only emails accepted then or later; with `happened`, to which it happened then or later.",
  ),
  until: parameter(timeInputShape, "Only emails accepted before; with `happened`, to which it happened before."),
};
const listing = t.Object({
  ...pageShape,
  limit: parameter(
    wholeNumber(1, 100),
    "Reads the list by cursor, with so many emails on a page at most; with filters 20 unless given.",
  ),
  cursor: parameter(t.String({ maxLength: 100 }), "The `cursor` of the page before."),
  ...filters,
});
type MailListQuery = typeof listing.static;

export const byCursor = t.Object(
  { data: t.Array(emailShape), cursor: nullable(t.String()), hasMore: t.Boolean() },
  { title: "EmailList" },
);

const refused = ["CONTACT_NOT_FOUND", "CAMPAIGN_NOT_FOUND"] as const;

export function emailListRoutes({ store, ...access }: Access, returnPath: ReturnPathOptions) {
  const mailRecord = (mail: ToldMail) => emailRecord(mail, returnPathOf(returnPath, mail));
  const list = route(
    "GET",
    "/emails",
    {
      name: "listEmails",
      summary: "List emails, newest first",
      answers: { 200: t.Union([pageShapeOf(emailShape), byCursor]) },
      permission: "read",
      query: listing,
      refuses: refused,
      description:
        "Without filters, or with one status, the answer is a page with a total. With `limit`, `cursor` or any other filter the list is read by cursor. Such a page may have fewer emails than `limit`, or none, while `hasMore` is true: go on with its `cursor`.",
    },
    async ({ query, caller: { workspace } }) => {
      if (isPaged(query)) return pageOf(store, workspace, query, mailRecord);
      refusePages(query);
      const filter = await store.read((reader) => readFilter(reader, workspace, asInput(query, store)));
      const { limit = DEFAULT_LIMIT, cursor = null, search = "" } = query;
      const { mails, ...rest } = await listMails(store, filter, { limit, cursor, search: search.trim() });
      return { data: mails.map(mailRecord), ...rest };
    },
  );
  const counted = route(
    "GET",
    "/emails/reasons",
    {
      name: "countEmailReasons",
      summary: "Count emails by the reason for which they were refused",
      answers: {
        200: t.Object(
          {
            reasons: t.Array(t.Object({ reason: reasonShape, count: countShape })),
            isLowerBound: t.Boolean({
              description: "There are more emails than the newest 3,000, which were counted.",
            }),
          },
          { title: "EmailReasons" },
        ),
      },
      permission: "read",
      query: t.Object(filters),
      refuses: refused,
      description: "Of FAILED and BOUNCED emails, the most frequent first; with the filters of `GET /emails`.",
    },
    async ({ query, caller: { workspace } }) => {
      const asked = { ...asInput(query, store), status: query.status ?? REFUSED_STATES };
      const filter = await store.read((reader) => readFilter(reader, workspace, asked));
      const { counts, isLowerBound } = await countReasons(store, filter, (query.search ?? "").trim());
      return { reasons: [...counts], isLowerBound };
    },
  );
  const byStatus = route(
    "GET",
    "/emails/counts",
    {
      name: "countEmails",
      summary: "Count emails by their state",
      answers: {
        200: t.Object(
          { counts: t.Array(t.Object({ status: emailStatusShape, count: countShape })) },
          { title: "EmailCounts" },
        ),
      },
      permission: "read",
      query: t.Object({
        status: parameter(
          t.Array(emailStatusShape, { minItems: 1, maxItems: MOST_STATUSES }),
          "The states to count, repeated or with commas; all of them unless given.",
        ),
      }),
      refuses: [],
      description: "All emails of the workspace in each of these states, in the order in which they were asked for.",
    },
    ({ query: { status }, caller: { workspace } }) =>
      store.read(
        async (reader) => {
          const counts = [];
          for (const one of new Set(status ?? STATUSES))
            counts.push({ status: one, count: await countMails(reader, { workspace, status: one }) });
          return { counts };
        },
        { longFor: workspace },
      ),
  );
  return routes({ store, ...access }, [list, counted, byStatus]);
}

function asInput<Asked extends { readonly scheduled?: boolean }>({ scheduled, ...query }: Asked, { clock }: Store) {
  return { ...query, scheduled: scheduled === undefined ? null : { is: scheduled, at: iso(clock.nowMs()) } };
}

/** Whether it is a query of the list's first form, without filters. */
function isPaged({ page: _, pageSize: __, status, ...others }: MailListQuery): boolean {
  return (status?.length ?? 1) === 1 && Object.values(others).every((value) => value === undefined);
}

/** @throws AppError INVALID_PARAMETERS */
function refusePages(query: MailListQuery): void {
  const message = "A list with filters has no numbered pages: give limit and cursor.";
  const errors = (["page", "pageSize"] as const)
    .filter((field) => query[field] !== undefined)
    .map((field) => ({ field, message, code: "conflict" }));
  if (errors.length > 0) throw invalidParameters(errors);
}

function pageOf(store: Store, workspace: number, query: MailListQuery, record: (mail: ToldMail) => unknown) {
  const filter = { workspace, status: query.status?.[0] ?? null };
  return pageFrom(query, {
    total: () => store.read((reader) => countMails(reader, filter), { longFor: workspace }),
    items: async (limit, offset) => {
      const reading = filter.status === null ? readingOf(workspace, offset) : { longFor: workspace };
      return (await store.read((reader) => mailsPage(reader, filter, limit, offset), reading)).map(record);
    },
  });
}
