// Where else the tags and metadata of a mail come from: its template, its campaign, a step of a workflow, a header.
import { expect, test } from "bun:test";
import { addReaders, look, send, write } from "../support/campaigns.ts";
import { headerFields, letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { idsIn, startSubmission, submit } from "../support/submission.ts";
import { addTemplate, addWorkflow, execution, track } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const labels = { tags: ["shop", "plan:free"], metadata: { area: "shop", order: "none" } };

async function newest(posthorn: Posthorn): Promise<Json> {
  await posthorn.settle();
  const [{ tags, metadata }] = (await ask(posthorn, "GET /emails")).body.data;
  return { tags, metadata };
}

test("those of a template are there, unless the request has another value; a version keeps its own (slow)", async () => {
  await using posthorn = await workspace();
  const template = await addTemplate(posthorn, { ...labels, alias: "receipt" });
  expect((await ask(posthorn, `GET /templates/${template}`)).body).toMatchObject(labels);
  const { body: copy } = await ask(posthorn, `POST /templates/${template}/duplicate`);
  expect(copy).toMatchObject(labels);
  const to = (more: object) => ask(posthorn, "POST /v1/send", { body: { to: letter.to, template, ...more } });
  await to({});
  expect(await newest(posthorn)).toEqual(labels);
  await to({ tags: ["plan:pro", "shop", "new"], metadata: { order: "A-1" } });
  expect(await newest(posthorn)).toEqual({
    tags: ["plan:pro", "shop", "new"],
    metadata: { area: "shop", order: "A-1" },
  });
  const many = Array.from({ length: 9 }, (_, n) => `t${n}`);
  expect((await to({ tags: many })).body.error.errors.map(({ field }: Json) => field)).toEqual(["tags"]);
  await ask(posthorn, `PATCH /templates/${template}`, { body: { subject: "Other" } });
  expect((await ask(posthorn, `GET /templates/${template}`)).body).toMatchObject(labels);
  await ask(posthorn, `PATCH /templates/${template}`, { body: { tags: null, metadata: null } });
  await to({});
  expect(await newest(posthorn)).toEqual({ tags: [], metadata: {} });
});

test("a version has its tags, and gives them back", async () => {
  await using posthorn = await workspace();
  const template = await addTemplate(posthorn, labels);
  posthorn.clock.advance(600_000);
  await ask(posthorn, `PATCH /templates/${template}`, { body: { tags: ["other"] } });
  const { versions } = (await ask(posthorn, `GET /templates/${template}/versions`)).body;
  await ask(posthorn, "POST /v1/send", { body: { to: letter.to, template: `${template}@1` } });
  expect(await newest(posthorn)).toEqual(labels);
  await ask(posthorn, `POST /templates/${template}/versions/${versions.at(-1).id}/restore`, { body: {} });
  expect((await ask(posthorn, `GET /templates/${template}`)).body).toMatchObject(labels);
});

test("a campaign's are on all its mails, and on no test copy", async () => {
  await using posthorn = await workspace();
  await addReaders(posthorn, 2);
  const draft = await write(posthorn, labels);
  await ask(posthorn, `PUT /campaigns/${draft}`, { body: { metadata: { area: "news" } } });
  expect(await look(posthorn, draft)).toMatchObject({ tags: labels.tags, metadata: { area: "news" } });
  await ask(posthorn, `POST /campaigns/${draft}/test`, { body: { email: "ada@example.com" } });
  expect(await newest(posthorn)).toEqual({ tags: [], metadata: {} });
  await send(posthorn, labels);
  expect(await newest(posthorn)).toEqual(labels);
  const { data } = (await ask(posthorn, "GET /emails?tag=shop&metadata[area]=shop")).body;
  expect(data.map(({ to }: Json) => to).toSorted()).toEqual(["reader1@example.com", "reader2@example.com"]);
});

test("a step adds to those of its template; too many together fail it with the reason", async () => {
  await using posthorn = await workspace();
  const templateId = await addTemplate(posthorn, labels);
  const steps = (config: object) => [{ type: "SEND_EMAIL", name: "Mail", config: { templateId, ...config } }];
  await addWorkflow(posthorn, steps({ tags: ["welcome", "plan:pro"], metadata: { order: "A-2" } }));
  await track(posthorn, "signup");
  expect(await newest(posthorn)).toEqual({
    tags: ["shop", "welcome", "plan:pro"],
    metadata: { area: "shop", order: "A-2" },
  });
  const { status, body } = await ask(posthorn, "POST /workflows", {
    body: { name: "Flow", eventName: "other", steps: steps({ metadata: { "a b": "" } }) },
  });
  expect([status, body.error.errors[0].field]).toEqual([422, "steps.0.config.metadata.a b"]);
  const many = Array.from({ length: 9 }, (_, n) => `t${n}`);
  const workflow = await addWorkflow(posthorn, steps({ tags: many }), { name: "Many", eventName: "many" });
  await track(posthorn, "many");
  await posthorn.settle();
  expect(JSON.stringify(await execution(posthorn, workflow))).toContain("more than 10 tags");
});

test("by SMTP they are header fields, which do not leave (slow)", async () => {
  const open = await startSubmission();
  await using posthorn = open.posthorn;
  const message = (fields: string) =>
    `From: ada@example.test\nTo: bob@example.com\nSubject: Hi\n${fields}MIME-Version: 1.0\n\nHello\n`;
  const fields =
    "X-Tag: shop, plan:free\nx-tag: new,\nX-Tag:\nX-Metadata-Order: =?utf-8?q?K=C3=A4the?=\nX-Other: stays\n";
  const [id] = idsIn(await submit(open, message(fields)));
  await posthorn.settle();
  expect((await ask(posthorn, `GET /emails/${id}`)).body).toMatchObject({
    tags: ["shop", "plan:free", "new"],
    metadata: { order: "Käthe" },
  });
  const names = headerFields(posthorn.transport.sent[0]?.raw as Buffer).map(({ name }) => name.toLowerCase());
  expect(names).toContain("x-other");
  expect(names).toContain("dkim-signature");
  expect(names.filter((name) => name === "x-tag" || name.startsWith("x-metadata"))).toEqual([]);
  for (const [wrong, word] of [
    ["X-Tag: a b\n", "a b"],
    [`X-Tag: ${Array.from({ length: 11 }, (_, n) => `t${n}`).join(",")}\n`, "at most 10"],
    [`X-Metadata-Order: ${"x".repeat(501)}\n`, "500"],
    ["X-Metadata-: x\n", "key"],
  ] as const) {
    const reply = await submit(open, message(wrong));
    expect([reply.slice(0, 9), reply.includes(word)]).toEqual(["550 5.6.0", true]);
  }
});
