// `posthorn user …`, and the link that the first start prints.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { cliBeside, jsonBeside, serving } from "../support/cli.ts";
import { freshDirectory } from "../support/database.ts";
import { askAsNobody, OWN_PAGE, PASSWORD, signedIn, somebody } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { countOf } from "../support/scenario.ts";
import { allWorkspaces } from "../../src/tenant/workspaces/queries.ts";
import { workspace } from "../support/workspace.ts";

const WELCOME = /^http:\/\/127\.0\.0\.1:8484\/app\/welcome#([A-Z]{4}-){2}[A-Z]{4}$/;

function enter(posthorn: Posthorn, link: string, entry: object) {
  const body = { token: link.split("#")[1], password: PASSWORD, ...entry };
  return askAsNobody(posthorn, "POST /links/accept", body);
}

describe("posthorn user", () => {
  test("link lets the first owner in, and then asks for an address (slow)", async () => {
    await using posthorn = await workspace();
    const { email, link } = await jsonBeside(posthorn, ["user", "link"]);
    expect([email, link]).toEqual([null, expect.stringMatching(WELCOME)]);
    const entered = await enter(posthorn, link, { email: "ada@example.com", name: "Ada" });
    expect([entered.status, entered.body.owner]).toEqual([200, true]);
    const { code, err } = await cliBeside(posthorn, ["user", "link"]);
    expect([code, err]).toEqual([1, "There are users already. Name the address of one: posthorn user link ADDRESS."]);
  });

  test("link with an address lets a user choose a new password, which ends every session (slow)", async () => {
    await using posthorn = await workspace();
    const first = await jsonBeside(posthorn, ["user", "add", "Ada@example.com", "--owner"]);
    const ada = await signedIn(posthorn, await enter(posthorn, first.link, {}));
    expect((await ada.ask("GET /me")).body).toMatchObject({ email: "ada@example.com", name: "ada", owner: true });
    const [old, link] = [
      (await jsonBeside(posthorn, ["user", "link", "ADA@example.com"])).link,
      (await jsonBeside(posthorn, ["user", "link", "ada@example.com"])).link,
    ];
    const looked = await askAsNobody(posthorn, "POST /links/look", { token: link.split("#")[1] });
    expect(looked.body).toMatchObject({
      kind: "RECOVERY",
      email: "ada@example.com",
      name: "ada",
      role: null,
      known: true,
    });
    expect((await enter(posthorn, old, {})).status).toBe(404);
    expect((await enter(posthorn, link, { password: "a new one of mine", name: "Ada" })).body.name).toBe("Ada");
    expect((await ada.ask("GET /me")).status).toBe(401);
    const unknown = await cliBeside(posthorn, ["user", "link", "eve@example.com"]);
    expect([unknown.code, unknown.err]).toEqual([1, "There is no user eve@example.com. See: posthorn user list."]);
  });

  test("add gives a role in a workspace, list shows it, and remove ends it (slow)", async () => {
    await using posthorn = await workspace();
    await jsonBeside(posthorn, ["user", "add", "ada@example.com", "--owner"]);
    const role = (name: string) => ["--workspace", "default", "--role", name];
    await jsonBeside(posthorn, ["user", "add", "bob@example.com", "--name", "Bob", ...role("editor")]);
    const again = await cliBeside(posthorn, ["user", "add", "bob@example.com", ...role("marketer")]);
    expect(again.out).toBe("bob@example.com has the role marketer now.");
    await posthorn.store.write(
      (tx) => tx.run`update users set password_hash = 'known' where email = 'bob@example.com'`,
    );
    const doubtful = await cliBeside(posthorn, ["user", "add", "bob@example.com", ...role("marketer")]);
    expect(doubtful.out).toContain("Nothing proves that this user has the address");
    const users = await jsonBeside(posthorn, ["user", "list"]);
    expect(users.map(({ email, name, roles }: Json) => [email, name, roles])).toEqual([
      ["ada@example.com", "ada", ["owner"]],
      ["bob@example.com", "Bob", ["marketer of default"]],
    ]);
    expect((await cliBeside(posthorn, ["user", "remove", "bob@example.com"])).code).toBe(0);
    const last = await cliBeside(posthorn, ["user", "remove", "ada@example.com"]);
    expect([last.code, last.err]).toEqual([1, "This is the last owner."]);
    expect([await countOf(posthorn, "users"), await countOf(posthorn, "memberships")]).toEqual([1, 0]);
  });

  test.each([
    [[], "needs --owner, or --workspace ID|NAME and --role ROLE"],
    [["--owner", "--role", "admin"], "needs --owner, or --workspace ID|NAME and --role ROLE"],
    [["--role", "admin"], "needs --owner, or --workspace ID|NAME and --role ROLE"],
    [["--workspace", "default", "--role", "boss"], "knows these roles: admin, developer, marketer, editor, support"],
  ])("add with %p is refused", async (options, said) => {
    await using posthorn = await workspace();
    const { code, err } = await cliBeside(posthorn, ["user", "add", "ada@example.com", ...options]);
    expect([code, err.split("\n")[0]]).toEqual([2, `posthorn user add ${said}`]);
    expect(await countOf(posthorn, "users")).toBe(0);
  });
});

test("what the command line changes is in the audit log (slow)", async () => {
  await using posthorn = await workspace();
  const { id } = await jsonBeside(posthorn, ["key", "create", "--workspace", "default"]);
  await cliBeside(posthorn, ["key", "revoke", id]);
  await cliBeside(posthorn, ["domain", "add", "shop.example", "--workspace", "default"]);
  await cliBeside(posthorn, ["domain", "rotate", "example.test"]);
  await cliBeside(posthorn, ["workspace", "disable", "default"]);
  await cliBeside(posthorn, ["workspace", "enable", "default"]);
  const { data } = (await posthorn.call("GET /audit")).body;
  expect(data.map(({ action, by }: Json) => [by.kind, action])).toEqual(
    ["workspace enable", "workspace disable", "domain rotate", "domain add", "key revoke", "key create"].map(
      (action) => ["COMMAND_LINE", action],
    ),
  );
  expect(await countOf(posthorn, "audit")).toBe(6);
});

test("a link for a user and the end of a workspace are on the list of the installation, and say which", async () => {
  await using posthorn = await workspace();
  const owner = await somebody(posthorn, "OWNER");
  const { id, workspaces } = (await owner.ask("GET /me")).body;
  await cliBeside(posthorn, ["user", "link", "owner@example.com"]);
  await cliBeside(posthorn, ["workspace", "create", "other"]);
  await cliBeside(posthorn, ["workspace", "delete", "default", "--yes"]);
  const [other] = await posthorn.store.read(allWorkspaces);
  const headers = { "x-workspace": other?.id ?? "" };
  const { data } = (await owner.ask("GET /audit?of=installation", { headers })).body;
  expect(data.map(({ action, target }: Json) => [action, target])).toEqual([
    ["workspace delete", workspaces[0].id],
    ["user link", id],
  ]);
});

describe("the first start", () => {
  let directory: ReturnType<typeof freshDirectory>;
  beforeEach(() => void (directory = freshDirectory()));
  afterEach(() => directory.remove());

  test("prints a link that lets the owner in, and the next start prints none (slow)", async () => {
    const data = join(directory.path, "data");
    {
      await using server = await serving(["--data", data]);
      const [, link = ""] = /^ {2}(http\S+\/app\/welcome#[A-Z-]{14})$/m.exec(server.text) ?? [];
      expect(link).toStartWith(`${server.url}/app/welcome#`);
      expect(server.text).toContain(`open ${server.url}/app and enter the code ${link.split("#")[1]}.`);
      const entry = { token: link.split("#")[1], email: "ada@example.com", name: "Ada", password: PASSWORD };
      const headers = { ...OWN_PAGE, "content-type": "application/json" };
      const asked = { method: "POST", headers, body: JSON.stringify(entry) };
      expect((await fetch(`${server.url}/links/accept`, asked)).status).toBe(200);
    }
    await using again = await serving(["--data", data]);
    expect(again.text).not.toContain("/app/welcome#");
  });

  test("prints no link where there are no pages to open (slow)", async () => {
    await using server = await serving(["--data", join(directory.path, "data")], { POSTHORN_HTTP_FACE: "false" });
    expect(server.text).not.toContain("/app/welcome#");
  });
});
