// The name that people outside read of a workspace: the brand's, its own, or a domain, and never that of a first
// workspace which nobody has named.
import { expect, test } from "bun:test";
import { linksFor } from "../../src/content/rendering/links.ts";
import { FIRST_NAME } from "../../src/tenant/workspaces/name.ts";
import { welcomeToken } from "../../src/operator/team/invitations/link.ts";
import { askAsNobody, OWN_PAGE, PASSWORD, signedIn, somebody, type Somebody } from "../support/people.ts";
import { contentOf, mailSent } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const FORM = { name: "News", key: "news", consent: { wording: { en: "Yes." } }, enabled: true };
const BOB = { email: "bob@example.com", role: "EDITOR" };

const pageHeaders = ({ cookie, workspace }: Somebody) => ({ ...OWN_PAGE, cookie, "x-workspace": workspace });

/** All that people outside read of a workspace that has the form. */
async function readOutside(posthorn: Posthorn, admin: Somebody): Promise<Readonly<Record<string, string>>> {
  const { body: contact } = await posthorn.call("POST /contacts", { email: "ada@example.com" });
  const emailId = "0199a3b4-0000-7000-8000-00000000abcd";
  const { manageUrl } = linksFor(posthorn.secrets, "", { contactId: contact.id, emailId });
  const { body: invitation } = await admin.ask("POST /invitations", { body: BOB });
  await posthorn.call("POST /contacts", { email: "eve@example.com", doubleOptIn: true });
  await posthorn.settle();
  const token = invitation.link.split("#")[1];
  return {
    form: (await ask(posthorn, "GET /f/news", { key: "none" })).body,
    preview: (await posthorn.call("POST /forms/preview", FORM)).body.html,
    preferences: (await ask(posthorn, `GET ${manageUrl}`, { key: "none" })).body,
    shown: await (
      await fetch(`${posthorn.server.url}/app/-/recipient/confirmation`, { headers: pageHeaders(admin) })
    ).text(),
    invitation: (await askAsNobody(posthorn, "POST /links/look", { token })).body.workspace,
    confirmation: JSON.stringify(contentOf(await mailSent(posthorn))),
  };
}

const namedIn = (read: Readonly<Record<string, string>>, name: string) =>
  Object.keys(read).filter((at) => read[at]?.includes(name));

test("is a domain until somebody has named it, then its name, then the brand's (slow)", async () => {
  for (const [brand, name, expected] of [
    [null, null, "example.test"],
    [null, "Ada’s Shop", "Ada’s Shop"],
    ["Ada & Co", "Ada’s Shop", "Ada &"],
  ] as const) {
    await using posthorn = await workspace();
    const admin = await somebody(posthorn, "ADMIN");
    await posthorn.call("POST /forms", FORM);
    if (name) await posthorn.call("PATCH /workspace", { name });
    if (brand) await posthorn.call("PUT /workspace/brand", { fromName: brand });
    const read = await readOutside(posthorn, admin);
    expect([brand, name, namedIn(read, expected)]).toEqual([brand, name, Object.keys(read)]);
    // A stylesheet and a policy may say it of something else.
    const words = Object.values(read).map((text) => text.replaceAll(/<style>.*?<\/style>|<script.*?<\/script>/gs, ""));
    expect(words.filter((text) => text.includes(FIRST_NAME))).toEqual([]);
  }
});

test("the first owner gives it, and no other link does (slow)", async () => {
  await using posthorn = await workspace({ config: { http: { baseUrl: "https://mail.shop.example" } } });
  const token = await posthorn.store.write(welcomeToken);
  expect((await askAsNobody(posthorn, "POST /links/look", { token })).body.nameProposal).toBe("shop.example");
  const entry = { name: "Ada", password: PASSWORD, workspaceName: " Ada’s Shop " };
  const entered = await askAsNobody(posthorn, "POST /links/accept", { ...entry, token, email: "ada@example.com" });
  expect(entered.body.workspaces).toMatchObject([{ name: "Ada’s Shop", role: "OWNER" }]);
  const ada = await signedIn(posthorn, entered);
  const { body: invitation } = await ada.ask("POST /invitations", { body: BOB });
  const [, theirs] = invitation.link.split("#");
  expect((await askAsNobody(posthorn, "POST /links/look", { token: theirs })).body.nameProposal).toBeNull();
  const refused = await askAsNobody(posthorn, "POST /links/accept", { ...entry, token: theirs });
  expect([refused.status, refused.body.error.errors]).toMatchObject([422, [{ field: "workspaceName" }]]);
  expect((await posthorn.call("GET /workspace")).body.name).toBe("Ada’s Shop");
});
