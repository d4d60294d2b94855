// GET and POST /workspaces, PATCH /workspaces/{id}: all workspaces, for owners of the installation.
import { expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { letter } from "../support/mails.ts";
import { somebody } from "../support/people.ts";
import { startPosthorn, type Json } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const TIME = "2026-03-01T09:00:00.000Z";

test("an owner makes a workspace, gets its first keys this once, and is its owner, too", async () => {
  await using posthorn = await startPosthorn();
  const owner = await somebody(posthorn, "OWNER");
  const { status, body } = await owner.ask("POST /workspaces", { body: { name: "Second shop" } });
  const { keys, ...workspace } = body;
  expect([status, workspace]).toEqual([
    201,
    { id: ID, name: "Second shop", disabledAt: null, createdAt: TIME, updatedAt: TIME },
  ]);
  const own = await ask(posthorn, "GET /workspace", { key: { bearer: keys.secret } });
  expect(own.body).toMatchObject({ id: workspace.id, name: "Second shop" });
  const event = { email: "ada@example.com", event: "seen" };
  expect((await ask(posthorn, "POST /v1/track", { key: { bearer: keys.public }, body: event })).status).toBe(200);
  const list = (await owner.ask("GET /workspaces")).body;
  expect(list).toMatchObject({ data: [{ name: "default" }, workspace], total: 2 });
  expect(JSON.stringify(list)).not.toMatch(/[sp]k_/);
  const { workspaces } = (await owner.ask("GET /me")).body;
  expect(workspaces).toContainEqual(expect.objectContaining({ name: "Second shop", role: "OWNER" }));
});

test("the list comes in pages, oldest first", async () => {
  await using posthorn = await workspace();
  const owner = await somebody(posthorn, "OWNER");
  for (const name of ["b", "c", "d"]) await owner.ask("POST /workspaces", { body: { name } });
  const { body } = await owner.ask("GET /workspaces?page=2&pageSize=3");
  expect(body).toMatchObject({ data: [{ name: "d" }], total: 4, totalPages: 2 });
});

test("nobody but an owner who has just proved who they are makes one or changes one", async () => {
  await using posthorn = await workspace();
  const owner = await somebody(posthorn, "OWNER");
  const { id } = (await owner.ask("GET /workspaces")).body.data[0];
  const admin = await somebody(posthorn, "ADMIN");
  const tries = ["POST /workspaces", `PATCH /workspaces/${id}`];
  const refusals = async (of: (route: string) => Promise<Json>) =>
    Promise.all(tries.map(async (route) => (await of(route)).body.error.code));
  const body = { name: "Mine" };
  expect(await refusals((route) => admin.ask(route, { body }))).toEqual(["FORBIDDEN", "FORBIDDEN"]);
  expect(await refusals((route) => ask(posthorn, route, { body }))).toEqual(["FORBIDDEN", "FORBIDDEN"]);
  expect((await admin.ask("GET /workspaces")).status).toBe(403);
  posthorn.clock.advance(11 * MINUTE_MS);
  expect(await refusals((route) => owner.ask(route, { body }))).toEqual(["PROOF_NEEDED", "PROOF_NEEDED"]);
  expect((await owner.ask("GET /workspaces")).body.total).toBe(1);
});

test("a name is one workspace's, and fit to be shown", async () => {
  await using posthorn = await workspace();
  const owner = await somebody(posthorn, "OWNER");
  const answer = async (route: string, name: string) => {
    const { status, body } = await owner.ask(route, { body: { name } });
    return [status, body.error?.code ?? body.name, body.error?.errors?.[0]?.field];
  };
  expect(await answer("POST /workspaces", "default")).toEqual([409, "CONFLICT", undefined]);
  for (const name of ["", " shop", "a\nb", "x".repeat(101)])
    expect(await answer("POST /workspaces", name)).toEqual([422, "VALIDATION_ERROR", "name"]);
  const { id } = (await owner.ask("POST /workspaces", { body: { name: "Shop" } })).body;
  expect(await answer(`PATCH /workspaces/${id}`, "default")).toEqual([409, "CONFLICT", undefined]);
  expect(await answer(`PATCH /workspaces/${id}`, "Second shop")).toEqual([200, "Second shop", undefined]);
  expect((await owner.ask("PATCH /workspaces/0199a3b4-0000-7000-8000-000000000000", { body: {} })).status).toBe(404);
});

test("a workspace that is disabled is refused, its mail is held and leaves once it is enabled, and no other's is", async () => {
  await using posthorn = await workspace();
  const other = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  const owner = await somebody(posthorn, "OWNER");
  const { data } = (await owner.ask("GET /workspaces")).body;
  const path = `/workspaces/${data[0].id}`;
  await posthorn.call("POST /v1/send", { ...letter, to: "ada@example.com" });
  const disabled = await owner.ask(`PATCH ${path}`, { body: { disabled: true } });
  expect(disabled.body).toMatchObject({ name: "default", disabledAt: TIME });
  expect((await ask(posthorn, "GET /emails")).body.error.code).toBe("WORKSPACE_DISABLED");
  const mail = { ...letter, from: "hello@other.example", to: "bob@example.com" };
  await ask(posthorn, "POST /v1/send", { key: { bearer: other.secret }, body: mail });
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual(["bob@example.com"]);
  posthorn.clock.advance(MINUTE_MS);
  // Said twice, it is disabled since the first time.
  expect((await owner.ask(`PATCH ${path}`, { body: { disabled: true } })).body.disabledAt).toBe(TIME);
  const enabled = await owner.ask(`PATCH ${path}`, { body: { disabled: false, name: "Shop" } });
  expect(enabled.body).toMatchObject({ name: "Shop", disabledAt: null });
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual(["bob@example.com", "ada@example.com"]);
});
