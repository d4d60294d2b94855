// POST /contacts/import.
import { suppressContacts } from "../support/suppressed.ts";
import { fileOf } from "../../src/http/body/multipart.ts";
import { describe, expect, test } from "bun:test";
import { exportedFrom, FORM, formWith, imported, upload } from "../support/files.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, countOf, everything, refusedFields, scenarios } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

/** For rows that change nothing. */
const shared = sharedPosthorn();

async function contactAt(posthorn: Posthorn, email: string): Promise<Json> {
  const row = await posthorn.store.read(
    (reader) => reader.get<{ id: string }>`select id from contacts where email = ${email}`,
  );
  return row && (await ask(posthorn, `GET /contacts/${row.id}`)).body;
}

test("a file makes contacts and changes those who are there, and its record counts them (slow)", async () => {
  await using posthorn = await workspace();
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data: { plan: "free", city: "London" } } });
  const record = await imported(
    posthorn,
    '\ufeffEMAIL,plan,score,active,tags,Subscribed,zip\r\nAda@Example.com,pro,7,true,,,7\r\nbob@example.com,,,,"[1,""a""]",no,007\r\n',
  );
  expect(record).toMatchObject({
    status: "COMPLETED",
    progress: 100,
    result: { totalRows: 2, createdCount: 1, updatedCount: 1, failureCount: 0, errors: [] },
  });
  expect(await contactAt(posthorn, "ada@example.com")).toMatchObject({
    subscribed: true,
    data: { plan: "pro", city: "London", score: 7, active: true, zip: "7" },
  });
  const bob = await contactAt(posthorn, "bob@example.com");
  expect([bob.subscribed, bob.data]).toEqual([false, { tags: [1, "a"], zip: "007" }]);
  expect(await posthorn.eventNames()).toEqual([]);
});

test("lines may end with a lone CR, and data. before a name is for keys that are not reserved", async () => {
  await using posthorn = await workspace();
  const file =
    "email,data.email,data.Email,data.data,id,data.plan\rada@example.com,a,b,c,d,e\rbob@example.com,,,,,free\r";
  const { result } = await imported(posthorn, file);
  expect(result).toMatchObject({ totalRows: 2, createdCount: 2, failureCount: 0 });
  expect((await contactAt(posthorn, "ada@example.com")).data).toEqual({ Email: "b", data: "c", plan: "e" });
  expect((await contactAt(posthorn, "bob@example.com")).data).toEqual({ plan: "free" });
});

test("until it has been worked at, an import is PENDING and has changed nothing", async () => {
  await using posthorn = await workspace();
  const { status, body } = await upload(posthorn, "email\nada@example.com\n");
  expect(status).toBe(202);
  expect((await ask(posthorn, `GET /contacts/import/${body.jobId}`)).body).toEqual({
    id: body.jobId,
    status: "PENDING",
    progress: 0,
    failedReason: null,
    createdAt: "2026-03-01T09:00:00.000Z",
    undoableUntil: "2026-03-08T09:00:00.000Z",
    fileName: "contacts.csv",
    by: { kind: "KEY", id: expect.any(String), name: null },
    undo: null,
    result: {
      ...{ totalRows: 1, createdCount: 0, updatedCount: 0, repeatedCount: 0, failureCount: 0 },
      ...{ errors: [], skippedCellCount: 0, skippedCells: [], warnings: [] },
    },
  });
  expect(await countOf(posthorn, "contacts")).toBe(0);
});

test("each row that cannot be taken is named with its reason, and the others are taken", async () => {
  await using posthorn = await workspace();
  const rows = [
    "email,subscribed,note,data,deep",
    "ada@example.com,true,fine,",
    "nobody,,x,",
    "",
    ",,x,",
    "bob@example.com,perhaps,,",
    "too@example.com,,many,,,cells",
    '"tail@example.com" x,,,',
    `big@example.com,,${"x".repeat(65 * 1024)},`,
    `deep@example.com,,,,${"[".repeat(32)}${"]".repeat(32)}`,
    "nul@example.com,,a\0b,",
    "list@example.com,,,[1]",
    'more@example.com,,,"{""plan"":""pro""}"',
    "short@example.com",
  ];
  const { result } = await imported(posthorn, rows.join("\n"));
  expect(result).toMatchObject({ totalRows: 12, createdCount: 3, updatedCount: 0, failureCount: 9 });
  expect(result.errors.map(({ row, email }: Json) => [row, email])).toEqual([
    [3, "nobody"],
    [5, ""],
    [6, "bob@example.com"],
    [7, "too@example.com"],
    [8, "tail@example.com x"],
    [9, "big@example.com"],
    [10, "deep@example.com"],
    [11, "nul@example.com"],
    [12, "list@example.com"],
  ]);
  expect(result.errors.map(({ error }: Json) => error)).toEqual([
    "This is not an email address.",
    "This is not an email address.",
    "subscribed is neither true nor false.",
    "The row has 6 cells, the first line 5.",
    "There is text after the closing quote of a cell.",
    "A contact may have at most 64 KB of data.",
    "Data may be nested 32 levels deep.",
    "The text contains a NUL character or half a surrogate pair.",
    "data is not a JSON object.",
  ]);
  expect((await contactAt(posthorn, "more@example.com")).data).toEqual({ plan: "pro" });
});

test("of very many bad rows a thousand are shown and all are counted", async () => {
  await using posthorn = await workspace();
  const { result } = await imported(posthorn, `email\n${"nobody\n".repeat(1_500)}ada@example.com\n`);
  expect(result).toMatchObject({ totalRows: 1_501, createdCount: 1, failureCount: 1_500 });
  expect(result.errors.length).toBe(1_000);
});

describe("the flag", () => {
  const rows = (flag: string) => `email,subscribed\nada@example.com,${flag}\n`;

  test.each([
    ["TRUE", "true", ["contact.subscribed"], true],
    ["1", "true", ["contact.subscribed"], true],
    ["", "true", [], false],
    ["no", "true", [], false],
    ["TRUE", "false", [], false],
    ["TRUE", null, [], false],
  ])("of an unsubscribed contact after %p with resubscribe=%p", async (flag, resubscribe, events, subscribed) => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", subscribed: false } });
    await imported(posthorn, rows(flag), resubscribe === null ? {} : { query: `?resubscribe=${resubscribe}` });
    expect((await contactAt(posthorn, "ada@example.com")).subscribed).toBe(subscribed);
    expect(await posthorn.eventNames()).toEqual(events);
  });

  test("changes with an event each time that an address comes", async () => {
    await using posthorn = await workspace();
    const twice = "email,subscribed,n\nada@example.com,true,1\nada@example.com,false,2\nADA@example.com,true,\n";
    const { result } = await imported(posthorn, twice, { query: "?resubscribe=true" });
    expect(result).toMatchObject({ createdCount: 1, updatedCount: 2, failureCount: 0 });
    expect(await contactAt(posthorn, "ada@example.com")).toMatchObject({ subscribed: true, data: { n: 2 } });
    expect(await posthorn.eventNames()).toEqual(["contact.unsubscribed", "contact.subscribed"]);
  });

  test("of a contact that bounced is lifted by a row that says so where that is asked for, and by no other", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", subscribed: false } });
    await suppressContacts(posthorn, "bounce");
    const suppressed = () =>
      posthorn.store.read((reader) => reader.get`select subscribed, suppressed from contacts`) as Promise<Json>;
    await imported(posthorn, "email,plan\nada@example.com,pro\n");
    expect(await suppressed()).toEqual({ subscribed: 0, suppressed: "bounce" });
    await imported(posthorn, rows("true"));
    expect(await suppressed()).toEqual({ subscribed: 0, suppressed: "bounce" });
    await imported(posthorn, rows("true"), { query: "?resubscribe=true" });
    expect(await suppressed()).toEqual({ subscribed: 1, suppressed: null });
  });
});

test("many rows in any order end as if each had been sent alone (slow)", async () => {
  await using posthorn = await workspace();
  const rows = Array.from(
    { length: 2_500 },
    (_, row) => `c${(row * 7919) % 1_000}@example.com,${row},${row % 2 === 0}`,
  );
  const { result } = await imported(posthorn, ["email,last,even", ...rows].join("\n"));
  expect(result).toMatchObject({ totalRows: 2_500, createdCount: 1_000, updatedCount: 1_500, failureCount: 0 });
  const last = new Map(rows.map((row) => [row.split(",")[0], Number(row.split(",")[1])]));
  for (const address of ["c0@example.com", "c500@example.com", "c999@example.com"])
    expect((await contactAt(posthorn, address)).data.last).toBe(last.get(address));
  expect([await countOf(posthorn, "contacts"), await countOf(posthorn, "contact_job_batches")]).toEqual([1_000, 0]);
});

test("a file whose first line is all there is imports nothing", async () => {
  await using posthorn = await workspace();
  expect(await imported(posthorn, "email,plan")).toMatchObject({ status: "COMPLETED", result: { totalRows: 0 } });
});

describe("a file is refused, and nothing is changed,", () => {
  test.each<[why: string, file: string | Uint8Array, code: string]>([
    ["when it is empty", "", "empty"],
    ["when it holds nothing but line ends", "\r\n\r\n", "empty"],
    ["without a column email", "address,plan\nada@example.com,pro\n", "missing_column"],
    ["with two columns of a name", "email,plan,Email\n", "duplicate_column"],
    [
      "when it is UTF-8 at first, and then not",
      new Uint8Array([...Buffer.from("email,näme\na@b.de,"), 0xe9, 0x0a]),
      "invalid_encoding",
    ],
    [
      "when it is cut inside a character",
      new Uint8Array([...Buffer.from("email,näme\na@b.de\n"), 0xc3]),
      "invalid_encoding",
    ],
    ["when a quote in its header is never closed", 'email,"x\nada@example.com,y\n', "invalid_csv"],
    [
      "when a line is very long after many rows",
      `email\n${"a@b.de\n".repeat(9_000)}${"x".repeat(1_200_000)}`,
      "too_big",
    ],
    ["when a line is very long", `email,x\na@b.de,${"x".repeat(1_200_000)}`, "too_big"],
    ["with very many columns", `email${",x".repeat(2_000)}`, "too_big"],
  ])("%s", async (_, file, code) => {
    const posthorn = shared();
    // Keys note that they were used.
    await posthorn.call("GET /workspace");
    await posthorn.settle();
    const before = await everything(posthorn);
    const reply = await upload(posthorn, file);
    expect([reply.status, refusedFields(reply)]).toEqual([422, { file: code }]);
    await posthorn.settle();
    expect(await everything(posthorn)).toEqual(before);
  });
});

const csv = "email\nada@example.com\n";
const form = Buffer.from(formWith(csv)).toString();
const fieldOf = (name: string) =>
  `Content-Disposition: form-data; name="${name}"\r\n\r\nnews\r\n${form.slice(0, form.indexOf("\r\n") + 2)}`;

scenarios(
  "the form is refused",
  [
    { name: "with another content type", body: csv, headers: { "content-type": "text/csv" } },
    { name: "as JSON", body: { file: csv } },
    { name: "without a boundary", body: form, headers: { "content-type": "multipart/form-data" } },
    { name: "with another boundary", body: form, headers: { "content-type": "multipart/form-data; boundary=other" } },
    { name: "when it is empty", body: "", headers: FORM },
    { name: "when it is cut in its head", body: form.slice(0, 60), headers: FORM },
    { name: "when it is cut in the file", body: form.slice(0, form.indexOf("ada") + 3), headers: FORM },
    { name: "when it lacks its end", body: form.slice(0, -4), headers: FORM },
    {
      name: "with more than a hundred fields",
      body:
        form.slice(0, form.indexOf("\r\n") + 2) + fieldOf("x").repeat(120) + form.slice(form.indexOf("Content-Disp")),
      headers: FORM,
    },
    { name: "with an endless head", body: `${form.slice(0, 60)}${"x".repeat(20_000)}`, headers: FORM },
  ].map((refused) => ({
    ...refused,
    request: "POST /contacts/import",
    status: 400,
    code: "INVALID_MULTIPART" as const,
  })),
);

scenarios("the file is missing", [
  {
    name: "under another name",
    request: "POST /contacts/import",
    body: formWith(csv, "upload"),
    headers: FORM,
    status: 422,
    fields: { file: "required" },
  },
  {
    name: "once too often",
    request: "POST /contacts/import",
    body: form.replace(/--\r\n$/, `\r\n${form.slice(form.indexOf("Content-Disp"))}`),
    headers: FORM,
    status: 422,
    fields: { file: "too_many" },
  },
]);

test("unknown fields beside the file are passed over, however the form is cut into pieces", async () => {
  await using posthorn = await workspace();
  const boundary = form.slice(2, form.indexOf("\r\n"));
  const other = `--${boundary}\r\nContent-Disposition: form-data; name="list"\r\n\r\nnews\r\n`;
  const bytes = Buffer.from(`preamble\r\n${other}${form.slice(0, -2)}\r\nepilogue`);
  for (const size of [1, 7, 64]) {
    const body = new ReadableStream({
      async start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
        controller.close();
      },
    });
    expect((await ask(posthorn, "POST /contacts/import", { body, headers: FORM })).status).toBe(202);
  }
});

test("a caller that goes away in the middle of the file ends the upload", async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(form.slice(0, form.indexOf("ada") + 3)));
      setImmediate(() => controller.error(new Error("gone")));
    },
  });
  const request = new Request("http://localhost", { method: "POST", body, headers: FORM });
  const bytes = Array.fromAsync(fileOf({ request, limitBytes: 1_000_000, fields: new Map() }, "file"));
  expect(bytes).rejects.toMatchObject({ code: "INVALID_MULTIPART", message: "The body ended early." });
});

test("the file's own name may look like that of another field", async () => {
  await using posthorn = await workspace();
  const body = form.replace('"contacts.csv"', '"contacts; name=list.csv"');
  expect((await ask(posthorn, "POST /contacts/import", { body, headers: FORM })).status).toBe(202);
});

test("a file may be larger than other bodies, up to a limit of its own", async () => {
  await using posthorn = await workspace({ config: { limits: { bodyBytes: 1024, importBytes: 4096 } } });
  const file = (rows: number) => `email\n${"ada@example.com\n".repeat(rows)}`;
  expect((await upload(posthorn, file(200))).status).toBe(202);
  const tooLarge = await upload(posthorn, file(300));
  expect([tooLarge.status, tooLarge.body.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  const undeclared = new Blob([formWith(file(300))]).stream();
  expect((await ask(posthorn, "POST /contacts/import", { body: undeclared, headers: FORM })).status).toBe(413);
});

test("a repetition with the same key and file is the same import, and leaves nothing of itself (slow)", async () => {
  await using posthorn = await workspace();
  const file = `email\n${Array.from({ length: 9_000 }, (_, row) => `c${row}@example.com\n`).join("")}`;
  const headers = { "idempotency-key": "monday" };
  const first = await upload(posthorn, file, { headers });
  const again = await upload(posthorn, file, { headers });
  expect([again.status, again.body, again.headers.get("idempotent-replayed")]).toEqual([202, first.body, "true"]);
  const other = await upload(posthorn, `${file}x`, { headers });
  expect([other.status, other.body.error.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
  await posthorn.settle();
  expect(await countOf(posthorn, "contact_jobs")).toBe(1);
  expect(await countOf(posthorn, "contact_job_batches")).toBe(0);
  expect(await countOf(posthorn, "contacts")).toBe(9_000);
});

test("a workspace has at most fifty jobs that are not finished (slow)", async () => {
  await using posthorn = await workspace();
  for (let job = 0; job < 50; job++) expect((await upload(posthorn, csv)).status).toBe(202);
  const reply = await upload(posthorn, csv);
  const { code, suggestion } = reply.body.error;
  expect([reply.status, code, suggestion]).toEqual([409, "CONFLICT", "Wait until one of them has finished."]);
  await posthorn.settle();
  expect((await upload(posthorn, csv)).status).toBe(202);
});

test("another workspace imports its own contacts and sees no other's job", async () => {
  await using posthorn = await workspace();
  const stranger = { bearer: (await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" })).secret };
  const { id } = await imported(posthorn, "email,plan\nada@example.com,mine\n");
  expect((await ask(posthorn, `GET /contacts/import/${id}`, { key: stranger })).status).toBe(404);
  expect((await ask(posthorn, `GET /contacts/bulk/${id}`)).status).toBe(404);
  const theirs = await imported(posthorn, "email,plan\nada@example.com,theirs\n", { key: stranger });
  expect(theirs.result).toMatchObject({ createdCount: 1 });
  expect(await exportedFrom(posthorn)).toContain("mine");
});

test("a job is forgotten after thirty days, with what it says of addresses", async () => {
  await using posthorn = await workspace();
  const { id } = await imported(posthorn, "email\nnobody\n");
  posthorn.clock.advance(29 * 86_400_000);
  await posthorn.settle();
  expect((await ask(posthorn, `GET /contacts/import/${id}`)).body.result.failureCount).toBe(1);
  posthorn.clock.advance(86_400_000);
  await posthorn.settle();
  expect((await ask(posthorn, `GET /contacts/import/${id}`)).body.error.code).toBe("JOB_NOT_FOUND");
  expect([await countOf(posthorn, "contact_jobs"), await countOf(posthorn, "contact_job_errors")]).toEqual([0, 0]);
});
