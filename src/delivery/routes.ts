// /emails/{id}/raw: the message as it leaves or left, composed again from what was kept; or as it came in, byte by byte.
import { Elysia } from "elysia";
import { findEmail, isErased } from "../emails/email.ts";
import { mailBySeq } from "../emails/queries.ts";
import { slicesOf } from "../emails/received.ts";
import { AppError } from "../errors.ts";
import { answers, content } from "../http/answers.ts";
import { idParams } from "../http/schemas.ts";
import { streamed } from "../http/streamed.ts";
import { isOverBudget } from "../templates/budget.ts";
import { secretKey, type Access } from "../workspaces/auth.ts";
import type { Carriers } from "./carriers.ts";
import { handoverOf, type HandoverOptions } from "./handover.ts";
import { partsOf } from "./large-parts.ts";

const MESSAGE = { "content-type": "message/rfc822" };

export function rawMailRoutes(access: Access, carriers: Carriers, options: HandoverOptions) {
  return new Elysia({ prefix: "/emails" }).use(secretKey(access)).get(
    "/:id/raw",
    async ({ params, caller }) => {
      const { seq, ...found } = await access.store.read((reader) => findEmail(reader, caller.workspace, params.id));
      if (found.status === "RECEIVED")
        return new Response(streamed(slicesOf(access.store, { workspace: caller.workspace, content: found.content })), {
          headers: MESSAGE,
        });
      const mail = await access.store.read((reader) => mailBySeq(reader, seq));
      if (!mail) throw new AppError("EMAIL_NOT_FOUND", `There is no e-mail ${params.id}.`);
      if (isErased(mail))
        throw new AppError("EMAIL_NOT_FOUND", "The message is gone: the person to whom it went has been erased.");
      const parts = await partsOf(access.store, mail);
      if (mail.message_id !== null && parts.raw === null)
        throw new AppError("EMAIL_NOT_FOUND", "The message is gone: somebody whom it named has been erased.");
      const atMs = Date.parse(mail.attempted_at ?? mail.created_at);
      const raw = await carriers.raw(handoverOf(mail, parts, atMs, options)).catch(refuseOverBudget);
      return new Response(new Uint8Array(raw), { headers: MESSAGE });
    },
    {
      params: idParams,
      detail: answers(
        "The message as it leaves, left, or came in",
        { 200: content("message/rfc822") },
        { refuses: ["EMAIL_NOT_FOUND", "EMAIL_STATE"] },
      ),
    },
  );
}

/** Of a mail that failed for it there is no message. @throws AppError EMAIL_STATE */
function refuseOverBudget(error: unknown): never {
  if (!isOverBudget(error)) throw error;
  throw new AppError("EMAIL_STATE", `The mail cannot be composed: ${error.message}`, {
    suggestion: "Shorten the loops of its template and send it again.",
  });
}
