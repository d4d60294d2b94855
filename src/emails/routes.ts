// /v1/send and /emails (interface.md "POST /v1/send", interface-gaps.md §2).
import { Elysia, t } from "elysia";
import { eventsOfEmail } from "../events/queries.ts";
import { idShape, pageShapeOf, timeShape, wrapped } from "../http/answer-shapes.ts";
import { answers } from "../http/answers.ts";
import { answerOnce } from "../http/idempotency.ts";
import { success } from "../http/replies.ts";
import { idParams, pageShape } from "../http/schemas.ts";
import { asBody, asQuery } from "../http/shape.ts";
import { pageFrom, readingOf } from "../store/page.ts";
import type { Tx } from "../store/store.ts";
import { secretKey, secretKeyWithAttachments, type Access } from "../workspaces/auth.ts";
import { findEmail, takeBack } from "./email.ts";
import { machineVisits } from "./engagement-queries.ts";
import { attemptsOf, countMails, mailsPage } from "./queries.ts";
import { emailRecord, emailShape, emailStatusShape, timeline, timelineShape } from "./record.ts";
import { returnPathOf, type ReturnPathOptions } from "./return-path.ts";
import { readSendRequest } from "./send-request.ts";
import { sendShape } from "./send-shape.ts";
import { send } from "./send.ts";

const listing = t.Object({ ...pageShape, status: t.Optional(emailStatusShape) });

const sent = t.Object({ contact: t.Object({ id: idShape, email: t.String() }), email: idShape });
const queued = wrapped(t.Object({ emails: t.Array(sent), timestamp: timeShape }));
const withTimeline = t.Object({ ...emailShape.properties, timeline: timelineShape });
const refusedSends = [
  "DOMAIN_NOT_VERIFIED",
  "DOMAIN_NOT_ALLOWED",
  "TEMPLATE_NOT_FOUND",
  "CONTACT_UNSUBSCRIBED",
  "MARKETING_STOPPED",
] as const;

export function sendRoutes(access: Access) {
  const { store, clock } = access;
  return new Elysia().use(secretKeyWithAttachments(access)).post(
    "/v1/send",
    ({ body, caller, request, set }) => {
      const wish = readSendRequest(body, clock.nowMs());
      const work = async (tx: Tx) => success({ emails: await send(tx, caller, wish), timestamp: tx.now });
      const about = ({ data }: Awaited<ReturnType<typeof work>>) => data.emails.map(({ contact }) => contact.id);
      return answerOnce(store, { body, caller, request, set, about }, work, 200);
    },
    {
      body: asBody(sendShape),
      detail: answers("Queue a mail for up to 50 recipients", { 200: queued }, { refuses: refusedSends }),
    },
  );
}

export function emailRoutes(access: Access, returnPath: ReturnPathOptions) {
  const { store } = access;
  return new Elysia({ prefix: "/emails" })
    .use(secretKey(access))
    .get(
      "",
      ({ query, caller }) => {
        const { workspace } = caller;
        const filter = { workspace, status: query.status ?? null };
        return pageFrom(query, {
          total: () => store.read((reader) => countMails(reader, filter), { longFor: workspace }),
          items: async (limit, offset) => {
            const reading = filter.status === null ? readingOf(workspace, offset) : { longFor: workspace };
            const mails = await store.read((reader) => mailsPage(reader, filter, limit, offset), reading);
            return mails.map((mail) => emailRecord(mail, returnPathOf(returnPath, mail)));
          },
        });
      },
      { query: asQuery(listing), detail: answers("List mails, newest first", { 200: pageShapeOf(emailShape) }) },
    )
    .get(
      "/:id",
      ({ params, caller }) =>
        store.read(async (reader) => {
          const mail = await findEmail(reader, caller.workspace, params.id);
          const past = {
            attempts: await attemptsOf(reader, mail.seq),
            events: await eventsOfEmail(reader, mail.seq),
            machineVisits: await machineVisits(reader, mail.seq),
          };
          return { ...emailRecord(mail, returnPathOf(returnPath, mail)), timeline: timeline(mail, past) };
        }),
      {
        params: idParams,
        detail: answers("Look at a mail and its timeline", { 200: withTimeline }, { refuses: ["EMAIL_NOT_FOUND"] }),
      },
    )
    .delete(
      "/:id",
      async ({ params, caller, set }) => {
        await store.write((tx) => takeBack(tx, caller.workspace, params.id));
        set.status = 204;
      },
      {
        params: idParams,
        detail: answers("Take back a mail", { 204: null }, { refuses: ["EMAIL_NOT_FOUND", "EMAIL_STATE"] }),
      },
    );
}
