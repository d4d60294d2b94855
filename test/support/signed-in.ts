// Somebody who is signed in, in a browser.
import type { BrowserContext } from "playwright-core";
import type { Role } from "../../src/base/roles.ts";
import { setMembership } from "../../src/operator/team/queries.ts";
import { openSession } from "../../src/operator/team/session/session.ts";
import { createUser } from "../../src/operator/team/user.ts";
import { allWorkspaces } from "../../src/tenant/workspaces/queries.ts";
import type { Posthorn } from "./posthorn.ts";

let count = 0;

/** Eva Moser, with a role in the first workspace and a session that has just been proven. */
export async function signIn(context: BrowserContext, posthorn: Posthorn, role: Role = "OWNER"): Promise<void> {
  const email = `eva.${++count}@example.test`;
  const token = await posthorn.store.write(async (tx) => {
    const [workspace] = await allWorkspaces(tx);
    const user = await createUser(tx, { email, name: "Eva Moser", isOwner: role === "OWNER" });
    if (role !== "OWNER" && workspace) await setMembership(tx, { person: user.seq, workspace: workspace.seq }, role);
    return openSession(tx, user.seq, "a browser");
  });
  await context.addCookies([
    { name: "posthorn", value: token, url: posthorn.server.url, httpOnly: true, sameSite: "Lax" },
  ]);
}
