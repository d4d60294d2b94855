// /emails/{id}/content and /emails/{id}/attachments: the content and the attachments of a mail, outgoing or inbound.
import { t } from "elysia";
import { findEmail } from "../emails/email.ts";
import type { Mail } from "../emails/queries.ts";
import { AppError } from "../../base/errors.ts";
import { countShape, nullable, oneOf } from "../../http/answer-shapes.ts";
import { content } from "../../http/answers.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { route, routes } from "../../tenant/access/route-table.ts";
import { ANY_TYPE, bytesOfFile, filesOf, type InboundSources } from "./attached.ts";
import { mailText, type Compose } from "./content.ts";
import type { AttachedFile } from "./reading/reading.ts";

const fileShape = t.Object(
  {
    number: t.Number({
      minimum: 0,
      multipleOf: 1,
      description: "For `/emails/{id}/attachments/{n}`; the `id` of `email.received`.",
    }),
    filename: nullable(t.String()),
    contentType: t.String(),
    disposition: oneOf("attachment", "inline"),
    contentId: nullable(t.String()),
    size: countShape,
  },
  { title: "Attachment" },
);

const found = ["EMAIL_NOT_FOUND", "CONTENT_GONE"] as const;

const contentShape = t.Object(
  {
    subject: t.String(),
    html: nullable(t.String()),
    text: nullable(t.String()),
    headers: t.Array(t.Object({ name: t.String(), value: t.String() })),
    attachments: t.Array(fileShape),
  },
  { title: "EmailContent" },
);

export function attachmentRoutes(access: Access, sources: InboundSources, compose: Compose) {
  const { store } = access;
  const mailOf = ({ workspace }: Caller, id: string) => store.read((reader) => findEmail(reader, workspace, id));
  return routes(access, [
    route(
      "GET",
      "/emails/:id/content",
      {
        name: "getEmailContent",
        summary: "Get what an email says",
        answers: { 200: contentShape },
        permission: "read",
        refuses: [...found, "EMAIL_STATE"],
        description:
          "As it leaves, left or came in; without the pixel and the links that count opens and clicks, which the whole message has.",
      },
      async ({ params, caller }) => {
        const { files, ...texts } = await mailText(sources, await mailOf(caller, params.id), compose);
        return { ...texts, attachments: numbered(files) };
      },
    ),
    route(
      "GET",
      "/emails/:id/attachments",
      {
        name: "listAttachments",
        summary: "List an email's attachments",
        answers: { 200: t.Array(fileShape) },
        permission: "read",
        refuses: found,
      },
      async ({ params, caller }) => numbered(await filesOf(sources, await mailOf(caller, params.id))),
    ),
    route(
      "GET",
      "/emails/:id/attachments/:n",
      {
        name: "getAttachment",
        summary: "Download an attachment",
        answers: { 200: content(ANY_TYPE) },
        permission: "read",
        refuses: [...found, "ATTACHMENT_NOT_FOUND"],
      },
      async ({ params, caller }) => download(sources, await mailOf(caller, params.id), params.n),
    ),
  ]);
}

function numbered(files: readonly AttachedFile[]): (typeof fileShape.static)[] {
  return files.map((file, number) => ({ number, ...file }));
}

/** @throws AppError ATTACHMENT_NOT_FOUND */
async function download(sources: InboundSources, mail: Mail, n: string) {
  const place = /^\d+$/.test(n) ? Number(n) : -1;
  const file = (await filesOf(sources, mail))[place];
  const bytes = file ? await bytesOfFile(sources, mail, place) : null;
  if (!file || !bytes) throw new AppError("ATTACHMENT_NOT_FOUND", `The email has no attachment ${n}.`);
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: headersOf(file) });
}

/** A download, never shown in a browser: only the list gives the sender's type. */
function headersOf({ filename }: AttachedFile): Record<string, string> {
  const encoded = encodeURIComponent(filename ?? "attachment").replace(/['()*]/g, escaped);
  return {
    "content-type": ANY_TYPE,
    "content-disposition": `attachment; filename*=UTF-8''${encoded}`,
  };
}

function escaped(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16)}`;
}
