// POST /app/-/draft: a draft as a page for a frame of the face. A form posts the HTML that POST /preview answered into
// the frame, since a document without an address of its own would have the policy of the page around it.
import { Elysia } from "elysia";
import { admittedVisitor, visitorsForm, type Access } from "../../../tenant/access/auth.ts";
import type { LinkBases } from "../../../base/link-bases.ts";
import { imagesFrom, letterHeaders } from "./letter-headers.ts";
import { withoutFrames } from "./without-frames.ts";

/** With our origin, so that the page around it can read its scroll position; no script runs in it all the same. */
const SANDBOX = "sandbox allow-same-origin";

/**
 * The form's fields: `html`, or `text` for the text part; `images` is 1 if pictures of other servers may be fetched.
 */
export function draftRoutes(access: Access, bases: LinkBases) {
  const show = async (request: Request): Promise<Response> => {
    const visitor = await admittedVisitor(access, request, {});
    const form = await visitorsForm(access, request, visitor);
    const html = form.get("html");
    const images = imagesFrom([bases.own, bases.of(visitor.workspace)], form.get("images") === "1");
    const [kind, page] =
      html === null ? (["plain", form.get("text") ?? ""] as const) : (["html", withoutFrames(html)] as const);
    return new Response(page, { headers: letterHeaders(kind, images, SANDBOX) });
  };
  return new Elysia().post("/app/-/draft", ({ request }) => show(request), { detail: { hide: true } });
}
