// /emails: the record of each mail.
import { t } from "elysia";
import { eventsOfEmail } from "../events/queries.ts";
import { pageShapeOf } from "../http/answer-shapes.ts";
import { answers } from "../http/answers.ts";
import { pageShape, parameter } from "../http/schemas.ts";
import { pageFrom, readingOf } from "../store/page.ts";
import type { Access } from "../workspaces/auth.ts";
import { get, remove, route, routes } from "../workspaces/route-table.ts";
import { findEmail, takeBack } from "./email.ts";
import { machineVisits } from "./feedback-queries.ts";
import { attemptsOf, countMails, mailsPage } from "./queries.ts";
import { emailRecord, timeline } from "./record.ts";
import { returnPathOf, type ReturnPathOptions } from "./return-path.ts";
import { emailShape, emailStatusShape, timelineShape } from "./shape.ts";

const listed = answers(
  "listEmails",
  "List mails, newest first",
  { 200: pageShapeOf(emailShape) },
  {
    permission: "read",
    query: t.Object({ ...pageShape, status: parameter(emailStatusShape, "Only mails in this state.") }),
  },
);
const shown = answers(
  "getEmail",
  "Get a mail and its timeline",
  { 200: t.Object({ ...emailShape.properties, timeline: timelineShape }) },
  { permission: "read", refuses: ["EMAIL_NOT_FOUND"] },
);
const takenBack = answers(
  "cancelEmail",
  "Cancel a queued mail",
  { 204: null },
  {
    permission: "mail.send",
    refuses: ["EMAIL_NOT_FOUND", "EMAIL_STATE"],
    description: "A mail that is no longer QUEUED cannot be cancelled.",
  },
);

export function emailRoutes(access: Access, returnPath: ReturnPathOptions) {
  const { store } = access;
  return routes(access, [
    route("GET", "/emails", listed, ({ query, caller: { workspace } }) => {
      const filter = { workspace, status: query.status ?? null };
      return pageFrom(query, {
        total: () => store.read((reader) => countMails(reader, filter), { longFor: workspace }),
        items: async (limit, offset) => {
          const reading = filter.status === null ? readingOf(workspace, offset) : { longFor: workspace };
          const mails = await store.read((reader) => mailsPage(reader, filter, limit, offset), reading);
          return mails.map((mail) => emailRecord(mail, returnPathOf(returnPath, mail)));
        },
      });
    }),
    get("/emails/:id", shown, async (reader, { params, caller }) => {
      const mail = await findEmail(reader, caller.workspace, params.id);
      const past = {
        attempts: await attemptsOf(reader, mail.seq),
        events: await eventsOfEmail(reader, mail.seq),
        machineVisits: await machineVisits(reader, mail.seq),
      };
      return { ...emailRecord(mail, returnPathOf(returnPath, mail)), timeline: timeline(mail, past) };
    }),
    remove("/emails/:id", takenBack, (tx, { params, caller }) => takeBack(tx, caller.workspace, params.id)),
  ]);
}
