// Erased people: the audit log, jobs and their reports name them no more.
import { expect, test } from "bun:test";
import type { Posthorn } from "../support/posthorn.ts";
import { imported, upload } from "../support/files.ts";
import { ask } from "../support/scenario.ts";
import { somebody } from "../support/people.ts";
import { workspace } from "../support/workspace.ts";

const ADA = "ada@example.com";
const OLD = "ada@old.example";

/** The tables with rows that name one of the addresses. */
async function naming(posthorn: Posthorn): Promise<string[]> {
  const found = [];
  for (const table of ["audit", "contact_job_errors", "contact_jobs", "contact_job_batches"]) {
    const rows = await posthorn.store.read((reader) =>
      reader.all(Object.assign([`select * from ${table}`], { raw: [`select * from ${table}`] })),
    );
    if (/ada@/i.test(JSON.stringify(rows))) found.push(table);
  }
  return found;
}

test("a contact that keys and people changed, merged and erased is named nowhere (slow)", async () => {
  await using posthorn = await workspace();
  const owner = await somebody(posthorn, "OWNER");
  const made = async (email: string) => (await ask(posthorn, "POST /contacts", { body: { email } })).body.id;
  const [id, old] = [await made(ADA), await made(OLD)];
  for (const one of [id, old]) {
    await ask(posthorn, `PATCH /contacts/${one}`, { body: { data: { plan: "pro" } } });
    await owner.ask(`PATCH /contacts/${one}`, { body: { data: { plan: "free" } } });
  }
  await ask(posthorn, "POST /contacts/merge", { body: { into: id, from: [old] } });
  await imported(posthorn, `email,data\n${ADA},"{bad"\n"Ada <${ADA}>",x\n ADA@EXAMPLE.COM ;,\n`);
  await posthorn.settle();
  expect(await naming(posthorn)).toContain("audit");
  expect((await owner.ask(`DELETE /contacts/${id}`)).status).toBe(204);
  await posthorn.settle();
  expect(await naming(posthorn)).toEqual([]);
  const { data } = (await owner.ask("GET /audit")).body;
  expect(data.map(({ action }: { action: string }) => action)).toContain("deleteContact");
});

test("a file that waits behind an erasure does not name the person in a bad row, however it is written", async () => {
  await using posthorn = await workspace();
  const { id } = (await ask(posthorn, "POST /contacts", { body: { email: ADA } })).body;
  const file = `email,name\nAda <${ADA}>,x\n ADA@EXAMPLE.COM ; other@example.com,y\nbob@example.com,z\n`;
  const { body } = await upload(posthorn, file);
  await ask(posthorn, `DELETE /contacts/${id}`);
  await posthorn.settle();
  expect((await ask(posthorn, `GET /contacts/import/${body.jobId}`)).body.status).toBe("COMPLETED");
  expect(await naming(posthorn)).toEqual([]);
});
