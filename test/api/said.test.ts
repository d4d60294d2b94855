// What a request most likely meant: answers say it, in warnings or where they refuse.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { letter } from "../support/mails.ts";
import { workspace } from "../support/workspace.ts";

let posthorn: Posthorn;
beforeAll(async () => {
  posthorn = await workspace();
  const template = { name: "Receipt", alias: "receipt", subject: "s", body: "<p>b</p>", type: "TRANSACTIONAL" };
  await ask(posthorn, "POST /templates", { body: template });
});
afterAll(() => posthorn[Symbol.asyncDispose]());

const warned = async (route: string, body: object): Promise<string[]> => {
  const reply = await ask(posthorn, route, { body });
  expect([reply.status < 300, reply.body]).toEqual([true, expect.anything()]);
  return (reply.body.warnings ?? []).map(({ field, message }: Json) => `${field}: ${message}`);
};
const refused = async (route: string, body: unknown, headers: Record<string, string> = {}): Promise<Json> => {
  const { status, body: answer } = await ask(posthorn, route, { body, headers } as never);
  expect(status).toBeGreaterThanOrEqual(400);
  return answer.error;
};

describe("a warning names what a field is called here", () => {
  test.each([
    ["idempotencyKey", "Send it as the header Idempotency-Key."],
    ["idempotency_key", "Send it as the header Idempotency-Key."],
    ["Tag", "Did you mean tags?"],
    ["categories", "Did you mean tags?"],
    ["custom_args", "Did you mean metadata?"],
    ["Metadata", "Did you mean metadata?"],
  ])("%s", async (field, said) => {
    const sent = { ...letter, [field]: "x" };
    expect(await warned("POST /v1/send", sent)).toEqual([`${field}: ${said} This field is unknown and was ignored.`]);
    const batch = await warned("POST /v1/send/batch", { emails: [letter, sent] });
    expect(batch).toEqual([`emails.1.${field}: ${said} This field is unknown and was ignored.`]);
  });
});

describe("a time", () => {
  test.each(["0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "2026-02-27T00:00:00Z"])(
    "long past is now, with a warning: %s",
    async (sendAt) => {
      const [said] = await warned("POST /v1/send", { ...letter, sendAt });
      expect(said).toBe("sendAt: This is more than a day in the past: the email is sent at once.");
      const [other] = await warned("POST /v1/send", { ...letter, scheduled_at: sendAt });
      expect(other).toStartWith("scheduled_at: ");
    },
  );

  test("of this day is now, without one", async () => {
    expect(await warned("POST /v1/send", { ...letter, sendAt: "2026-03-01T08:00:00Z" })).toEqual([]);
  });

  test("long past of a campaign is now, with a warning", async () => {
    await ask(posthorn, "POST /contacts", { body: { email: "reader@example.com" } });
    const written = { name: "News", subject: "s", body: "<p>b</p>", from: letter.from, audienceType: "ALL" };
    const { id } = (await ask(posthorn, "POST /campaigns", { body: written })).body.data;
    const said = await warned(`POST /campaigns/${id}/send`, { scheduledFor: "0001-01-01T00:00:00Z" });
    expect(said).toContain("scheduledFor: This is more than a day in the past: the campaign is sent at once.");
    await posthorn.settle();
  });

  test("that is a number is refused with an example", async () => {
    expect((await refused("POST /v1/send", { ...letter, sendAt: 1_764_288_000 })).message).toBe(
      "sendAt: Expected string or null. Write a time with its zone, such as 2026-12-24T09:30:00Z.",
    );
  });

  test("that is none is refused with an example", async () => {
    expect((await refused("POST /v1/send", { ...letter, sendAt: "tomorrow" })).message).toContain(
      "2026-12-24T09:30:00Z",
    );
    expect((await refused("GET /emails?since=tomorrow", undefined)).message).toContain("2026-12-24T09:30:00Z");
  });
});

test.each(["to", "cc", "from", "reply"])("several addresses in one text of %s are named as such", async (field) => {
  for (const text of ["ada@example.com, bob@example.com", "Ada <ada@example.com>; Bob <bob@example.com>"]) {
    const { errors } = await refused("POST /v1/send", { ...letter, [field]: text });
    expect(errors).toEqual([{ field, message: expect.stringContaining("one address a text"), code: "invalid_email" }]);
  }
});

describe("a body that is no JSON", () => {
  test.each([
    ['{"to": "a",\n "from": b}', 2, 10, "a value is expected"],
    ['{"to": "a"\n "from": "b"}', 2, 2, "a comma or } is expected"],
    ['{"to": "a",}', 1, 12, "a name in double quotes is expected"],
    ["{'to': 1}", 1, 2, "a name in double quotes is expected"],
    ['{"to" 1}', 1, 7, "a colon is expected"],
    ['{"to": "a', 1, 10, "but the body ends"],
    ['{"text": "one\ntwo"}', 1, 14, "on one line"],
    ['{"text": "C:\\dir"}', 1, 13, "backslash"],
    ['{"a": 01}', 1, 7, "a value is expected"],
    ['{"a": [1 2]}', 1, 10, "a comma or ] is expected"],
    ['{"a": 1} x', 1, 10, "nothing more is expected"],
    ["{{}}", 1, 2, "a name in double quotes is expected"],
  ])("is refused with its place: %s", async (body, line, column, said) => {
    const { code, message, errors } = await refused("POST /v1/send", body);
    expect([code, errors[0].line, errors[0].column]).toEqual(["INVALID_JSON", line, column]);
    expect(message).toContain(`in line ${line}, column ${column}, `);
    expect(message).toContain(said);
  });

  test("behind two million characters, it is refused without its place", async () => {
    const refusedBehind = async (chars: number) =>
      (await refused("POST /v1/send", `{"text": "${" ".repeat(chars)}", "to": b}`)).message;
    expect(await refusedBehind(1_900_000)).toContain("in line 1, column 1900020, ");
    expect(await refusedBehind(2_000_000)).toBe("The body is not JSON.");
  });

  test.each([
    ["application/x-www-form-urlencoded", "to=ada%40example.com&subject=s"],
    ["multipart/form-data; boundary=x", '--x\r\nContent-Disposition: form-data; name="to"\r\n\r\nada\r\n--x--\r\n'],
  ])("but a form is named as one: %s", async (type, body) => {
    const { message, suggestion } = await refused("POST /v1/send", body, { "content-type": type });
    expect([message, suggestion]).toEqual([
      "The body is form-encoded, and this call takes JSON.",
      "Send JSON, with the header Content-Type: application/json.",
    ]);
  });

  test("and JSON that is called a form is read", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const { status } = await ask(posthorn, "POST /v1/send", { body: JSON.stringify(letter), headers });
    expect(status).toBe(200);
    expect((await refused("POST /v1/send", '{"to": }', headers)).message).toContain("column 8");
  });

  test("a list alone is refused with the field that it belongs in", async () => {
    expect((await refused("POST /v1/send/batch", [letter])).message).toBe(
      'body: Expected an object: { "emails": [ … ] }.',
    );
    expect((await refused("POST /v1/send", [letter])).message).toBe("body: Expected an object, not a list.");
  });
});

test("a misspelt alias, topic or word is answered with the one that was meant", async () => {
  const { suggestion } = await refused("POST /v1/send", { to: letter.to, from: letter.from, template: "recipt" });
  expect(suggestion).toBe("Did you mean receipt?");
  const shown = await ask(posthorn, "GET /templates/recipt");
  expect([shown.status, shown.body.error.suggestion]).toEqual([404, "Did you mean receipt?"]);
  const { message } = await refused("POST /templates", { name: "n", subject: "s", body: "b", type: "MARKETNG" });
  expect(message).toContain("Did you mean MARKETING?");
  expect(
    (await refused("POST /v1/send", { to: letter.to, from: letter.from, template: "nothing" })).suggestion,
  ).not.toContain("mean");
});

describe("a webhook", () => {
  test.each([
    "http://127.0.0.1:3000/x",
    "http://localhost:3000",
    "http://app:3000/hook",
    "http://192.168.1.5/",
    "http://[::1]:3000",
    "http://host.docker.internal",
  ])("to a private address is kept with a warning: %s", async (url) => {
    const [said] = await warned("POST /webhooks", { url, events: ["email.sent"] });
    expect(said).toContain("is not on the public internet");
  });

  test("says why nothing was sent", async () => {
    const { id } = (
      await ask(posthorn, "POST /webhooks", { body: { url: "http://10.0.0.1/", events: ["email.sent"] } })
    ).body;
    await ask(posthorn, `POST /webhooks/${id}/test`, { body: { type: "email.sent" } });
    await posthorn.settle();
    const { data } = (await ask(posthorn, `GET /webhooks/${id}/deliveries`)).body;
    const { body } = await ask(posthorn, `GET /webhooks/${id}/deliveries/${data[0].id}`);
    expect(JSON.stringify(body.attempts)).toContain(
      "10.0.0.1 is not on the public internet; [webhooks] allow opens it.",
    );
    const [said] = await warned(`PATCH /webhooks/${id}`, { url: "http://localhost/" });
    expect(said).toStartWith("url: localhost");
  });

  test("to the internet has none", async () => {
    expect(await warned("POST /webhooks", { url: "https://shop.example.org/x", events: ["email.sent"] })).toEqual([]);
  });
});

test("a domain of a provider is added with a warning (slow)", async () => {
  expect(await warned("POST /domains", { domain: "gmail.com" })).toEqual([
    expect.stringContaining("you cannot verify it"),
  ]);
  expect(await warned("POST /domains", { domain: "bakery-of-mine.com" })).toEqual([]);
});

test("a key for a domain that is not there is made with a warning", async () => {
  const said = await warned("POST /keys", { name: "k", domains: ["example.test", "nobody.example"] });
  expect(said).toEqual([expect.stringContaining("no sender domain nobody.example")]);
});

describe("a workflow", () => {
  const condition = {
    ref: "c",
    type: "CONDITION",
    name: "Pro?",
    config: { field: "data.plan", operator: "equals", value: "pro" },
  };
  const wait = { ref: "w", type: "DELAY", name: "Wait", config: { amount: 1, unit: "days" } };
  const yes = { fromStepId: "c", toStepId: "w", condition: { branch: "yes" } };
  const begin = { fromStepId: "trigger", toStepId: "c" };
  const flow = (changes: object) => ({
    name: crypto.randomUUID(),
    eventName: "e",
    enabled: true,
    steps: [condition, wait],
    ...changes,
  });

  test("that says nothing of those whom its condition is not true for is no more than a draft", async () => {
    const transitions = [begin, yes];
    const { code, errors } = await refused("POST /workflows", flow({ transitions }));
    expect([code, errors[0].code]).toEqual(["VALIDATION_ERROR", "missing_branch"]);
    expect(errors[0].message).toContain("Nothing follows the branch no");
    const { body } = await ask(posthorn, "POST /workflows", { body: flow({ transitions, enabled: false }) });
    expect((await refused(`PATCH /workflows/${body.id}`, { enabled: true })).errors[0].code).toBe("missing_branch");
    await warned("POST /workflows", flow({}));
    // Who needs nothing more is at the end, as the canvas draws it: only those who are forgotten are asked for.
    await warned("POST /workflows", flow({ transitions: [begin, { ...yes, condition: { branch: "no" } }] }));
  });

  test("whose webhook goes to a private address is saved with a warning, however it is written", async () => {
    const hook = { ref: "h", type: "WEBHOOK", name: "Tell", config: { url: "http://localhost:3000/{{ email }}" } };
    const said = (await warned("POST /workflows", flow({ steps: [hook] })))[0];
    expect(said).toStartWith("steps.0.config.url: localhost is not on the public internet");
    const { id } = (await ask(posthorn, "POST /workflows", { body: flow({ steps: [] }) })).body;
    expect(await warned(`PUT /workflows/${id}`, { steps: [hook], transitions: [], enabled: false })).toHaveLength(1);
    const { ref: _, ...alone } = hook;
    const step = await ask(posthorn, `POST /workflows/${id}/steps`, { body: alone });
    expect(step.body.warnings[0].field).toBe("config.url");
    const path = `PATCH /workflows/${id}/steps/${step.body.id}`;
    expect(await warned(path, { config: { url: "http://10.0.0.1/" } })).toEqual([
      expect.stringContaining("config.url: 10.0.0.1 is not"),
    ]);
    expect(await warned(path, { name: "Tell them" })).toEqual([]);
    expect(await warned(path, { config: { url: "https://shop.example.org/" } })).toEqual([]);
  });

  test("starts by an address", async () => {
    const contact = (await ask(posthorn, "POST /contacts", { body: { email: "start@example.com" } })).body;
    const { id } = (await ask(posthorn, "POST /workflows", { body: flow({ steps: [wait] }) })).body;
    const started = await ask(posthorn, `POST /workflows/${id}/executions`, { body: { email: "Start@example.com" } });
    expect([started.status, started.body.contactId]).toEqual([201, contact.id]);
    const of = (body: object) => refused(`POST /workflows/${id}/executions`, body);
    expect((await of({ email: "nobody@example.com" })).code).toBe("CONTACT_NOT_FOUND");
    expect((await of({})).errors[0]).toMatchObject({ field: "contactId", code: "required" });
    expect((await of({ contactId: contact.id, email: "start@example.com" })).code).toBe("VALIDATION_ERROR");
    expect((await of({ email: "no address" })).errors[0].field).toBe("email");
  });
});

test("/openapi.json describes suppressed as a flag (slow)", async () => {
  const document = (await fetch(`${posthorn.server.url}/openapi.json`).then((reply) => reply.json())) as Json;
  const { type, const: only } = document.components.schemas.UpdateContactRequest.properties.suppressed;
  expect([type, only]).toEqual([["boolean", "null"], undefined]);
  const { id } = (await ask(posthorn, "POST /contacts", { body: { email: "flag@example.com" } })).body;
  expect((await refused(`PATCH /contacts/${id}`, { suppressed: true })).errors[0].field).toBe("suppressed");
});
