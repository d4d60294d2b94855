// /emails/{id}: the record of each mail. The list is in list/routes.ts.
import { t } from "elysia";
import { eventsOfEmail } from "../events/queries.ts";
import { answers } from "../http/answers.ts";
import type { Access } from "../workspaces/auth.ts";
import { get, remove, routes } from "../workspaces/route-table.ts";
import { findEmail, takeBack } from "./email.ts";
import { machineVisits } from "./feedback-queries.ts";
import { attemptsOf } from "./queries.ts";
import { emailRecord, timeline } from "./record.ts";
import { returnPathOf, type ReturnPathOptions } from "./return-path.ts";
import { emailShape, timelineShape } from "./shape.ts";

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
  return routes(access, [
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
