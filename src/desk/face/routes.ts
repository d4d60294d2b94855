// The pages under /app, for people. They are no part of the interface.
import { Elysia } from "elysia";
import { AppError } from "../../base/errors.ts";
import { fileAnswer } from "./answer.ts";
import { currentFace, openedFace, type Face } from "./face.ts";
import { mainOf, shellAnswer, type ShellView } from "./shell.ts";

type ShellRequest = { readonly request: Request };

function openedBy({ url, headers }: Request): ShellView {
  return {
    path: new URL(url).pathname.replace(/^\/app/, ""),
    // The cookie's name has a prefix where the pages come by HTTPS.
    isKnown: /posthorn=./.test(headers.get("cookie") ?? ""),
    // The browser's language; a person who has chosen another loads its texts as well.
    language: /^\s*de\b/i.test(headers.get("accept-language") ?? "") ? "de" : "en",
  };
}

const HIDDEN = { detail: { hide: true } };

export function pageRoutes() {
  const shell = async ({ request }: ShellRequest) => shellAnswer(await currentFace(), openedBy(request));
  return new Elysia()
    .get("/", ({ redirect }) => redirect("app"), HIDDEN)
    .get("/app", shell, HIDDEN)
    .get("/app/*", shell, HIDDEN)
    .get("/app/-/version", async () => versionAnswer(await currentFace()), HIDDEN)
    .get("/app/-/*", ({ request, params }) => file(params["*"], request), HIDDEN);
}

/** Lets an open page see that the server has newer files. */
function versionAnswer(face: Face): Response {
  return Response.json({ main: mainOf(face) }, { headers: { "cache-control": "no-store" } });
}

async function file(name: string, { headers }: Request): Promise<Response> {
  const face = await openedFace();
  const found = face.files.get(name);
  if (!found) throw new AppError("ROUTE_NOT_FOUND", "The face has no such file.");
  return fileAnswer(found, face, headers);
}
