// POST /v1/send: what is refused, with the very field that is at fault, and without a trace.
import { expect, test } from "bun:test";
import { letter } from "../support/mails.ts";
import { ask, everything, refusedFields, scenarios, type Scenario } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const request = "POST /v1/send";

function refused(name: string, changes: object, fields: Scenario["fields"] = {}): Scenario {
  return { name, request, body: { ...letter, ...changes }, status: 422, code: "VALIDATION_ERROR", fields };
}

function addresses(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `u${index}@example.com`);
}

scenarios("to is refused", [
  refused("when it is missing", { to: undefined }, { to: "required" }),
  refused("when it is null", { to: null }, { to: "invalid_type" }),
  refused("when it is a number", { to: 5 }, { to: "invalid_type" }),
  refused("when it is empty", { to: "" }, { to: "too_small" }),
  refused("when it is a list of nobody", { to: [] }, { to: "too_small" }),
  refused("when it is 51 people", { to: addresses(51) }, { to: "too_big" }),
  refused("when it is no address", { to: "nobody" }, { to: "invalid_email" }),
  refused("when it is two addresses in one string", { to: "a@example.com, b@example.com" }, { to: "invalid_email" }),
  refused("when it has no email", { to: { name: "Ada" } }, { "to.email": "required" }),
  refused("when its email is no address", { to: { email: "ada@" } }, { "to.email": "invalid_email" }),
  refused(
    "when its email brings a name along",
    { to: { email: "Ada <ada@example.com>" } },
    { "to.email": "invalid_email" },
  ),
  refused("when its email is a number", { to: { email: 5 } }, { "to.email": "invalid_type" }),
  refused("when its name is a number", { to: { email: "ada@example.com", name: 5 } }, { "to.name": "invalid_type" }),
  refused(
    "when its name is too long",
    { to: { email: "ada@example.com", name: "x".repeat(256) } },
    { "to.name": "too_big" },
  ),
  refused("when the last of fifty is no address", { to: [...addresses(49), "nobody"] }, { "to.49": "invalid_email" }),
  refused("when the last of fifty has no address", { to: [...addresses(49), {}] }, { "to.49.email": "required" }),
  refused(
    "when several are wrong, each by its name",
    { to: ["a", { email: "b" }, "c@example.com"] },
    {
      "to.0": "invalid_email",
      "to.1.email": "invalid_email",
    },
  ),
  refused("when a list is in the list", { to: [["ada@example.com"]] }, { "to.0": "invalid_type" }),
  refused(
    "when it is longer than an address can be",
    { to: `${"a".repeat(250)}@example.com` },
    { to: "invalid_email" },
  ),
]);

scenarios("the sender is refused", [
  refused("when it is missing", { from: undefined }, { from: "required" }),
  refused("when it is null", { from: null }, { from: "required" }),
  refused("when it is empty", { from: "" }, { from: "too_small" }),
  refused("when it is no address", { from: "Shop" }, { from: "invalid_email" }),
  refused("when it has no email", { from: { name: "Shop" } }, { "from.email": "required" }),
  refused("when its email is no address", { from: { email: "Shop <a@b.c>" } }, { "from.email": "invalid_email" }),
  refused("when the name is no text", { name: ["Shop"] }, { name: "invalid_type" }),
  refused("when the reply address is none", { reply: "help" }, { reply: "invalid_email" }),
  refused("when the reply address is two", { reply: "a@example.test, b@example.test" }, { reply: "invalid_email" }),
  {
    name: "when its domain is not verified here",
    request,
    body: { ...letter, from: "hello@elsewhere.example" },
    status: 403,
    code: "DOMAIN_NOT_VERIFIED",
  },
]);

scenarios("copies are refused", [
  ...["cc", "bcc", "Cc", "CC", "Bcc", "BCC"].flatMap((field) => [
    refused(`when ${field} is no address`, { [field]: "bob" }, { [field]: "invalid_email" }),
    refused(`when ${field} is a person without one`, { [field]: { name: "Bob" } }, { [`${field}.email`]: "required" }),
    refused(
      `when ${field} is a list with one that is none`,
      { [field]: ["bob@example.com", "eve"] },
      { [`${field}.1`]: "invalid_email" },
    ),
    refused(`when ${field} is a list of nobody with a name`, { [field]: [null] }, { [`${field}.0`]: "invalid_type" }),
  ]),
  refused(
    "together with other faults",
    { to: "nobody", cc: "bob", bcc: ["eve"] },
    { to: "invalid_email", cc: "invalid_email", "bcc.0": "invalid_email" },
  ),
]);

test.each([[null], [""], [[]]])("cc and bcc that are %p count as absent", async (nobody) => {
  await using posthorn = await workspace();
  const { status } = await ask(posthorn, request, { body: { ...letter, cc: nobody, bcc: nobody } });
  expect(status).toBe(200);
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual(["ada@example.com"]);
});

scenarios("the content is refused", [
  refused(
    "when there is neither subject nor body nor template",
    { subject: undefined, body: undefined },
    {
      subject: "required",
      body: "required",
    },
  ),
  refused(
    "when everything is missing but the recipient, all at once",
    { from: undefined, subject: "", body: "" },
    {
      from: "required",
      subject: "required",
      body: "required",
    },
  ),
  refused("when there is only an empty text", { body: undefined, text: "" }, { body: "required" }),
  refused("when the subject is longer than 998 characters", { subject: "x".repeat(999) }, { subject: "too_big" }),
  refused("when the subject has a line break", { subject: "Hi\nBcc: eve@example.com" }, { subject: "invalid" }),
  refused("when the subject is a number", { subject: 5 }, { subject: "invalid_type" }),
  refused("when the body is an object", { body: {} }, { body: "invalid_type" }),
  refused(
    "when body and text have variables and are longer than 500,000 characters",
    { body: `{{ x }}${"x".repeat(499_994)}`, text: `{% x %}${"x".repeat(499_994)}` },
    { body: "too_big", text: "too_big" },
  ),
  refused("when the body is larger than a megabyte", { body: "é".repeat(524_289) }, { body: "too_big" }),
  refused(
    "when the body is, under its other name",
    { body: undefined, html: "x".repeat(1_048_577) },
    { html: "too_big" },
  ),
  refused("when the text is larger than a megabyte", { text: "x".repeat(1_048_577) }, { text: "too_big" }),
  refused("when the text is a list", { text: [] }, { text: "invalid_type" }),
  refused("when subscribed is a word", { subscribed: "yes" }, { subscribed: "invalid_type" }),
  refused("when data is a list", { data: [1] }, { data: "invalid_type" }),
  refused("when data is a text", { data: "plan" }, { data: "invalid_type" }),
  refused(
    "when a contact would hold more than 64 KB",
    { data: { text: "x".repeat(65_536) }, persistent: true },
    { data: "too_big" },
  ),
  {
    ...refused("when a number is beyond all numbers", {}, { "data.a.0": "too_big" }),
    body: JSON.stringify({ ...letter, data: { a: ["huge"] } }).replace('"huge"', "1e400"),
  },
  {
    name: "when the template does not exist",
    request,
    body: { ...letter, template: "0199a3b4-0000-7000-8000-000000000000" },
    status: 404,
    code: "TEMPLATE_NOT_FOUND",
  },
  {
    name: "when the template's id is none",
    request,
    body: { ...letter, template: "' or 1=1 --" },
    status: 404,
    code: "TEMPLATE_NOT_FOUND",
  },
]);

scenarios("a header is refused", [
  ...[
    "From",
    "to",
    "CC",
    "Bcc",
    "Subject",
    "Date",
    "message-id",
    "MIME-Version",
    "Content-Type",
    "content-transfer-encoding",
  ].map((name) =>
    refused(`when it is ${name}`, { headers: { [name]: "x" } }, { [`headers.${name}`]: "invalid_header" }),
  ),
  ...["DKIM-Signature", "Return-Path", "Received", "Sender", "X-SES-Configuration-Set", "Resent-From", "Errors-To"].map(
    (name) => refused(`when it is ${name}`, { headers: { [name]: "x" } }, { [`headers.${name}`]: "invalid_header" }),
  ),
  ...["", " ", "X Y", "X:Y", "Bcc\r\n", "Ü", "x".repeat(101)].map((name) =>
    refused(
      `when its name is ${JSON.stringify(name.slice(0, 9))}`,
      { headers: { [name]: "x" } },
      { [`headers.${name}`]: "invalid_header" },
    ),
  ),
  ...["a\r\nBcc: eve@example.com", "a\nb", "a\rb", "x".repeat(999)].map((value) =>
    refused(
      `when its value is ${JSON.stringify(value.slice(0, 9))}`,
      { headers: { "X-A": value } },
      { "headers.X-A": "invalid_header" },
    ),
  ),
  refused("when its value is a number", { headers: { "X-A/B": 5 } }, { "headers.X-A/B": "invalid_type" }),
  refused("when headers are a list", { headers: ["X-A: 1"] }, { headers: "invalid_type" }),
  refused(
    "when there are 51",
    { headers: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`X-${index}`, "x"])) },
    { headers: "too_big" },
  ),
]);

scenarios("sendAt is refused", [
  ...[
    "tomorrow",
    "2026-03-02",
    "2026-03-02T10:00:00",
    "2026-02-30T10:00:00Z",
    "2026-13-01T10:00:00Z",
    "1772355600000",
  ].map((sendAt) => refused(`as ${sendAt}`, { sendAt }, { sendAt: "invalid_date" })),
  refused("as a number", { sendAt: 1772355600000 }, { sendAt: "invalid_type" }),
  refused("more than 366 days ahead", { sendAt: "2027-03-02T09:00:00.001Z" }, { sendAt: "too_big" }),
]);

test("all faults of a request are told at once", async () => {
  await using posthorn = await workspace();
  const body = {
    to: ["ada@example.com", "nobody"],
    from: "shop",
    reply: "help",
    data: { deep: "x", ...JSON.parse(`{"a":${"[".repeat(40)}${"]".repeat(40)}}`) },
    headers: { Bcc: "eve@example.com" },
    attachments: [{ filename: "a.txt", content: "?" }],
    sendAt: "soon",
  };
  expect(refusedFields(await ask(posthorn, request, { body }))).toEqual({
    "to.1": "invalid_email",
    from: "invalid_email",
    subject: "required",
    body: "required",
    reply: "invalid_email",
    data: "too_deep",
    "headers.Bcc": "invalid_header",
    "attachments.0.content": "invalid_base64",
    sendAt: "invalid_date",
  });
});

test("fields that nobody knows are ignored and named, and null is the same as nothing", async () => {
  await using posthorn = await workspace();
  const nothing = {
    text: null,
    template: null,
    name: null,
    subscribed: null,
    data: null,
    headers: null,
    reply: null,
    attachments: null,
    sendAt: null,
  };
  const body = { ...letter, ...nothing, colours: [{ a: 1 }], constructor: 1, nested: { deep: {} } };
  const { status, body: answer } = await ask(posthorn, request, { body });
  expect([status, answer.warnings.map(({ field }: { field: string }) => field)]).toEqual([
    200,
    ["colours", "constructor", "nested"],
  ]);
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual(["ada@example.com"]);
});

test("whatever is wrong with the last of fifty, nothing of the first forty-nine is kept", async () => {
  await using posthorn = await workspace();
  const big = { email: "u49@example.com", data: { text: "x".repeat(65_000) } };
  await ask(posthorn, "POST /contacts", { body: big });
  const before = await everything(posthorn);
  const body = { ...letter, to: addresses(50), data: { more: "x".repeat(1_000) }, persistent: true };
  expect(refusedFields(await ask(posthorn, request, { body }))).toEqual({ data: "too_big" });
  expect(await everything(posthorn)).toEqual(before);
});
