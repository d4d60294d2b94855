// Two people never overwrite each other; who saved last; and the document that a body was made from.
import { describe, expect, test } from "bun:test";
import { somebody } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

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
    await using posthorn = await workspace();
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
    await using posthorn = await workspace();
    const made = recordIn((await ask(posthorn, `POST ${path}`, { body: input })).body);
    const save = (n: number) =>
      ask(posthorn, `${method} ${path}/${made.id}`, { body: { description: `${n}`, ifUpdatedAt: made.updatedAt } });
    const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => save(n)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
    const winner = replies.findIndex(({ status }) => status === 200);
    expect(recordIn((await ask(posthorn, `GET ${path}/${made.id}`)).body).description).toBe(`${winner}`);
  });
});

type Edited = {
  readonly name: string;
  readonly read: (posthorn: Posthorn, owner: Person) => Promise<Json>;
  readonly change: string;
  /** Two changes, of which the second is late. */
  readonly bodies: readonly [object, object];
};
type Person = Awaited<ReturnType<typeof somebody>>;

const answered = async (reply: Promise<{ readonly body: Json }>) => (await reply).body;
const EDITED: readonly Edited[] = [
  {
    name: "a topic",
    read: async (posthorn) => {
      await ask(posthorn, "POST /topics", { body: { key: "news", name: { en: "News" } } });
      return (await answered(ask(posthorn, "GET /topics"))).topics[0];
    },
    change: "PATCH /topics/news",
    bodies: [{ name: { en: "Eva's" } }, { name: { en: "Ada's" } }],
  },
  {
    name: "the settings of a workspace",
    read: (_, owner) => answered(owner.ask("GET /workspace")),
    change: "PATCH /workspace",
    bodies: [{ suppressions: { softBounces: 7 } }, { preferencePage: { asksWhy: false } }],
  },
  {
    name: "the retention of a workspace",
    read: (_, owner) => answered(owner.ask("GET /workspace")),
    change: "PATCH /workspace",
    bodies: [{ retention: { mailDays: 100 } }, { retention: { mailDays: 90 } }],
  },
  {
    name: "the host for links",
    read: (_, owner) => answered(owner.ask("GET /workspace/link-host")),
    change: "PUT /workspace/link-host",
    bodies: [{ host: "links.shop.example" }, { host: "go.shop.example" }],
  },
  {
    name: "a webhook",
    read: (posthorn) =>
      answered(ask(posthorn, "POST /webhooks", { body: { url: "https://a.example/", events: ["email.*"] } })),
    change: "PATCH /webhooks/{id}",
    bodies: [{ description: "Eva's" }, { description: "Ada's" }],
  },
  {
    name: "a contact",
    read: (posthorn) => answered(ask(posthorn, "POST /contacts", { body: { email: "bo@example.com" } })),
    change: "PATCH /contacts/{id}",
    bodies: [{ data: { city: "Bonn" } }, { data: { city: "Köln" } }],
  },
  {
    name: "a key set",
    read: async (_, owner) => (await answered(owner.ask("GET /keys"))).data[0],
    change: "PATCH /keys/{id}",
    bodies: [{ name: "Eva's" }, { name: "Ada's" }],
  },
  {
    name: "the plan of a warm-up",
    read: async (posthorn, owner) => {
      const { id } = (await answered(ask(posthorn, "GET /domains"))).data[0];
      const plan = await answered(owner.ask(`PUT /domains/${id}/warmup`, { body: { days: [50, 100] } }));
      return { ...plan, id };
    },
    change: "PUT /domains/{id}/warmup",
    bodies: [{ days: [60, 100] }, { days: [70, 100] }],
  },
  {
    name: "the role of a member",
    read: async (posthorn, owner) => {
      await somebody(posthorn, "EDITOR");
      const members = (await answered(owner.ask("GET /members"))).data as Json[];
      return members.find(({ role }) => role === "EDITOR");
    },
    change: "PATCH /members/{id}",
    bodies: [{ role: "ADMIN" }, { role: "SUPPORT" }],
  },
  {
    name: "a user",
    read: async (posthorn, owner) => {
      await somebody(posthorn, "EDITOR");
      const users = (await answered(owner.ask("GET /users"))).data as Json[];
      return users.find(({ owner: isOwner }) => !isOwner);
    },
    change: "PATCH /users/{id}",
    bodies: [{ owner: true }, { owner: false }],
  },
  {
    name: "a workspace of the server",
    read: async (_, owner) => (await answered(owner.ask("GET /workspaces"))).data[0],
    change: "PATCH /workspaces/{id}",
    bodies: [{ name: "eva" }, { name: "ada" }],
  },
  {
    name: "a way out",
    read: (_, owner) =>
      answered(owner.ask("POST /installation/ways", { body: { name: "spare", kind: "capture", ratePerSecond: 3 } })),
    change: "PATCH /installation/ways/spare",
    bodies: [{ ratePerSecond: 4 }, { ratePerSecond: 5 }],
  },
];

test.each(EDITED)("$name that somebody else has saved since is not overwritten", async ({ read, change, bodies }) => {
  await using posthorn = await workspace();
  const owner = await somebody(posthorn, "OWNER");
  const seen = await read(posthorn, owner);
  const route = change.replace("{id}", seen.id);
  const [first, second] = bodies.map((body) => ({ ...body, ifUpdatedAt: seen.updatedAt }));
  const saved = await owner.ask(route, { body: first });
  expect(saved.status).toBe(200);
  const refused = await owner.ask(route, { body: second });
  expect([refused.status, refused.body.error.reason]).toEqual([409, "saved_since"]);
  const again = await owner.ask(route, { body: { ...second, ifUpdatedAt: saved.body.updatedAt } });
  expect(again.status).toBe(200);
  expect((await owner.ask(route, { body: { ...second, ifUpdatedAt: "yesterday" } })).body.error.errors[0].field).toBe(
    "ifUpdatedAt",
  );
  // Programs that do not say what they have seen go on as before.
  expect((await owner.ask(route, { body: bodies[0] })).status).toBe(200);
});

test("a step of a workflow counts as the workflow, and the copy of a record is its maker's", async () => {
  await using posthorn = await workspace();
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
      await using posthorn = await workspace();
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
