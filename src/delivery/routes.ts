// /emails/{id}/raw: the message as it leaves or left, composed again from what was kept.
import { Elysia } from "elysia";
import { findEmail } from "../emails/email.ts";
import { attachmentsOf } from "../emails/queries.ts";
import { answers, content } from "../http/answers.ts";
import { idParams } from "../http/schemas.ts";
import { secretKey, type Gate } from "../workspaces/auth.ts";
import type { Carriers } from "./carriers.ts";
import { handoverOf, type HandoverOptions } from "./handover.ts";

export function rawMailRoutes(gate: Gate, carriers: Carriers, options: HandoverOptions) {
  return new Elysia({ prefix: "/emails" }).use(secretKey(gate)).get(
    "/:id/raw",
    async ({ params, caller }) => {
      const [mail, attachments] = await gate.store.read(async (reader) => {
        const found = await findEmail(reader, caller.workspace, params.id);
        return [found, await attachmentsOf(reader, found.content)] as const;
      });
      const atMs = Date.parse(mail.attempted_at ?? mail.created_at);
      const raw = await carriers.raw(handoverOf(mail, attachments, atMs, options));
      return new Response(new Uint8Array(raw), { headers: { "content-type": "message/rfc822" } });
    },
    {
      params: idParams,
      detail: answers(
        "The message as it leaves or left",
        { 200: content("message/rfc822") },
        { refuses: ["EMAIL_NOT_FOUND"] },
      ),
    },
  );
}
