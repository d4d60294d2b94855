// What has happened, as a list: newest first, by name, by contact, page by page.
import { describe, expect, test } from "bun:test";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, scenarios } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

async function track(posthorn: Posthorn, email: string, event: string, data: object = {}): Promise<string> {
  return (await ask(posthorn, "POST /v1/track", { body: { email, event, data } })).body.data.event;
}

async function contactIdOf(posthorn: Posthorn, email: string): Promise<string> {
  return (await ask(posthorn, "POST /contacts", { body: { email } })).body.id;
}

async function namesIn(posthorn: Posthorn, query = ""): Promise<string[]> {
  const { body } = await ask(posthorn, `GET /events${query}`);
  return body.events.map(({ name }: { name: string }) => name);
}

describe("GET /events", () => {
  test("shows what was tracked, with its data and its contact (slow)", async () => {
    await using posthorn = await workspace();
    const id = await track(posthorn, "ada@example.com", "order.placed", { total: 42 });
    const contact = await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com" } });
    expect((await ask(posthorn, "GET /events")).body).toEqual({
      events: [
        {
          id,
          name: "order.placed",
          contactId: contact.body.id,
          contactEmail: "ada@example.com",
          emailId: null,
          data: { total: 42 },
          projectId: contact.body.projectId,
          createdAt: "2026-03-01T09:00:00.000Z",
        },
      ],
      cursor: null,
      hasMore: false,
    });
  });

  test("shows what became of a mail, with the mail", async () => {
    await using posthorn = await workspace();
    const [mail] = (await ask(posthorn, "POST /v1/send", { body: letter })).body.data.emails;
    await posthorn.settle();
    const { body } = await ask(posthorn, "GET /events?eventName=email.sent");
    expect(body.events).toMatchObject([{ name: "email.sent", emailId: mail.email, contactId: mail.contact.id }]);
  });

  test("ends a page early where events say very much; the cursor leads through all of them (slow)", async () => {
    await using posthorn = await workspace();
    for (let n = 0; n < 150; n++) {
      const text = { value: "x".repeat(50_000), persistent: false };
      await track(posthorn, "ada@example.com", `visit.${n}`, { text });
    }
    const seen: string[] = [];
    for (let query = "?limit=1000"; query !== "";) {
      const { events, cursor, hasMore } = (await ask(posthorn, `GET /events${query}`)).body;
      expect(JSON.stringify(events).length).toBeLessThan(5 * 1024 * 1024);
      expect([hasMore, events.length > 0]).toEqual([cursor !== null, true]);
      seen.push(...events.map(({ name }: { name: string }) => name));
      query = hasMore ? `?limit=1000&cursor=${cursor}` : "";
    }
    expect(seen).toEqual(Array.from({ length: 150 }, (_, n) => `visit.${149 - n}`));
  });

  test("takes a name, a contact, or both", async () => {
    await using posthorn = await workspace();
    for (const event of ["a", "b", "a"]) await track(posthorn, "ada@example.com", event);
    for (const event of ["b", "c"]) await track(posthorn, "eve@example.com", event);
    const ada = await contactIdOf(posthorn, "ada@example.com");
    expect(await namesIn(posthorn)).toEqual(["c", "b", "a", "b", "a"]);
    expect(await namesIn(posthorn, "?eventName=b")).toEqual(["b", "b"]);
    expect(await namesIn(posthorn, `?contactId=${ada}`)).toEqual(["a", "b", "a"]);
    expect(await namesIn(posthorn, `?contactId=${ada}&eventName=a`)).toEqual(["a", "a"]);
    expect(await namesIn(posthorn, `?contactId=${ada}&eventName=c`)).toEqual([]);
    expect(await namesIn(posthorn, "?eventName=A")).toEqual([]);
  });

  test.each(["", "&eventName=x", "&contactId=$"])(
    "goes page by page, and new ones move nothing (%s)",
    async (filter) => {
      await using posthorn = await workspace();
      const ids: string[] = [];
      for (let number = 0; number < 6; number++) ids.unshift(await track(posthorn, "ada@example.com", "x", { number }));
      const asked = filter.replace("$", await contactIdOf(posthorn, "ada@example.com"));
      const seen: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const page = await ask(posthorn, `GET /events?limit=2${asked}${cursor && `&cursor=${cursor}`}`);
        expect(page.body.hasMore).toBe(page.body.cursor !== null);
        seen.push(...page.body.events.map(({ id }: { id: string }) => id));
        cursor = page.body.cursor;
        await track(posthorn, "ada@example.com", "x");
      }
      expect(seen).toEqual(ids);
    },
  );

  test("shows a hundred unless more are asked for (slow)", async () => {
    await using posthorn = await workspace();
    for (let number = 0; number < 102; number++) await track(posthorn, "ada@example.com", "x");
    expect(await namesIn(posthorn)).toHaveLength(100);
    expect(await namesIn(posthorn, "?limit=1000")).toHaveLength(102);
  });

  test("knows no contact of a stranger", async () => {
    await using posthorn = await workspace();
    await track(posthorn, "ada@example.com", "x");
    const id = await contactIdOf(posthorn, "ada@example.com");
    const key = { bearer: (await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" })).secret };
    const { status, body } = await ask(posthorn, `GET /events?contactId=${id}`, { key });
    expect([status, body.error.code]).toEqual([404, "CONTACT_NOT_FOUND"]);
    expect((await ask(posthorn, "GET /events", { key })).body.events).toEqual([]);
  });

  const bad: readonly [query: string, fields: Record<string, string>][] = [
    ["limit=0", { limit: "too_small" }],
    ["limit=1001", { limit: "too_big" }],
    ["limit=x", { limit: "invalid_type" }],
    ["cursor=", { cursor: "invalid" }],
    ["cursor=x", { cursor: "invalid" }],
    [`cursor=${btoa('["events",-1]')}`, { cursor: "invalid" }],
    [`cursor=${btoa('["events","7"]')}`, { cursor: "invalid" }],
    [`cursor=${btoa('["contacts",7]')}`, { cursor: "invalid" }],
    ["contactId=", { contactId: "too_small" }],
    [`eventName=${"x".repeat(256)}`, { eventName: "too_big" }],
  ];
  scenarios("is refused", [
    ...bad.map(
      ([query, fields]) =>
        ({ name: `for ${query.slice(0, 40)}`, request: `GET /events?${query}`, status: 400, fields }) as const,
    ),
    {
      name: "for a contact that is not there",
      request: "GET /events?contactId=0199a3b4-0000-7000-8000-000000000000",
      status: 404,
      code: "CONTACT_NOT_FOUND",
    },
  ]);
});

describe("GET /events/names", () => {
  test("names each kind of event once, in order", async () => {
    await using posthorn = await workspace();
    expect((await ask(posthorn, "GET /events/names")).body).toEqual({ eventNames: [] });
    for (const name of ["b", "a", "ä", "B", "b", "счёт", "a"]) await track(posthorn, "ada@example.com", name);
    await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", subscribed: false } });
    const names = ["B", "a", "b", "contact.unsubscribed", "ä", "счёт"];
    expect((await ask(posthorn, "GET /events/names")).body).toEqual({ eventNames: names });
  });

  test("names none of a stranger's", async () => {
    await using posthorn = await workspace();
    await track(posthorn, "ada@example.com", "x");
    const key = { bearer: (await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" })).secret };
    expect((await ask(posthorn, "GET /events/names", { key })).body).toEqual({ eventNames: [] });
  });
});

describe("the names of events", () => {
  test("are counted, the one that came last first", async () => {
    await using posthorn = await workspace();
    for (const event of ["a", "b", "a"]) {
      await track(posthorn, "ada@example.com", event);
      posthorn.clock.advance(1_000);
    }
    const { secret } = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
    expect((await ask(posthorn, "GET /events/counts")).body).toEqual({
      names: [
        { name: "a", count: 2, isLowerBound: false, lastAt: "2026-03-01T09:00:02.000Z" },
        { name: "b", count: 1, isLowerBound: false, lastAt: "2026-03-01T09:00:01.000Z" },
      ],
      hasMore: false,
    });
    expect((await ask(posthorn, "GET /events/counts", { key: { bearer: secret } })).body.names).toEqual([]);
  });

  test("show what their events tell: keys, types and values", async () => {
    await using posthorn = await workspace();
    await track(posthorn, "ada@example.com", "order.placed", { total: 42, items: [1], paid: true, at: "2026-03-01" });
    await track(posthorn, "ada@example.com", "order.placed", { total: "a lot", ship: { city: "Graz" }, note: null });
    await track(posthorn, "ada@example.com", "other", { secret: "x".repeat(200) });
    const shape = async (name: string) => (await ask(posthorn, `GET /events/shape?eventName=${name}`)).body;
    const { events, fields } = await shape("order.placed");
    expect([events, Object.fromEntries(fields.map(({ path, ...rest }: Json) => [path, rest]))]).toEqual([
      2,
      {
        total: { types: ["text", "number"], seen: 2, samples: ["a lot", "42"] },
        items: { types: ["list"], seen: 1, samples: [] },
        paid: { types: ["boolean"], seen: 1, samples: ["true"] },
        at: { types: ["date"], seen: 1, samples: ["2026-03-01"] },
        ship: { types: ["object"], seen: 1, samples: [] },
        "ship.city": { types: ["text"], seen: 1, samples: ["Graz"] },
        note: { types: ["null"], seen: 1, samples: [] },
      },
    ]);
    expect((await shape("other")).fields[0].samples).toEqual(["x".repeat(80)]);
    expect(await shape("nothing")).toEqual({ events: 0, fields: [] });
  });
});
