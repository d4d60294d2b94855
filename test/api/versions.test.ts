// What templates and campaigns said before: kept with each change, compared, put back.
import { describe, expect, test } from "bun:test";
import { somebody } from "../support/people.ts";
import type { Json } from "../support/posthorn.ts";
import { ask, countOf, everything } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const said = { name: "News", subject: "One", body: "<p>One</p>", from: "news@example.test" };
const KINDS = [
  { noun: "template", path: "/templates", method: "PATCH", input: { ...said, type: "MARKETING" } },
  { noun: "campaign", path: "/campaigns", method: "PUT", input: { ...said, audienceType: "ALL" } },
] as const;

const recordIn = (body: Json) => body.data ?? body;
const MINUTE_MS = 60_000;

describe.each(KINDS)("a $noun", ({ path, method, input }) => {
  async function scene() {
    const posthorn = await workspace();
    const [eva, ada] = [await somebody(posthorn, "ADMIN"), await somebody(posthorn, "OWNER")];
    const made = recordIn((await eva.ask(`POST ${path}`, { body: input })).body);
    const route = `${path}/${made.id}`;
    const save = async (who: typeof eva, body: object) =>
      recordIn((await who.ask(`${method} ${route}`, { body })).body);
    const versions = async (): Promise<Json[]> => (await eva.ask(`GET ${route}/versions`)).body.versions;
    const version = async (id: string, query = "") => (await eva.ask(`GET ${route}/versions/${id}${query}`)).body;
    return { posthorn, eva, ada, made, route, save, versions, version };
  }

  test("keeps what it said; what one person saves within five minutes is one version", async () => {
    const { posthorn, eva, ada, made, save, versions, version } = await scene();
    await using _ = posthorn;
    expect(await versions()).toEqual([
      {
        id: expect.any(String),
        number: 1,
        savedBy: made.updatedBy,
        startedAt: made.updatedAt,
        savedAt: made.updatedAt,
      },
    ]);
    for (const subject of ["On", "One!", "One!!"]) {
      posthorn.clock.advance(MINUTE_MS);
      await save(eva, { subject });
    }
    expect((await versions()).length).toBe(1);
    posthorn.clock.advance(2 * MINUTE_MS);
    await save(eva, { subject: "Two", preheader: "Now" });
    await save(ada, { body: "<p>Three</p>" });
    const named = await save(ada, { name: "Other", body: "<p>Three</p>" });
    const [third, second, first] = await versions();
    expect((await versions()).length).toBe(3);
    expect([first.savedBy.name, second.savedBy.name, third.savedBy.name]).toEqual(["ADMIN", "ADMIN", "OWNER"]);
    const shown = await version(second.id);
    expect(shown.content).toEqual({
      ...{ subject: "Two", preheader: "Now", body: "<p>One</p>", text: null },
      ...{ from: said.from, fromName: null, replyTo: null, design: null, topic: null, tags: [], metadata: {} },
    });
    expect(shown.changed).toEqual(["subject", "preheader"]);
    expect(shown.comparedWith.content.subject).toBe("One!!");
    expect((await version(third.id, `?with=${first.id}`)).changed).toEqual(["subject", "preheader", "body"]);
    expect((await version(first.id)).comparedWith).toBeNull();
    expect(named.updatedBy.name).toBe("OWNER");
  });

  test("says again what it said, as a version of its own that can be taken back", async () => {
    const { posthorn, eva, route, save, versions, version } = await scene();
    await using _ = posthorn;
    const design = { kind: "mjml", source: "<mjml>" };
    posthorn.clock.advance(10 * MINUTE_MS);
    const changed = await save(eva, { subject: "Two", body: "<p>Two</p>", design, name: "Renamed" });
    const [second, first] = await versions();
    const restore = (id: string, body: object = {}) => eva.ask(`POST ${route}/versions/${id}/restore`, { body });
    const stale = await restore(first.id, { ifUpdatedAt: "2026-01-01T00:00:00Z" });
    expect([stale.status, stale.body.error.reason]).toEqual([409, "saved_since"]);
    const back = recordIn((await restore(first.id, { ifUpdatedAt: changed.updatedAt })).body);
    expect([back.name, back.subject, back.body, back.design, back.from]).toEqual([
      "Renamed",
      "One",
      "<p>One</p>",
      null,
      said.from,
    ]);
    expect((await versions()).length).toBe(3);
    expect((await version(second.id)).content.design).toEqual(design);
    expect(recordIn((await restore(second.id)).body)).toMatchObject({ subject: "Two", design });
    expect((await versions()).length).toBe(4);
    expect((await restore("0199a3b4-0000-7000-8000-000000000000")).body.error.code).toBe("VERSION_NOT_FOUND");
  });

  test("keeps the last fifty, and a copy begins with its own", async () => {
    const { posthorn, eva, route, save, versions, version } = await scene();
    await using _ = posthorn;
    for (let n = 0; n < 55; n++) {
      posthorn.clock.advance(6 * MINUTE_MS);
      await save(eva, { subject: `No ${n}` });
    }
    const kept = await versions();
    expect(kept.length).toBe(50);
    expect((await version(kept.at(-1).id)).content.subject).toBe("No 5");
    const copy = recordIn((await eva.ask(`POST ${route}/duplicate`)).body);
    expect((await eva.ask(`GET ${path}/${copy.id}/versions`)).body.versions.length).toBe(1);
    await eva.ask(`DELETE ${route}`);
    await posthorn.settle();
    expect(await countOf(posthorn, "versions")).toBe(1);
  });

  test("that was there before versions were keeps what it said at its first change", async () => {
    const { posthorn, ada, made, save, versions, version } = await scene();
    await using _ = posthorn;
    await posthorn.store.write((tx) => tx.run`delete from versions`);
    expect(await versions()).toEqual([]);
    await save(ada, { subject: "Two" });
    const [second, first] = await versions();
    expect([first.savedBy.name, first.savedAt, second.savedBy.name]).toEqual(["ADMIN", made.updatedAt, "OWNER"]);
    expect((await version(first.id)).content.subject).toBe("One");
  });

  test("is changed by ten at the same moment, each of which is a version or none is lost", async () => {
    const { posthorn, route, versions } = await scene();
    await using _ = posthorn;
    const save = (n: number) => ask(posthorn, `${method} ${route}`, { body: { subject: `No ${n}` } });
    await Promise.all(Array.from({ length: 10 }, (_, n) => save(n)));
    expect((await versions()).length).toBe(11);
    const { subject } = recordIn((await ask(posthorn, `GET ${route}`)).body);
    const [latest] = await versions();
    expect((await ask(posthorn, `GET ${route}/versions/${latest.id}`)).body.content.subject).toBe(subject);
  });
});

test("A campaign that has started is not put back", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", subscribed: true } });
  const { id } = (await ask(posthorn, "POST /campaigns", { body: KINDS[1].input })).body.data;
  const [version] = (await ask(posthorn, `GET /campaigns/${id}/versions`)).body.versions;
  await ask(posthorn, `POST /campaigns/${id}/send`, { body: {} });
  const before = await everything(posthorn);
  const refused = await ask(posthorn, `POST /campaigns/${id}/versions/${version.id}/restore`, { body: {} });
  expect(refused.body.error.code).toBe("CAMPAIGN_STATE");
  expect(await everything(posthorn)).toEqual(before);
});
