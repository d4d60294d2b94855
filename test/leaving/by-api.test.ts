// A workspace out and in by the API: owners download it, and upload it elsewhere.
import { expect, test } from "bun:test";
import { note } from "../support/notes.ts";
import { OWN_PAGE, somebody, type Somebody } from "../support/people.ts";
import { startPosthorn, type Json } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

/** Bytes instead of JSON, as a browser gets and sends them. */
async function bytes({ posthorn, cookie }: Somebody, path: string, body?: FormData): Promise<Response> {
  const headers = { ...OWN_PAGE, cookie };
  const reply = await fetch(posthorn.server.url + path, body ? { method: "POST", headers, body } : { headers });
  if (reply.ok) note(body ? "POST /workspaces/import" : "GET /workspaces/{id}/export");
  return reply;
}

function form(file: ArrayBuffer): FormData {
  const made = new FormData();
  made.set("file", new Blob([file]), "workspace.tar");
  return made;
}

test("an owner downloads a workspace and takes it in elsewhere; both are in the audit log", async () => {
  await using source = await workspace();
  await ask(source, "POST /contacts", { body: { email: "ada@example.com" } });
  const owner = await somebody(source, "OWNER");
  const download = await bytes(owner, `/workspaces/${owner.workspace}/export`);
  expect([download.status, download.headers.get("content-type")]).toEqual([200, "application/x-tar"]);
  const file = await download.arrayBuffer();

  await using target = await startPosthorn();
  const other = await somebody(target, "OWNER");
  const upload = await bytes(other, "/workspaces/import?name=Shop", form(file));
  const arrived = await upload.json();
  expect([upload.status, arrived]).toMatchObject([
    201,
    { id: owner.workspace, name: "Shop", emails: 0, counts: { contacts: 1 } },
  ]);
  const { body: listed } = await other.ask("GET /workspaces");
  expect(
    listed.data.map(({ name, disabledAt }: { name: string; disabledAt: string | null }) => [name, disabledAt !== null]),
  ).toEqual([
    ["default", false],
    ["Shop", true],
  ]);
  const again = await bytes(other, "/workspaces/import", form(file));
  expect([again.status, ((await again.json()) as Json).error.message]).toEqual([
    409,
    expect.stringContaining("as Shop"),
  ]);
  const broken = await bytes(other, "/workspaces/import", form(file.slice(0, 700)));
  expect([broken.status, ((await broken.json()) as Json).error.code]).toEqual([422, "VALIDATION_ERROR"]);
  const noted = async (who: Somebody, of: string) =>
    (await who.ask(`GET /audit?of=${of}`)).body.data.map(({ action }: { action: string }) => action);
  expect(await noted(owner, "installation")).toContain("exportWorkspace");
  expect(await noted(other, "installation")).toContain("importWorkspace");
});

test("nobody else may: neither another role nor a key", async () => {
  await using posthorn = await workspace();
  const admin = await somebody(posthorn, "ADMIN");
  expect((await admin.ask(`GET /workspaces/${admin.workspace}/export`)).status).toBe(403);
  expect((await ask(posthorn, `GET /workspaces/${admin.workspace}/export`)).status).toBe(403);
  expect((await bytes(admin, "/workspaces/import", form(new ArrayBuffer(8)))).status).toBe(403);
});
