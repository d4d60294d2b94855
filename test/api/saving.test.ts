// Two people never overwrite each other; who saved last; and the document that a body was made from.
import { describe, expect, test } from "bun:test";
import { somebody } from "../support/people.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";

const said = { subject: "Hi", body: "<p>Hi</p>" };
const condition = { groups: [{ filters: [{ field: "plan", value: "pro" }] }] };

type Kind = { readonly name: string; readonly make: readonly [route: string, body: object]; readonly method: string };
const KINDS: readonly Kind[] = [
  { name: "template", method: "PATCH", make: ["/templates", { ...said, name: "One", type: "TRANSACTIONAL" }] },
  {
    name: "campaign",
    method: "PUT",
    make: ["/campaigns", { ...said, name: "One", from: "a@example.test", audienceType: "ALL" }],
  },
  { name: "segment", method: "PATCH", make: ["/segments", { name: "One", condition }] },
  { name: "workflow", method: "PATCH", make: ["/workflows", { name: "One", eventName: "seen" }] },
];

const recordIn = (body: Json) => body.data ?? body;

describe.each(KINDS)("a $name", ({ make: [path, input], method }) => {
  test("that somebody else has saved since is not overwritten", async () => {
    await using posthorn = await startPosthorn();
    const [eva, ada] = [await somebody(posthorn, "ADMIN"), await somebody(posthorn, "OWNER")];
    const made = recordIn((await eva.ask(`POST ${path}`, { body: input })).body);
    expect(made.updatedBy).toEqual({ kind: "PERSON", id: expect.any(String), name: "ADMIN" });
    const route = `${method} ${path}/${made.id}`;
    const first = await eva.ask(route, { body: { description: "Eva's", ifUpdatedAt: made.updatedAt } });
    expect([first.status, recordIn(first.body).description]).toEqual([200, "Eva's"]);
    posthorn.clock.advance(2 * 60_000);
    const late = { description: "Ada's", ifUpdatedAt: made.updatedAt };
    const refused = await ada.ask(route, { body: late });
    expect([refused.status, refused.body.error.code, refused.body.error.reason]).toEqual([
      409,
      "CONFLICT",
      "saved_since",
    ]);
    expect(refused.body.error.message).toBe("ADMIN saved this 2 min ago, after you had read it.");
    expect(refused.body.error.values).toEqual({ name: "ADMIN", at: recordIn(first.body).updatedAt });
    const now = recordIn((await ada.ask(`GET ${path}/${made.id}`)).body);
    expect(now.description).toBe("Eva's");
    const seen = now.updatedAt.replace("Z", "+00:00");
    const second = recordIn((await ada.ask(route, { body: { ...late, ifUpdatedAt: seen } })).body);
    expect([second.description, second.updatedBy.name]).toEqual(["Ada's", "OWNER"]);
    const byKey = recordIn((await ask(posthorn, route, { body: { name: "Two" } })).body);
    expect([byKey.name, byKey.updatedBy.kind]).toEqual(["Two", "KEY"]);
    expect((await ask(posthorn, route, { body: { ifUpdatedAt: "yesterday" } })).body.error.errors[0].field).toBe(
      "ifUpdatedAt",
    );
  });

  test("that ten save at the same moment is saved by one of them", async () => {
    await using posthorn = await startPosthorn();
    const made = recordIn((await ask(posthorn, `POST ${path}`, { body: input })).body);
    const save = (n: number) =>
      ask(posthorn, `${method} ${path}/${made.id}`, { body: { description: `${n}`, ifUpdatedAt: made.updatedAt } });
    const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => save(n)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
    const winner = replies.findIndex(({ status }) => status === 200);
    expect(recordIn((await ask(posthorn, `GET ${path}/${made.id}`)).body).description).toBe(`${winner}`);
  });
});

test("a step of a workflow counts as the workflow, and the copy of a record is its maker's", async () => {
  await using posthorn = await startPosthorn();
  const eva = await somebody(posthorn, "ADMIN");
  const body = { name: "One", eventName: "seen", steps: [{ type: "EXIT", name: "End", config: {} }] };
  const made = (await ask(posthorn, "POST /workflows", { body })).body;
  const step = `PATCH /workflows/${made.id}/steps/${made.steps[1].id}`;
  const change = { name: "Done", ifUpdatedAt: made.updatedAt };
  expect((await eva.ask(step, { body: change })).status).toBe(200);
  expect((await eva.ask(step, { body: change })).body.error.reason).toBe("saved_since");
  expect((await eva.ask(`GET /workflows/${made.id}`)).body.updatedBy.name).toBe("ADMIN");
  const copy = (await ask(posthorn, `POST /workflows/${made.id}/duplicate`)).body;
  expect(copy.updatedBy.kind).toBe("KEY");
});

describe("a design", () => {
  const design = { kind: "tiptap", source: { type: "doc", content: [{ type: "paragraph" }] } };
  const made = async (posthorn: Posthorn, path: string, input: object) =>
    recordIn((await ask(posthorn, `POST ${path}`, { body: { ...input, design } })).body);

  test.each(KINDS.slice(0, 2))(
    "of a $name goes when the body changes without it",
    async ({ make: [path, input], method }) => {
      await using posthorn = await startPosthorn();
      const { id, design: kept } = await made(posthorn, path, input);
      expect(kept).toEqual(design);
      const change = async (body: object) =>
        recordIn((await ask(posthorn, `${method} ${path}/${id}`, { body })).body).design;
      expect(await change({ subject: "Other", body: said.body })).toEqual(design);
      expect(await change({ body: "<p>By hand</p>" })).toBeNull();
      expect(await change({ body: "<p>Drawn</p>", design: { kind: "mjml", source: "<mjml>" } })).toEqual({
        kind: "mjml",
        source: "<mjml>",
      });
      expect(recordIn((await ask(posthorn, `POST ${path}/${id}/duplicate`)).body).design).toEqual({
        kind: "mjml",
        source: "<mjml>",
      });
      expect(await change({ design: null })).toBeNull();
      const refused = async (wrong: unknown) =>
        (await ask(posthorn, `${method} ${path}/${id}`, { body: { design: wrong } })).body.error.errors[0];
      expect(await refused({ kind: "mjml", source: "x".repeat(1_000_000) })).toMatchObject({
        field: "design",
        code: "too_big",
      });
      expect(await refused({ kind: "mjml", source: 7 })).toMatchObject({ field: "design.source" });
      expect(await refused({ source: "" })).toMatchObject({ field: "design.kind" });
    },
  );
});
