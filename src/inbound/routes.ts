// /emails/{id}/attachments: what is attached to a mail, whichever way it went.
import { t } from "elysia";
import { findEmail } from "../emails/email.ts";
import { attachedTo, attachmentAt } from "../emails/content/queries.ts";
import type { Mail } from "../emails/queries.ts";
import { slicesOf } from "../emails/receive.ts";
import { AppError } from "../errors.ts";
import { countShape, nullable, oneOf } from "../http/answer-shapes.ts";
import { answers, content } from "../http/answers.ts";
import { FairQueue } from "../brakes/fair-queue.ts";
import type { Reader, Store } from "../store/store.ts";
import type { Access } from "../workspaces/auth.ts";
import type { Caller } from "../workspaces/caller.ts";
import { get, route, routes } from "../workspaces/route-table.ts";
import { filesOfContent } from "./queries.ts";
import { joined } from "./message.ts";
import type { ReadingThread } from "./reading-thread.ts";
import type { AttachedFile } from "./reading/reading.ts";

const fileShape = t.Object(
  {
    number: t.Number({ minimum: 0, multipleOf: 1, description: "Its number, for `/emails/{id}/attachments/{n}`." }),
    filename: nullable(t.String()),
    contentType: t.String(),
    disposition: oneOf("attachment", "inline"),
    contentId: nullable(t.String()),
    size: countShape,
  },
  { title: "Attachment" },
);

const ANY_TYPE = "application/octet-stream";

/** Each takes its whole message and more of memory while its file is found. */
const FILES_AT_ONCE = 2;

const found = ["EMAIL_NOT_FOUND"] as const;
const listed = answers(
  "listAttachments",
  "List a mail's attachments",
  { 200: t.Array(fileShape) },
  { permission: "read", refuses: found },
);
const fetched = answers(
  "getAttachment",
  "Download an attachment",
  { 200: content(ANY_TYPE) },
  { permission: "read", refuses: [...found, "ATTACHMENT_NOT_FOUND"] },
);

export function attachmentRoutes(access: Access, thread: ReadingThread) {
  const sources = { store: access.store, thread, turns: new FairQueue(FILES_AT_ONCE) };
  return routes(access, [
    get("/emails/:id/attachments", listed, async (reader, { params, caller }) => {
      const files = await filesOf(reader, await findEmail(reader, caller.workspace, params.id));
      return files.map((file, number) => ({ number, ...file }));
    }),
    route("GET", "/emails/:id/attachments/:n", fetched, ({ params, caller }) => download(sources, caller, params)),
  ]);
}

async function filesOf(reader: Reader, mail: Mail): Promise<readonly AttachedFile[]> {
  if (mail.attachments === 0) return [];
  if (mail.status === "RECEIVED") return filesOfContent(reader, mail.content);
  const attached = await attachedTo(reader, mail.content);
  return attached.map((file) => ({ ...file, contentType: file.contentType ?? ANY_TYPE }));
}

type Sources = { readonly store: Store; readonly thread: ReadingThread; readonly turns: FairQueue };

/** @throws AppError EMAIL_NOT_FOUND, ATTACHMENT_NOT_FOUND */
async function download(
  sources: Sources,
  { workspace }: Caller,
  { id, n }: { readonly id: string; readonly n: string },
) {
  const { mail, files } = await sources.store.read(async (reader) => {
    const found = await findEmail(reader, workspace, id);
    return { mail: found, files: await filesOf(reader, found) };
  });
  const place = /^\d+$/.test(n) ? Number(n) : -1;
  const file = files[place];
  const bytes = file ? await sources.turns.run(() => bytesOf(sources, mail, workspace, place)) : null;
  if (!file || !bytes) throw new AppError("ATTACHMENT_NOT_FOUND", `The e-mail has no attachment ${n}.`);
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: headersOf(file) });
}

async function bytesOf(
  { store, thread }: Sources,
  mail: Mail,
  workspace: number,
  place: number,
): Promise<Uint8Array | null> {
  if (mail.status !== "RECEIVED") return store.read((reader) => attachmentAt(reader, mail.content, place));
  return thread.file(joined(await Array.fromAsync(slicesOf(store, { workspace, content: mail.content }))), place);
}

/** To be saved, never shown in a browser: the sender's type is in the list only. */
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
