// The pages under /app, for people. They are no part of the interface.
import { Elysia } from "elysia";
import { AppError } from "../errors.ts";
import { fileAnswer } from "./answer.ts";
import { currentFace, openedFace } from "./face.ts";
import { shellAnswer } from "./shell.ts";

const HIDDEN = { detail: { hide: true } };

export function pageRoutes() {
  const shell = async () => shellAnswer(await currentFace());
  return new Elysia()
    .get("/", ({ redirect }) => redirect("app"), HIDDEN)
    .get("/app", shell, HIDDEN)
    .get("/app/*", shell, HIDDEN)
    .get("/app/-/*", ({ request, params }) => file(params["*"], request), HIDDEN);
}

async function file(name: string, { headers }: Request): Promise<Response> {
  const face = await openedFace();
  const found = face.files.get(name);
  if (!found) throw new AppError("ROUTE_NOT_FOUND", "The face has no such file.");
  return fileAnswer(found, face, headers);
}
