// /emails/{id}/raw: the message as it leaves or left, composed again from its record; or as it came in, byte by byte.
import { findEmail, isErased } from "../emails/email.ts";
import { mailBySeq, type MailToSend } from "../emails/queries.ts";
import { slicesOf } from "../emails/receive.ts";
import { AppError } from "../errors.ts";
import { answers, content } from "../http/answers.ts";
import { streamed } from "../http/replies.ts";
import type { Store } from "../store/store.ts";
import { isOverBudget } from "../templates/budget.ts";
import type { Access } from "../workspaces/auth.ts";
import { route, routes } from "../workspaces/route-table.ts";
import type { Carriers } from "./carrier/carriers.ts";
import { handoverOf, type HandoverOptions } from "./carrier/handover.ts";
import { partsOf } from "./carrier/large-parts.ts";

const MESSAGE = { headers: { "content-type": "message/rfc822" } };

const shown = answers(
  "getRawEmail",
  "Get the whole message of a mail",
  { 200: content("message/rfc822") },
  { permission: "read", refuses: ["EMAIL_NOT_FOUND", "EMAIL_STATE"] },
);

export function rawMailRoutes(access: Access, carriers: Carriers, options: HandoverOptions) {
  const { store } = access;
  return routes(access, [
    route("GET", "/emails/:id/raw", shown, async ({ params, caller: { workspace } }) => {
      const { seq, status, content } = await store.read((reader) => findEmail(reader, workspace, params.id));
      if (status === "RECEIVED") return new Response(streamed(slicesOf(store, { workspace, content })), MESSAGE);
      const mail = await store.read((reader) => mailBySeq(reader, seq));
      if (!mail) throw new AppError("EMAIL_NOT_FOUND", `There is no e-mail ${params.id}.`);
      return new Response(new Uint8Array(await composed(store, mail, carriers, options)), MESSAGE);
    }),
  ]);
}

/** @throws AppError EMAIL_NOT_FOUND if somebody whom it names was erased, EMAIL_STATE if it cannot be composed */
async function composed(store: Store, mail: MailToSend, carriers: Carriers, options: HandoverOptions): Promise<Buffer> {
  if (isErased(mail)) throw gone("its recipient has been erased");
  const parts = await partsOf(store, mail);
  if (mail.messageId !== null && parts.raw === null) throw gone("a person whom it names has been erased");
  const atMs = Date.parse(mail.attemptedAt ?? mail.createdAt);
  return carriers.raw(handoverOf(mail, parts, atMs, options)).catch(refuseOverBudget);
}

function gone(why: string): AppError {
  return new AppError("EMAIL_NOT_FOUND", `The message is gone: ${why}.`);
}

/** A mail that failed because of it has no message. @throws AppError EMAIL_STATE */
function refuseOverBudget(error: unknown): never {
  if (!isOverBudget(error)) throw error;
  throw new AppError("EMAIL_STATE", `The mail cannot be composed: ${error.message}`, {
    suggestion: "Shorten the loops of its template and send it again.",
  });
}
