// GET /app/-/message/{id}: a mail as a page for a frame of the face, without scripts, forms and requests.
import { Elysia } from "elysia";
import { admittedVisitor, type Access } from "../../../tenant/access/auth.ts";
import type { LinkBases } from "../../../base/link-bases.ts";
import { imagesFrom, letterHeaders } from "./letter-headers.ts";
import { withoutFrames } from "./without-frames.ts";

/** A mail as it was written; null: it has text alone. @throws AppError EMAIL_NOT_FOUND, EMAIL_STATE */
export type LetterOf = (
  workspace: number,
  id: string,
) => Promise<{ readonly html: string | null; readonly text: string }>;

export function messageRoutes(access: Access, letterOf: LetterOf, bases: LinkBases) {
  const show = async (request: Request, id: string): Promise<Response> => {
    const { workspace } = await admittedVisitor(access, request);
    const { html, text } = await letterOf(workspace, id);
    const hasAll = new URL(request.url).searchParams.get("images") === "1";
    const kind = html === null ? "plain" : "html";
    return new Response(html === null ? text : withoutFrames(html), {
      headers: letterHeaders(kind, imagesFrom([bases.own, bases.of(workspace)], hasAll)),
    });
  };
  return new Elysia().get("/app/-/message/:id", ({ request, params: { id } }) => show(request, id), {
    detail: { hide: true },
  });
}
