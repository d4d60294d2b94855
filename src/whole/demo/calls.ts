// Calls of the demo's own API in process, as its programs and people make them.
import { AppError } from "../../base/errors.ts";
import { openSession } from "../../operator/team/session/session.ts";
import { userByEmail } from "../../operator/team/queries.ts";
import { sessionCookie } from "../../operator/team/session/cookie.ts";
import type { Server } from "../server.ts";
import { TEAM, type TeamRole } from "./people.ts";

/** `ask("POST /topics", {…})`. @throws Error for a refusal: the demo asks for nothing that is refused */
export type DemoCall = (route: string, body?: object) => Promise<Json>;
type Json = ReturnType<typeof JSON.parse>;

export function asProgram(server: Server, key: string): DemoCall {
  return (route, body) => callServer(server, route, body, { authorization: `Bearer ${key}` });
}

/** A visitor of public pages, without a key. */
export function asVisitor(server: Server): DemoCall {
  return (route, body) => callServer(server, route, body, {});
}

/** A person who has just signed in. */
export async function asMember(server: Server, baseUrl: string, workspace: string, role: TeamRole): Promise<DemoCall> {
  const token = await sessionOf(server, role, "Firefox on Linux");
  const headers = {
    cookie: sessionCookie({ baseUrl }).set(token).split(";")[0] ?? "",
    "x-workspace": workspace,
    "sec-fetch-site": "same-origin",
  };
  return (route, body) => callServer(server, route, body, headers);
}

/** The token of a new session. @throws AppError USER_NOT_FOUND if a visitor has removed that person */
export function sessionOf({ store }: Pick<Server, "store">, role: TeamRole, client: string | null): Promise<string> {
  return store.write(async (tx) => {
    const user = await userByEmail(tx, TEAM[role].email);
    if (!user) throw new AppError("USER_NOT_FOUND", `${TEAM[role].name} does not work here any more.`);
    return openSession(tx, user.seq, client);
  });
}

async function callServer(
  server: Server,
  route: string,
  body: object | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Json> {
  const [method = "", path = ""] = route.split(" ");
  const isForm = body instanceof FormData;
  const answer = await server.answer(
    new Request(`http://127.0.0.1${path}`, {
      method,
      headers: body && !isForm ? { ...headers, "content-type": "application/json" } : headers,
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    }),
  );
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${route}: ${answer.status} ${text}`);
  return answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
}
