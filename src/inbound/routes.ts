// /emails/{id}/attachments: what is attached to a mail, whichever way it went.
import { Elysia, t } from "elysia";
import { findEmail } from "../emails/email.ts";
import { attachedTo, attachmentAt } from "../emails/attachment-queries.ts";
import type { MailSummary } from "../emails/queries.ts";
import { slicesOf } from "../emails/received.ts";
import { filesOfContent } from "../emails/received-queries.ts";
import { AppError } from "../errors.ts";
import { countShape, nullable, oneOf } from "../http/answer-shapes.ts";
import { answers, content } from "../http/answers.ts";
import { idParams } from "../http/schemas.ts";
import { Turns } from "../jobs/turns.ts";
import type { Store } from "../store/store.ts";
import { secretKey, type Access } from "../workspaces/auth.ts";
import { joined } from "./message.ts";
import type { ReadingThread } from "./reading-thread.ts";
import type { AttachedFile } from "./reading.ts";

const fileShape = t.Object(
  {
    number: t.Number({ minimum: 0, multipleOf: 1, description: "Its place, for `/emails/{id}/attachments/{n}`." }),
    filename: nullable(t.String()),
    contentType: t.String(),
    disposition: oneOf("attachment", "inline"),
    contentId: nullable(t.String()),
    size: countShape,
  },
  { title: "Attachment" },
);

const fileParams = t.Object({ id: t.String(), n: t.String() });

const ANY_TYPE = "application/octet-stream";

/** Each takes its whole message and more of memory while its file is being found. */
const FILES_AT_ONCE = 2;

export function attachmentRoutes({ store, ...access }: Access, thread: ReadingThread) {
  const turns = new Turns(FILES_AT_ONCE);
  return new Elysia({ prefix: "/emails" })
    .use(secretKey({ store, ...access }))
    .get(
      "/:id/attachments",
      async ({ params, caller }) => {
        const mail = await store.read((reader) => findEmail(reader, caller.workspace, params.id));
        return (await filesOf(store, mail)).map((file, number) => ({ number, ...file }));
      },
      {
        params: idParams,
        detail: answers("List a mail's attachments", { 200: t.Array(fileShape) }, { refuses: ["EMAIL_NOT_FOUND"] }),
      },
    )
    .get(
      "/:id/attachments/:n",
      async ({ params, caller }) => {
        const mail = await store.read((reader) => findEmail(reader, caller.workspace, params.id));
        const place = /^\d+$/.test(params.n) ? Number(params.n) : -1;
        const file = (await filesOf(store, mail))[place];
        const bytes = file
          ? await turns.take(() => bytesOf({ store, thread, workspace: caller.workspace }, mail, place))
          : null;
        if (!file || !bytes) throw new AppError("ATTACHMENT_NOT_FOUND", `The e-mail has no attachment ${params.n}.`);
        return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: headersOf(file) });
      },
      {
        params: fileParams,
        detail: answers(
          "The content of an attachment",
          { 200: content(ANY_TYPE) },
          { refuses: ["EMAIL_NOT_FOUND", "ATTACHMENT_NOT_FOUND"] },
        ),
      },
    );
}

async function filesOf(store: Store, mail: MailSummary): Promise<readonly AttachedFile[]> {
  if (mail.attachments === 0) return [];
  if (mail.status === "RECEIVED") {
    const files = await store.read((reader) => filesOfContent(reader, mail.content));
    return files === null ? [] : (JSON.parse(files) as AttachedFile[]);
  }
  const attached = await store.read((reader) => attachedTo(reader, mail.content));
  return attached.map(({ filename, content_type, disposition, content_id, size }) => ({
    filename,
    contentType: content_type ?? ANY_TYPE,
    disposition,
    contentId: content_id,
    size,
  }));
}

type Sources = { readonly store: Store; readonly thread: ReadingThread; readonly workspace: number };

async function bytesOf(
  { store, thread, workspace }: Sources,
  mail: MailSummary,
  place: number,
): Promise<Uint8Array | null> {
  if (mail.status !== "RECEIVED") return store.read((reader) => attachmentAt(reader, mail.content, place));
  return thread.file(joined(await Array.fromAsync(slicesOf(store, { workspace, content: mail.content }))), place);
}

/** To be saved, never shown in a browser: its type, as the sender has it, stands in the list alone. */
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
