// The client against the real server: its methods, lists, errors and repeated calls.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTracker } from "../../client/src/browser.ts";
import {
  AuthenticationError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  Posthorn as Client,
  RateLimitError,
  ServerError,
  type ClientOptions,
} from "../../client/src/index.ts";
import { METHODS } from "../../client/src/methods.gen.ts";
import { methodsIn, type Document } from "../../build/client-types.ts";
import { documentOf } from "../support/operations.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { workspace } from "../support/workspace.ts";

let posthorn: Posthorn;
beforeAll(async () => {
  posthorn = await workspace();
});
afterAll(() => posthorn[Symbol.asyncDispose]());

function clientWith(options: Partial<ClientOptions> = {}): Client {
  return new Client({ url: posthorn.server.url, key: posthorn.keys.secret, retryDelayMs: 0, ...options });
}

/** Answers as the server does, but first what is in `before`: a status, or "away". */
function failing(...before: readonly (number | "away" | "lost")[]) {
  const keys: (string | null)[] = [];
  const rest = [...before];
  const flaky = async (url: string, init: RequestInit): Promise<Response> => {
    keys.push(new Headers(init.headers).get("idempotency-key"));
    const fault = rest.shift();
    if (fault === "away") throw new TypeError("away");
    if (fault === "lost") {
      await fetch(url, init);
      throw new TypeError("lost");
    }
    return fault === undefined
      ? fetch(url, init)
      : new Response("{}", { status: fault, headers: { "retry-after": "0" } });
  };
  return { keys, fetch: flaky };
}

const MAIL = { to: "ada@example.com", from: "shop@example.test", subject: "Hello", text: "Hello Ada" };

test("an email is sent, read, listed and fetched as text", async () => {
  const client = clientWith();
  const { data } = await client.emails.send({ ...MAIL, tags: ["first"] });
  const id = data.emails[0]?.email ?? "";
  await posthorn.settle();
  expect(await client.emails.get(id)).toMatchObject({ id, to: "ada@example.com", status: "SENT" });
  const { data: found } = await client.emails.list({ limit: 10, tag: ["first"] });
  expect(found.map((one) => one.id)).toEqual([id]);
  expect(await client.emails.getRaw(id)).toContain("Hello Ada");
});

test("contacts, events and templates have their methods", async () => {
  const client = clientWith();
  const contact = await client.contacts.upsert({ email: "bob+x@example.com", data: { plan: "pro" } });
  expect(contact._meta.isNew).toBe(true);
  expect(await client.contacts.getByEmail("bob+x@example.com")).toMatchObject({ id: contact.id });
  expect(await client.contacts.update(contact.id, { data: { plan: "free" } })).toMatchObject({
    data: { plan: "free" },
  });
  const { data } = await client.events.track({ event: "order.placed", email: "bob+x@example.com" });
  expect(data.contact).toBe(contact.id);
  expect(await client.contacts.delete(contact.id)).toBeUndefined();
});

test("a list is one page, or all items one after the other", async () => {
  const client = clientWith();
  const emails = Array.from({ length: 7 }, (_, at) => `person${at}@list.example.com`);
  for (const email of emails) await client.contacts.upsert({ email });
  const page = await client.contacts.list({ limit: 3, search: "list.example.com" });
  expect([page.data.length, page.hasMore]).toEqual([3, true]);
  const found: string[] = [];
  for await (const contact of client.contacts.list({ limit: 3, search: "list.example.com" })) found.push(contact.email);
  expect(found.toSorted()).toEqual(emails);
  await client.events.track({ event: "list.seen", email: emails[0] as string });
  const names: string[] = [];
  for await (const event of client.events.list()) names.push(event.name);
  expect(names).toContain("list.seen");
});

test("a list with numbers of pages is iterated, too, from the page that is asked for", async () => {
  const client = clientWith();
  const blocks = Array.from({ length: 5 }, (_, at) => `Block ${at}`);
  for (const name of blocks) await client.blocks.create({ name, body: "<p>Yours</p>" });
  const page = await client.blocks.list({ pageSize: 2 });
  expect([page.data.length, page.totalPages]).toEqual([2, 3]);
  const named = async (query: { pageSize?: number; page?: number }) => {
    const names: string[] = [];
    for await (const { name } of client.blocks.list(query)) names.push(name);
    return names.toSorted();
  };
  expect([await named({ pageSize: 2 }), await named({})]).toEqual([blocks, blocks]);
  expect(await named({ pageSize: 2, page: 3 })).toHaveLength(1);
  const { id } = await client.segments.create({ name: "Nobody", type: "STATIC" });
  for await (const nobody of client.segments.listContacts(id)) expect(nobody).toBe("nobody is in it" as never);
});

describe("errors", () => {
  test("are classes with what the server says", async () => {
    const wrong = clientWith().emails.send({ ...MAIL, to: [] });
    const error = await wrong.catch((one: unknown) => one);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ status: 422, code: "VALIDATION_ERROR", requestId: expect.any(String) });
    expect((error as InvalidRequestError).errors[0]?.field).toContain("to");
    const nobody = "0199a3b4-6a2b-7c3d-8e4f-5a6b7c8d9e0f";
    expect(await failure(() => clientWith().emails.get(nobody))).toBeInstanceOf(NotFoundError);
    expect(await failure(() => clientWith({ key: "sk_wrong" }).emails.list())).toBeInstanceOf(AuthenticationError);
    const other = { ...MAIL, from: "shop@other.test" };
    expect(await failure(() => clientWith().emails.send(other))).toBeInstanceOf(PermissionError);
    const away = clientWith({ url: "http://127.0.0.1:1" });
    expect(await failure(() => away.emails.list())).toBeInstanceOf(ConnectionError);
    expect(() => clientWith().emails.get("")).toThrow("id is missing");
    expect(() => clientWith({ key: "" })).toThrow("key is missing");
  });

  test("that pass are tried again, a POST under one key of its own", async () => {
    const { keys, fetch } = failing(503, "lost");
    const { data } = await clientWith({ fetch }).emails.send({ ...MAIL, to: "once@example.com" });
    expect([keys.length, new Set(keys).size, keys[0]]).toEqual([3, 1, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    const sent = await clientWith().emails.list({ limit: 10, search: "once@example.com" });
    expect(sent.data.map(({ id }) => id)).toEqual(data.emails.map(({ email }) => email));
  });

  test("that stay are thrown after the last attempt, and others at once", async () => {
    const limited = failing(429, 429, 429);
    const error = await failure(() => clientWith(limited).contacts.list());
    expect([error, limited.keys.length]).toEqual([expect.any(RateLimitError), 3]);
    expect((error as RateLimitError).retryAfterSeconds).toBe(0);
    const broken = failing(500, 500);
    expect(await failure(() => clientWith({ ...broken, retries: 1 }).contacts.list())).toBeInstanceOf(ServerError);
    const removed = failing("away");
    expect(await failure(() => clientWith(removed).contacts.delete("x"))).toBeInstanceOf(ConnectionError);
    expect(removed.keys.length).toBe(1);
    const refused = failing(422);
    expect(await failure(() => clientWith(refused).emails.send(MAIL))).toBeInstanceOf(InvalidRequestError);
    expect(refused.keys.length).toBe(1);
  });

  test("of a caller who has stopped are the caller's", async () => {
    const stopped = AbortSignal.abort(new Error("enough"));
    expect(await failure(() => clientWith().emails.send(MAIL, { signal: stopped }))).toMatchObject({
      message: "enough",
    });
  });
});

test("a call of another process with the same key is the same call", async () => {
  const options = { idempotencyKey: "order-4711" };
  const both = [await clientWith().emails.send(MAIL, options), await clientWith().emails.send(MAIL, options)];
  expect(both[0]).toEqual(both[1] as (typeof both)[0]);
});

test("a page records events with a public key, and takes no secret one", async () => {
  const { url } = posthorn.server;
  const tracker = createTracker({ url, key: posthorn.keys.public });
  const { data } = await tracker.track({ event: "page.seen", email: "cy@example.com" });
  expect(data.event).toMatch(/^[0-9a-f-]{36}$/);
  expect(() => createTracker({ url, key: posthorn.keys.secret })).toThrow("public key");
});

test("every call that a key may make has a name of its own, made from the document as it is (slow)", async () => {
  const methods = methodsIn((await documentOf(posthorn)) as unknown as Document);
  const names = methods.map(({ group, name }) => `${group}.${name}`);
  expect(names.filter((name, at) => !/^\w+\.\w+$/.test(name) || names.indexOf(name) !== at)).toEqual([]);
  const made = Object.entries(METHODS).flatMap(([group, rows]) => Object.keys(rows).map((name) => `${group}.${name}`));
  expect(made.toSorted()).toEqual(names.toSorted());
  for (const name of ["emails.send", "emails.sendBatch", "contacts.upsert", "events.track", "addresses.verify"])
    expect(names).toContain(name);
});

async function failure(work: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return error;
  }
}
