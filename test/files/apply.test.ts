// What an apply does with a workspace, and what it refuses.
import { afterAll, beforeEach, afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { freshDirectory } from "../support/database.ts";
import { addOneOfEach, Files } from "../support/email-as-code.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { somebody } from "../support/people.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";
import { addKeys, addWorkspace } from "../support/workspaces.ts";

const folder = freshDirectory();
afterAll(folder.remove);

let posthorn: Posthorn;
let ids: Awaited<ReturnType<typeof addOneOfEach>>;
let files: Files;
beforeEach(async () => {
  posthorn = await workspace();
  ids = await addOneOfEach(posthorn);
  files = new Files(mkdtempSync(join(folder.path, "mail-")), posthorn);
  await files.run("pull");
});
afterEach(() => posthorn[Symbol.asyncDispose]());

const get = async (path: string): Promise<Json> => (await ask(posthorn, `GET ${path}`)).body;
const topic = (nr: number) => ({ kind: "topics", name: `topic-${nr}`, fields: { name: { en: `Topic ${nr}` } } });
const apply = (body: object, key?: string) =>
  ask(posthorn, "POST /content/apply", { body, ...(key === undefined ? {} : { key: { bearer: key } }) });

describe("a change in a file", () => {
  test("is shown by a plan, which changes nothing, and made by an apply", async () => {
    files.change("templates/welcome.html", "<h1>Welcome</h1>", "<h1>Hello</h1>");
    files.change("templates/welcome.yaml", "subject: Welcome", "subject: Hello");
    const planned = await files.run("plan");
    expect(planned).toEqual({
      code: 2,
      err: "",
      out: [
        "~ templates/welcome",
        "    templates/welcome.yaml",
        "        name: Welcome",
        "        type: MARKETING",
        "      - subject: Welcome, {{ name ?? 'friend' }}",
        "      + subject: Hello, {{ name ?? 'friend' }}",
        "        from: shop@example.test",
        "        fromName: Shop",
        "      …",
        "    templates/welcome.html",
        "      - <h1>Welcome</h1>",
        "      + <h1>Hello</h1>",
        "        <p>{{ company }}</p>",
        "0 new, 1 changed, 0 deleted, 10 as they were.",
      ].join("\n"),
    });
    expect((await get("/templates/welcome")).body).toContain("<h1>Welcome</h1>");
    expect(await files.run("apply")).toEqual({ ...planned, code: 0 });
    expect((await get("/templates/welcome")).body).toContain("<h1>Hello</h1>");
    expect((await files.run("plan")).code).toBe(0);
  });

  test("of each kind is made", async () => {
    files.change("topics/news.yaml", "Product news", "All news");
    files.change("segments/pro-users.yaml", "value: pro", "value: business");
    files.write("blocks/our-signature.html", "<p>Cheers</p>");
    files.change("brand/brand.yaml", "#9a5b12", "#123456");
    files.change("forms/newsletter.yaml", "en: News", "en: All news");
    files.change("workflows/weekly.yaml", "0 9 * * 1", "0 7 * * 5");
    files.change("webhooks/the-shop.yaml", "email.*", "email.bounce");
    expect((await files.run("apply")).out).toEndWith("0 new, 7 changed, 0 deleted, 4 as they were.");
    expect((await get("/topics/news")).name.en).toBe("All news");
    expect((await get(`/segments/${ids.pro.id}`)).condition.groups[0].filters[0].value).toBe("business");
    expect((await get("/blocks")).data[0].body).toBe("<p>Cheers</p>");
    expect((await get("/workspace/brand")).colors.accent).toBe("#123456");
    expect((await get(`/forms/${ids.form.id}`)).title.en).toBe("All news");
    expect((await get(`/workflows/${ids.weekly.id}`)).triggerConfig.cron).toBe("0 7 * * 5");
    expect((await get(`/webhooks/${ids.webhook.id}`)).events).toEqual(["email.bounce"]);
  });

  test("keeps a secret that is masked, and takes another from the environment", async () => {
    files.change("webhooks/the-shop.yaml", "description: The shop", "description: Our shop");
    files.change("workflows/after-a-sign-up.yaml", "••••••••", "Bearer ${HOOK_TOKEN}");
    expect((await files.run("plan")).err).toBe(
      "1 fault; nothing was changed.\nworkflows/after-a-sign-up.yaml:41: The environment has no HOOK_TOKEN.",
    );
    const filled = files.as(posthorn.keys, { HOOK_TOKEN: "fresh" });
    const planned = await filled.run("plan");
    expect(planned.out).toContain("~ workflows/after-a-sign-up\n    a secret, or space at the end of a line");
    expect(planned.out).not.toContain("fresh");
    expect((await filled.run("apply")).code).toBe(0);
    expect((await get(`/webhooks/${ids.webhook.id}`)).headers).toEqual({ "X-Token": "very-secret" });
    const { steps } = await get(`/workflows/${ids.workflow.id}`);
    expect(steps.at(-1).config.headers).toEqual({ Authorization: "Bearer fresh" });
    expect((await filled.run("plan")).code).toBe(0);
    await filled.run("pull");
    expect(files.read("workflows/after-a-sign-up.yaml")).toContain("Authorization: Bearer ${HOOK_TOKEN}");
  });

  test("leaves out what the file leaves out", async () => {
    files.change("templates/welcome.yaml", "topic: news\n", "");
    files.remove("templates/welcome.txt");
    await files.run("apply");
    expect(await get("/templates/welcome")).toMatchObject({ topic: null, text: null });
  });
});

test("files alone make a workspace: what they name comes before what names it", async () => {
  const keys = await addWorkspace(posthorn, { name: "Fresh", domain: "fresh.test" });
  const fresh = new Files(mkdtempSync(join(folder.path, "mail-")), posthorn).as(keys);
  fresh.write(
    "segments/a-readers.yaml",
    "condition: { groups: [{ filters: [{ field: segment.b-pro, operator: memberOf }] }] }",
  );
  fresh.write(
    "segments/b-pro.yaml",
    "condition: { groups: [{ filters: [{ field: data.plan, operator: equals, value: pro }] }] }",
  );
  fresh.write("templates/hello.yaml", "subject: Hello\nfrom: shop@fresh.test");
  fresh.write("templates/hello.html", "<p>Hello</p>");
  fresh.write("templates/hello.tsx", "export const Hello = () => <p>Hello</p>;");
  fresh.write("README.md", "# Our mail");
  fresh.write(
    "workflows/greet.yaml",
    "enabled: true\ntrigger: { eventName: signup, next: mail }\nsteps: { mail: { type: SEND_EMAIL, config: { template: hello } } }",
  );
  expect(await fresh.run("apply")).toMatchObject({ code: 0, err: "" });
  const key = { bearer: keys.secret };
  const { body } = await ask(posthorn, "GET /workflows?status=active", { key });
  expect(body.data).toMatchObject([{ name: "greet", enabled: true }]);
  expect((await ask(posthorn, "GET /templates/hello", { key })).body).toMatchObject({
    name: "hello",
    type: "TRANSACTIONAL",
  });
});

test("a secret does not go to another host than the one for which it was stored", async () => {
  files.change("webhooks/the-shop.yaml", "https://shop.example.com", "https://elsewhere.example.com");
  files.change("workflows/after-a-sign-up.yaml", "https://shop.example.com", "https://elsewhere.example.com");
  const { code, err } = await files.run("apply");
  expect([code, err]).toEqual([1, expect.stringContaining("2 faults; nothing was changed.")]);
  expect(err).toContain("webhooks/the-shop.yaml:1: The URL has another host, and the headers have masks.");
  files.change("webhooks/the-shop.yaml", "••••••••", "a-new-one");
  files.change("workflows/after-a-sign-up.yaml", "••••••••", "Bearer new");
  expect((await files.run("apply")).code).toBe(0);
});

test("a workspace has one brand, and its files one name", async () => {
  const item = { kind: "brand", name: "other", fields: { footer: "<p>Other</p>" } };
  expect((await apply({ items: [item] })).body.error.errors[0]).toMatchObject({ field: "items.0", code: "conflict" });
  expect((await get("/workspace/brand")).footer).toBe("<p>Acme</p>");
});

describe("what was changed on screen", () => {
  const onScreen = () => ask(posthorn, "PATCH /templates/welcome", { body: { subject: "From the screen" } });

  test("is a conflict until it is pulled", async () => {
    await files.run("apply");
    posthorn.clock.advance(60_000);
    await onScreen();
    files.change("templates/welcome.html", "Welcome", "Hello");
    const planned = await files.run("plan");
    expect(planned.code).toBe(3);
    expect(planned.out).toContain("! Somebody saved it at 2026-03-01T09:01:00.000Z, after the last pull.");
    const applied = await files.run("apply");
    expect(applied).toMatchObject({ code: 3, out: "" });
    expect(applied.err).toBe(
      "Nothing was changed.\nSomebody saved templates/welcome at 2026-03-01T09:01:00.000Z, after the last pull.\nPull them, put your change onto what they say now, and apply again.",
    );
    await files.run("pull");
    expect(files.read("templates/welcome.yaml")).toContain("subject: From the screen");
    files.change("templates/welcome.html", "Welcome", "Hello");
    expect((await files.run("apply")).code).toBe(0);
  });

  test("is no conflict if an apply has changed it: a second one needs no pull between", async () => {
    for (const word of ["Hello", "Hi", "Good day"]) {
      posthorn.clock.advance(60_000);
      files.write("templates/welcome.html", `<h1>${word}</h1>`);
      expect((await files.run("apply")).code).toBe(0);
    }
  });

  test("is a conflict for files that nobody has pulled", async () => {
    const others = new Files(mkdtempSync(join(folder.path, "mail-")), posthorn);
    others.write("templates/welcome.yaml", "subject: Mine");
    others.write("templates/welcome.html", "<p>Mine</p>");
    expect((await others.run("apply")).code).toBe(3);
    expect((await get("/templates/welcome")).subject).toStartWith("Welcome");
  });

  test("at the same moment is never overwritten", async () => {
    await files.run("apply");
    const { items } = (await ask(posthorn, "GET /content/items")).body;
    const { fields } = items.find((one: Json) => one.name === "welcome");
    for (let round = 1; round <= 10; round++) {
      const item = { kind: "templates", name: "welcome", fields: { ...fields, preheader: `By files ${round}` } };
      const body = { subject: `By hand ${round}` };
      const [applied] = await Promise.all([
        apply({ items: [item] }),
        ask(posthorn, "PATCH /templates/welcome", { body }),
      ]);
      expect([200, 409, 422]).toContain(applied.status);
      const { subject, updatedAt } = await get("/templates/welcome");
      expect(subject).toBe(body.subject);
      await apply({ items: [{ ...item, ifUpdatedAt: updatedAt }] });
    }
  });

  test("is told as drift", async () => {
    expect((await get("/content?kept=true")).items).toEqual([]);
    await files.run("apply");
    posthorn.clock.advance(60_000);
    await onScreen();
    const { items } = await get("/content?kept=true");
    expect(items.filter((one: Json) => one.isChanged).map((one: Json) => `${one.kind}/${one.name}`)).toEqual([
      "templates/welcome",
    ]);
    expect(items).toHaveLength(11);
  });

  test("under another name keeps its file", async () => {
    await files.run("apply");
    await ask(posthorn, `PATCH /workflows/${ids.weekly.id}`, { body: { name: "Every week" } });
    await files.run("pull");
    expect(files.read("workflows/weekly.yaml")).toContain("name: Every week");
    expect((await files.run("plan")).code).toBe(0);
  });

  test("to nothing takes its files with the next pull", async () => {
    await ask(posthorn, `DELETE /workflows/${ids.weekly.id}`);
    expect((await files.run("pull")).out).toContain("Removed the files of workflows/weekly.");
    expect(Object.keys(files.all())).not.toContain("workflows/weekly.yaml");
  });
});

describe("what has no file any more", () => {
  beforeEach(async () => {
    await files.run("apply");
    files.remove("workflows/weekly.yaml");
    files.remove("segments/pro-readers.yaml");
  });

  test("stays", async () => {
    const { code, out } = await files.run("apply");
    expect(code).toBe(0);
    expect(out).toContain("Without files, but not deleted without --prune: segments/pro-readers, workflows/weekly");
    expect((await get("/workflows")).data).toHaveLength(2);
  });

  test("is deleted with --prune, and what names others first", async () => {
    expect((await files.run("plan", "--prune")).code).toBe(2);
    const { code, out } = await files.run("apply", "--prune");
    expect({ code, out }).toEqual({
      code: 0,
      out: "- workflows/weekly\n- segments/pro-readers\n0 new, 0 changed, 2 deleted, 9 as they were.",
    });
    expect((await get("/workflows")).data).toHaveLength(1);
    expect((await files.run("plan", "--prune")).code).toBe(0);
  });

  test("is deleted once: a brand that is gone is no change", async () => {
    files.remove("brand/brand.yaml");
    files.remove("brand/brand.html");
    expect((await files.run("apply", "--prune")).out).toContain("- brand/brand");
    expect((await get("/workspace/brand")).footer).toBeNull();
    expect((await files.run("plan", "--prune")).code).toBe(0);
  });

  test("is not deleted if it was changed on screen since", async () => {
    posthorn.clock.advance(60_000);
    await ask(posthorn, `PATCH /workflows/${ids.weekly.id}`, { body: { description: "Still in use" } });
    expect((await files.run("apply", "--prune")).code).toBe(3);
    expect((await get("/workflows")).data).toHaveLength(2);
  });

  test("is not deleted if files never had it", async () => {
    await ask(posthorn, "POST /blocks", { body: { name: "By hand", body: "<p>Mine</p>" } });
    await files.run("apply", "--prune");
    expect((await get("/blocks")).data.map((one: Json) => one.name)).toContain("By hand");
  });

  test("and is used by what has one, is refused, and all stays as it was", async () => {
    files.remove("templates/welcome.yaml");
    files.remove("templates/welcome.html");
    files.remove("templates/welcome.txt");
    const { code, err } = await files.run("apply", "--prune");
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("still in use") });
    expect((await get("/workflows")).data).toHaveLength(2);
  });
});

describe("people", () => {
  beforeEach(async () => {
    for (const [name, plan] of [
      ["ada", "pro"],
      ["bob", "pro"],
      ["cleo", "business"],
    ])
      await ask(posthorn, "POST /contacts", { body: { email: `${name}@example.com`, data: { plan } } });
  });

  test("who would enter and leave a segment are counted in a plan", async () => {
    files.change("segments/pro-users.yaml", "value: pro", "value: business");
    const { out } = await files.run("plan");
    expect(out).toContain("~ segments/pro-users  (1 person would enter, 2 people would leave)");
  });

  test("who would enter a new segment are counted", async () => {
    files.write("segments/all.yaml", "condition: { groups: [{ filters: [{ field: data.plan, operator: exists }] }] }");
    expect((await files.run("plan")).out).toContain("+ segments/all  (3 people would enter)");
  });

  test("inside a workflow go on by the version on which they started", async () => {
    await ask(posthorn, "POST /v1/track", { body: { event: "signup", email: "ada@example.com" } });
    await posthorn.settle();
    const before = await get(`/workflows/${ids.workflow.id}`);
    files.change("workflows/after-a-sign-up.yaml", "amount: 1\n", "amount: 2\n");
    expect((await files.run("plan")).out).toContain(
      "~ workflows/after-a-sign-up  (1 person inside go on as they started)",
    );
    await files.run("apply");
    const after = await get(`/workflows/${ids.workflow.id}`);
    expect(after.steps.map((step: Json) => step.id)).toEqual(before.steps.map((step: Json) => step.id));
    const { versions } = await get(`/workflows/${ids.workflow.id}/versions`);
    expect(versions).toMatchObject([{ inside: 1, isCurrent: false }]);
  });
});

describe("faults", () => {
  test("are told all at once, each with its file and line, and nothing is changed", async () => {
    files.write("blocks/our-signature.html", "<p>Yours,\n{{ name</p>\n");
    files.change("templates/welcome.yaml", "type: MARKETING", "type: SPAM");
    files.change("segments/pro-users.yaml", "operator: equals", "operator: resembles");
    files.change("workflows/weekly.yaml", "0 9 * * 1", "at nine");
    files.change("workflows/after-a-sign-up.yaml", "template: welcome", "template: welcom");
    files.change("webhooks/the-shop.yaml", "headers:", "colour: red\nheaders:");
    files.change("topics/news.yaml", "Product news", "All news");
    const { code, err } = await files.run("apply");
    expect(code).toBe(1);
    expect(err).toMatchSnapshot();
    expect((await get("/topics/news")).name.en).toBe("Product news");
  });

  test("of the files themselves are told without a server", async () => {
    files.write("topics/broken.yaml", "name: [\n");
    files.write("topics/list.yaml", "- a\n- b\n");
    files.write("topics/starred.yaml", "name: { en: *News* }\n");
    files.write("topics/other.yml", "name: { en: Other }\n");
    files.write("templates/alone.html", "<p>Alone</p>");
    files.write("templates/welcome.design.json", "{");
    files.change("templates/welcome.yaml", "topic: news", "body: <p>Hi</p>");
    const { code, err } = await files.run("plan");
    expect(code).toBe(1);
    expect(err).toMatchSnapshot();
  });

  test("of one item keep all others from being written", async () => {
    const good = topic(1);
    const { status } = await apply({ items: [good, { ...topic(2), fields: {} }] });
    expect(status).toBe(422);
    // It could be written alone.
    expect((await ask(posthorn, "POST /content/plan", { body: { items: [good] } })).body.changes).toHaveLength(1);
    expect((await get("/topics")).count).toBe(1);
  });

  test("are 501 items, 1,001 steps, and the same item twice", async () => {
    const many = Array.from({ length: 501 }, (_, nr) => topic(nr));
    expect((await apply({ items: many })).status).toBe(422);
    const some = many.slice(0, 300).map(({ kind, name }) => ({ kind, name }));
    expect((await apply({ items: many.slice(300), remove: some })).body.error.errors[0]).toMatchObject({
      field: "items",
      code: "too_big",
    });
    const steps = Object.fromEntries(Array.from({ length: 1_001 }, (_, nr) => [`step-${nr}`, { type: "EXIT" }]));
    const long = { kind: "workflows", name: "long", fields: { trigger: { eventName: "signup" }, steps } };
    expect((await apply({ items: [long] })).body.error.errors).toMatchObject([{ field: "items", code: "too_big" }]);
    expect((await apply({ items: [topic(1), topic(1)] })).body.error.errors[0]).toMatchObject({
      field: "items.1.name",
    });
    const remove = [{ kind: "topics", name: "topic-1" }];
    expect((await apply({ items: [topic(1)], remove })).body.error.errors[0]).toMatchObject({ field: "remove.0.name" });
    expect((await get("/topics")).count).toBe(1);
  });
});

test("a directory may be larger than a request: what is there already is only named", async () => {
  for (let nr = 0; nr < 6; nr++) {
    const body = `${nr}${"x".repeat(450_000)}`;
    await ask(posthorn, "POST /templates", {
      body: { name: `Long ${nr}`, subject: "s", type: "TRANSACTIONAL", body },
    });
  }
  await files.run("pull");
  files.write("templates/long-3.html", "<p>Short</p>");
  expect((await files.run("apply")).out).toEndWith("0 new, 1 changed, 0 deleted, 16 as they were.");
});

test("a person may apply what their role may write", async () => {
  const editor = await somebody(posthorn, "EDITOR");
  const send = (item: object) => editor.ask("POST /content/apply", { body: { items: [item] } });
  expect((await send(topic(1))).status).toBe(200);
  const webhook = { kind: "webhooks", name: "mine", fields: { url: "https://mine.example.com", events: ["email.*"] } };
  expect((await send(webhook)).body.error.message).toBe("Your role does not have the permission keys.");
  expect((await get("/webhooks")).webhooks).toHaveLength(1);
});

describe("a key for email as code", () => {
  test("pulls, plans and applies", async () => {
    const keys = await addKeys(posthorn, { permissions: "content" });
    const own = files.as(keys);
    files.change("topics/news.yaml", "Product news", "All news");
    expect((await own.run("plan")).code).toBe(2);
    expect((await own.run("apply")).code).toBe(0);
    expect((await own.run("pull")).code).toBe(0);
    expect((await get("/keys")).data).toContainEqual(expect.objectContaining({ permissions: "content" }));
  });

  test("does nothing else", async () => {
    const { secret } = await addKeys(posthorn, { permissions: "content" });
    for (const route of [
      "GET /contacts",
      "GET /templates",
      "POST /templates",
      "POST /v1/send",
      "GET /workspace",
      "POST /keys",
    ]) {
      const { status, body } = await ask(posthorn, route, {
        key: { bearer: secret },
        ...(route.startsWith("POST") ? { body: {} } : {}),
      });
      expect([route, status, body.error.code]).toEqual([route, 403, "FORBIDDEN"]);
    }
  });

  test("is needed: one that only reads pulls, and one that only sends does not", async () => {
    const reading = files.as(await addKeys(posthorn, { permissions: "read" }));
    expect((await reading.run("pull")).code).toBe(0);
    expect((await reading.run("apply")).err).toContain("The API key has the permission read; this call needs content.");
    const sending = files.as(await addKeys(posthorn, { permissions: "send" }));
    expect((await sending.run("pull")).code).toBe(1);
    const scoped = files.as(await addKeys(posthorn, { domains: ["example.test"] }));
    expect((await scoped.run("apply")).code).toBe(1);
  });
});

test("another workspace's things do not exist", async () => {
  const keys = await addWorkspace(posthorn, { name: "Other", domain: "other.test" });
  const other = new Files(mkdtempSync(join(folder.path, "mail-")), posthorn).as(keys);
  expect((await other.run("pull")).out).toStartWith("Wrote 0 items");
  other.write(
    "workflows/mine.yaml",
    `trigger: { eventName: a, next: mail }\nsteps: { mail: { type: SEND_EMAIL, config: { template: ${ids.template.id} } } }`,
  );
  expect((await other.run("apply")).err).toContain("There is no such template.");
  const remove = [{ kind: "templates", name: "welcome" }];
  expect((await apply({ items: [], remove }, keys.secret)).body).toEqual({ changes: [], unchanged: 0 });
  expect((await get("/templates/welcome")).name).toBe("Welcome");
});
