// Somebody who is signed in, in a browser.
import type { BrowserContext } from "playwright-core";
import type { Posthorn } from "./posthorn.ts";

const PERMISSIONS = {
  OWNER:
    "read mail.send people.write people.bulk templates.write campaigns.write campaigns.send workflows.write domains keys workspace installation",
  SUPPORT: "read mail.send people.write",
};

/** Stands in for sign-in: calls carry the key of the first workspace. */
export async function signIn(
  context: BrowserContext,
  posthorn: Posthorn,
  role: keyof typeof PERMISSIONS = "OWNER",
): Promise<void> {
  const { body: workspace } = await posthorn.call("GET /workspace");
  const me = {
    ...{ id: "1", email: "eva@example.test", name: "Eva Moser", owner: role === "OWNER", hasPassword: true },
    ...{ passkeyRequired: false, createdAt: "2026-01-01T00:00:00.000Z" },
    session: { id: "2", expiresAt: "2027-01-01T00:00:00.000Z", provenUntil: null },
    workspaces: [
      { id: workspace.id, name: workspace.name, role, permissions: PERMISSIONS[role].split(" "), disabled: false },
    ],
  };
  await context.setExtraHTTPHeaders({ authorization: `Bearer ${posthorn.keys.secret}` });
  await context.route("**/me", (route) => route.fulfill({ json: me }));
}
