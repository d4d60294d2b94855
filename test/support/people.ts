// People in tests: somebody who is signed in, with a role in workspace "default", and what their browser sends.
import type { Role } from "../../src/base/roles.ts";
import { welcomeToken } from "../../src/operator/team/invitations/link.ts";
import { setMembership } from "../../src/operator/team/queries.ts";
import { openSession } from "../../src/operator/team/session/session.ts";
import { createUser } from "../../src/operator/team/user.ts";
import { findWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import type { Json, Posthorn, Reply } from "./posthorn.ts";
import { ask, type Question } from "./scenario.ts";

export const PASSWORD = "three words of mine";
/** What a browser adds to the requests of our own pages. */
export const OWN_PAGE = { "sec-fetch-site": "same-origin" };

export class Somebody {
  constructor(
    readonly posthorn: Posthorn,
    readonly cookie: string,
    readonly workspace: string,
  ) {}

  ask(route: string, { headers, ...question }: Omit<Question, "key"> = {}): Promise<Reply> {
    const own = { ...OWN_PAGE, cookie: this.cookie, "x-workspace": this.workspace };
    return ask(this.posthorn, route, { ...question, key: "none", headers: { ...own, ...headers } });
  }
}

/** A request of one of our pages, of a browser that has no cookie. */
export function askAsNobody(posthorn: Posthorn, route: string, body?: unknown): Promise<Reply> {
  return ask(posthorn, route, { key: "none", headers: OWN_PAGE, ...(body === undefined ? {} : { body }) });
}

/** A failure to sign in is answered after a while, by a clock that stands still unless it is moved. */
export async function patiently(posthorn: Posthorn, asked: Promise<Reply>): Promise<Reply> {
  let isAnswered = false;
  const answered = asked.finally(() => (isAnswered = true));
  while (!isAnswered) {
    await new Promise((resolve) => setImmediate(resolve));
    posthorn.clock.advanceToTimeout();
  }
  return answered;
}

/** How an operation of the document is asked: by a key, an owner or nobody, whichever may. */
export async function askers(
  posthorn: Posthorn,
): Promise<(one: { operation: Json }, route: string, question?: Question) => Promise<Reply>> {
  const owner = await somebody(posthorn, "OWNER");
  return ({ operation }, route, question = {}) => {
    const kinds = operation.security.flatMap((kind: object) => Object.keys(kind));
    if (kinds.includes("secretKey")) return ask(posthorn, route, question);
    const asked = kinds.includes("session")
      ? owner.ask(route, question)
      : ask(posthorn, route, { ...question, key: "none", headers: OWN_PAGE });
    return patiently(posthorn, asked);
  };
}

/** Made in the store, with a session that has just been proven. */
export async function somebody(
  posthorn: Posthorn,
  role: Role,
  email = `${role.toLowerCase()}@example.com`,
): Promise<Somebody> {
  const { token, id } = await posthorn.store.write(async (tx) => {
    const workspace = await findWorkspace(tx, "default");
    const user = await createUser(tx, { email, name: role, isOwner: role === "OWNER" });
    if (role !== "OWNER") await setMembership(tx, { person: user.seq, workspace: workspace.seq }, role);
    return { token: await openSession(tx, user.seq, "a browser"), id: workspace.id };
  });
  return new Somebody(posthorn, `posthorn=${token}`, id);
}

/** The first owner, as they come in: by the link of the first start, with a password. */
export async function firstOwner(posthorn: Posthorn, email = "ada@example.com"): Promise<Somebody> {
  const token = await posthorn.store.write(welcomeToken);
  const entry = { token, email, name: "Ada", password: PASSWORD };
  return signedIn(posthorn, await askAsNobody(posthorn, "POST /links/accept", entry));
}

/** Whom an answer with a cookie has let in. */
export async function signedIn(posthorn: Posthorn, { headers, body }: Reply): Promise<Somebody> {
  const cookie = cookieIn(headers);
  if (cookie === null) throw new Error(`nobody was let in: ${JSON.stringify(body)}`);
  return new Somebody(posthorn, cookie, body.workspaces[0]?.id ?? "");
}

/** As the browser sends it back. */
export function cookieIn(headers: Headers): string | null {
  return headers.get("set-cookie")?.split(";")[0] ?? null;
}
