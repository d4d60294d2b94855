// /contacts/{id}/…: the history of one person, their standing, upcoming mail, all data about them, and their erasure.
import { t } from "elysia";
import { iso } from "../../base/clock.ts";
import { findContact } from "../../audience/contacts/contact.ts";
import { returnPathOf, type ReturnPathOptions } from "../../mail/emails/return-path.ts";
import { oneOf } from "../../http/answer-shapes.ts";
import { streamed } from "../../http/replies.ts";
import { parameter, wholeNumber } from "../../http/schemas.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { causeOf } from "../../tenant/access/caller.ts";
import { get, remove, route, routes } from "../../tenant/access/route-table.ts";
import { eraseContacts } from "./erasure.ts";
import { dataOf, type ContentOf } from "./export.ts";
import { exportShape, pageShape, summaryShape, upcomingShape } from "./record.ts";
import { summaryOf, upcomingFor } from "./standing.ts";
import { timelinePage } from "./timeline.ts";

const found = ["CONTACT_NOT_FOUND"] as const;
const DEFAULT_LIMIT = 50;

const listing = t.Object({
  kind: parameter(
    oneOf("MAIL", "EVENT", "CONSENT", "WORKFLOW", "CAMPAIGN"),
    "Only emails and what became of them, only events, only changes of consent, only workflows, or every campaign that was sent, with what it had for the contact.",
  ),
  limit: parameter(wholeNumber(1, 100, DEFAULT_LIMIT), "How many entries a page has at most."),
  cursor: parameter(
    t.String({ maxLength: 1000 }),
    "The `cursor` of the page before; `kind` must be the same as there.",
  ),
});

export type PeopleOptions = { readonly returnPath: ReturnPathOptions; readonly contentOf: ContentOf };

export function peopleRoutes(access: Access, { returnPath, contentOf }: PeopleOptions) {
  const { store, clock } = access;
  return routes(access, [
    get(
      "/contacts/:id/timeline",
      {
        name: "getContactTimeline",
        summary: "List what a contact has been through, newest first",
        answers: { 200: pageShape },
        permission: "read",
        query: listing,
        refuses: found,
        description:
          "Emails to and from the contact, events, changes of consent, workflows, and campaigns that left the contact out, in one list. With `kind=CAMPAIGN` each campaign is an entry, `state` is as for its recipients or `LEFT_OUT`, and `reason` says why it sent nothing: `unsubscribed`, `suppressed` or `pending` when it was sent, `topic` (it left the topic), `paused` (it paused), `joinedLater`, `notInAudience`, or `notRepeated` for one that went again to others; `matchesNow` says whether its audience would have the contact today. A page may be shorter than `limit` although `hasMore` is true.",
      },
      async (reader, { params, query, caller: { workspace } }) => {
        const contact = await findContact(reader, workspace, params.id);
        const { kind = null, cursor = null, limit = DEFAULT_LIMIT } = query;
        return timelinePage(reader, { workspace, contact, kind, cursor, limit, nowMs: clock.nowMs() });
      },
      "long",
    ),
    get(
      "/contacts/:id/summary",
      {
        name: "getContactSummary",
        summary: "Count a contact's emails, and list its segments and former addresses",
        answers: { 200: summaryShape },
        permission: "read",
        refuses: found,
      },
      async (reader, { params, caller: { workspace } }) =>
        summaryOf(reader, workspace, await findContact(reader, workspace, params.id)),
      "long",
    ),
    get(
      "/contacts/:id/upcoming",
      {
        name: "getContactUpcoming",
        summary: "List what a contact would get",
        answers: { 200: upcomingShape },
        permission: "read",
        refuses: found,
        description:
          "Scheduled campaigns whose audience the contact is in at this moment (the next 50; `excluded` says why one would send nothing), and workflows that the contact is in.",
      },
      async (reader, { params, caller: { workspace } }) =>
        upcomingFor(reader, workspace, await findContact(reader, workspace, params.id), clock.nowMs()),
      "long",
    ),
    route(
      "GET",
      "/contacts/:id/export",
      {
        name: "exportContact",
        summary: "Export all that is held about a contact",
        answers: { 200: exportShape },
        permission: "people.bulk",
        proof: true,
        refuses: found,
        description:
          "One JSON file: the contact, its former addresses and segments, its emails with what they say, its events, its workflows step by step, campaigns that left it out, its changes of consent, and notes about it.",
      },
      async ({ params, caller }) => {
        const { workspace } = caller;
        const contact = await store.read((reader) => findContact(reader, workspace, params.id));
        if (caller.note) await store.write(async (tx) => caller.note?.(tx, null));
        const whole = { store, workspace, caller, contact, contentOf, exportedAt: iso(clock.nowMs()) };
        const text = dataOf({ ...whole, returnPathOf: (mail) => returnPathOf(returnPath, mail) });
        return new Response(streamed(text), { headers: headersFor(contact.id) });
      },
    ),
    remove(
      "/contacts/:id",
      {
        name: "deleteContact",
        summary: "Erase a contact",
        answers: { 204: null },
        permission: "people.bulk",
        proof: true,
        refuses: found,
        description:
          "Deletes its emails, their contents and its events as well. A long history takes a few more seconds.",
      },
      (tx, { params, caller }) => eraseContacts(tx, caller.workspace, [params.id], { cause: causeOf(caller) }),
    ),
  ]);
}

function headersFor(id: string): Record<string, string> {
  return {
    "content-type": "application/json; charset=utf-8",
    "content-disposition": `attachment; filename="contact-${id}.json"`,
  };
}
