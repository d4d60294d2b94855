// /emails/{id}/raw: the message as it leaves or left, composed again from its record; or an incoming one, byte by byte.
import { refuseGone } from "../../mail/emails/content/gone.ts";
import { findEmail } from "../../mail/emails/email.ts";
import { slicesOf } from "../../mail/emails/receive.ts";
import { content } from "../../http/answers.ts";
import { streamed } from "../../http/replies.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { route, routes } from "../../tenant/access/route-table.ts";
import type { Composer } from "./composed.ts";

const MESSAGE = { headers: { "content-type": "message/rfc822" } };

export function rawMailRoutes(access: Access, compose: Composer) {
  const { store } = access;
  return routes(access, [
    route(
      "GET",
      "/emails/:id/raw",
      {
        name: "getRawEmail",
        summary: "Get the whole message of an email",
        answers: { 200: content("message/rfc822") },
        permission: "read",
        refuses: ["EMAIL_NOT_FOUND", "EMAIL_STATE", "CONTENT_GONE"],
      },
      async ({ params, caller: { workspace } }) => {
        const mail = await store.read((reader) => findEmail(reader, workspace, params.id));
        const { status, content } = mail;
        if (status === "RECEIVED") await store.read((reader) => refuseGone(reader, content));
        if (status === "RECEIVED") return new Response(streamed(slicesOf(store, { workspace, content })), MESSAGE);
        return new Response(new Uint8Array(await compose(mail)), MESSAGE);
      },
    ),
  ]);
}
