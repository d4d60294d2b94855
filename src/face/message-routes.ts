// GET /app/-/message/{id}: a mail as a page for a frame of the face, in which nothing runs, nothing is sent and nothing is fetched.
import { Elysia } from "elysia";
import { admittedVisitor, type Access } from "../workspaces/auth.ts";

/** A mail as it was written; null: it has text alone. @throws AppError EMAIL_NOT_FOUND, EMAIL_STATE */
export type LetterOf = (
  workspace: number,
  id: string,
) => Promise<{ readonly html: string | null; readonly text: string }>;

export function messageRoutes(access: Access, letterOf: LetterOf) {
  const show = async (request: Request, id: string): Promise<Response> => {
    const { workspace } = await admittedVisitor(access, request);
    const { html, text } = await letterOf(workspace, id);
    const hasImages = new URL(request.url).searchParams.get("images") === "1";
    const kind = html === null ? "plain" : "html";
    return new Response(html ?? text, { headers: headersFor(kind, hasImages) });
  };
  return new Elysia().get("/app/-/message/:id", ({ request, params: { id } }) => show(request, id), {
    detail: { hide: true },
  });
}

/**
 * The frame has an origin of its own, so our server is not "self" to it: no mail counts an open or calls the API by a picture.
 * `sandbox` also stands on the frame; here it holds for whoever opens the address.
 */
function headersFor(kind: "html" | "plain", hasImages: boolean): Record<string, string> {
  return {
    "content-type": `text/${kind}; charset=utf-8`,
    "cache-control": "no-store",
    "content-security-policy": [
      "sandbox",
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      `img-src data:${hasImages ? " https: http:" : ""}`,
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
    ].join("; "),
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "x-dns-prefetch-control": "off",
  };
}
