// API tests as data: a request, what it is answered, and exactly the events that fired. What is refused changes
// nothing.
import { afterAll, describe, expect, test } from "bun:test";
import { STATUS_OF, type ErrorCode } from "../../src/base/errors.ts";
import { sql, Sql } from "../../src/store/sql.ts";
import { expectDocumented } from "./documented.ts";
import type { Json, Posthorn, Reply } from "./posthorn.ts";
import { allRowsOf } from "./store.ts";
import { workspace, type WorkspaceOptions } from "./workspace.ts";

/** Earlier requests; `$0.id` in what follows is the field `id` of the first one's answer. */
export type Given = readonly (readonly [route: string, body?: unknown])[];

export type Scenario = {
  readonly name: string;
  readonly given?: Given;
  /** `POST /v1/send` */
  readonly request: string;
  /** A string or bytes go as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose key is sent along; the secret one unless said otherwise. */
  readonly key?: Key;
  readonly status: number;
  /** Parts of the answer. */
  readonly answer?: object;
  readonly code?: ErrorCode;
  /** Exactly the fields that are refused, each with its code. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Exactly the events that the request fires; none unless named. */
  readonly events?: readonly string[];
};

export type Key = "secret" | "public" | "none" | { readonly bearer: string };
export type Question = Pick<Scenario, "body" | "headers" | "key">;

/** `changesNothing`: not even what is accepted. */
type Table = WorkspaceOptions & { readonly changesNothing?: boolean };

/** Each scenario in a workspace of its own; those that leave no trace share one. */
export function scenarios(about: string, list: readonly Scenario[], table: Table = {}): void {
  const { changesNothing = false, ...options } = table;
  describe(about, () => {
    let shared: Posthorn | undefined;
    afterAll(() => shared?.[Symbol.asyncDispose]());
    test.each(list.map((scenario) => [scenario.name, scenario] as const))("%s", async (_, scenario) => {
      const isTraceless = changesNothing || scenario.status >= 400 || scenario.request.startsWith("GET ");
      if (isTraceless && !scenario.given)
        return play((shared ??= await workspace(options)), { ...scenario, isTraceless });
      await using posthorn = await workspace(options);
      await play(posthorn, { ...scenario, isTraceless });
    });
  });
}

type Played = Scenario & { readonly isTraceless: boolean };

async function play(posthorn: Posthorn, { isTraceless, ...scenario }: Played): Promise<void> {
  const answers: Json[] = [];
  for (const [route, body] of scenario.given ?? []) {
    answers.push((await ask(posthorn, filledIn(route, answers), { body: filledIn(body, answers) })).body);
  }
  const before = isTraceless ? await everything(posthorn) : {};
  const eventsBefore = (await posthorn.eventNames()).length;
  const { body, ...question } = scenario;
  const reply = await ask(posthorn, filledIn(scenario.request, answers), {
    ...question,
    body: filledIn(body, answers),
  });
  expect([reply.status, reply.body]).toEqual([scenario.status, expect.anything()]);
  if (scenario.code) expect(reply.body.error.code).toBe(scenario.code);
  if (scenario.fields) expect(refusedFields(reply)).toEqual(scenario.fields);
  if (scenario.answer) expect(reply.body).toMatchObject(filledIn(scenario.answer, answers));
  expect((await posthorn.eventNames()).slice(eventsBefore)).toEqual([...(scenario.events ?? [])]);
  if (isTraceless) expect(await everything(posthorn)).toEqual(before);
}

/** Asks, and holds every refusal to the documented form. */
export async function ask(posthorn: Posthorn, route: string, question: Question = {}): Promise<Reply> {
  const [method = "GET", path = "/"] = route.split(/ (.*)/s);
  const { body, key = "secret" } = question;
  const response = await fetch(posthorn.server.url + path, {
    method,
    headers: { ...authorization(posthorn, key), "content-type": "application/json", ...question.headers },
    redirect: "manual",
    ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("application/json") ?? false;
  const reply = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  await expectDocumented(posthorn.server.url, method, path, reply);
  if (reply.status >= 400 && isJson) expectRefusal(reply);
  expect(reply.headers.get("x-request-id")).toMatch(/^[\w.:-]{1,128}$/);
  expect(reply.status).not.toBe(500);
  return reply;
}

/** The form of every error, and that it says nothing of our insides. */
export function expectRefusal({ status, headers, body }: Reply): void {
  const code: ErrorCode = body.error.code;
  expect(body).toEqual({
    success: false,
    error: {
      code: expect.stringMatching(/^[A-Z_]+$/),
      message: expect.stringMatching(/\S/),
      ...("reason" in body.error ? { reason: expect.stringMatching(/^[a-z_]+$/), values: expect.any(Object) } : {}),
      statusCode: status,
      requestId: headers.get("x-request-id"),
      suggestion: expect.stringMatching(/\S/),
      ...("errors" in body.error ? { errors: expect.any(Array) } : {}),
    },
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  expect(STATUS_OF[code]).toBe(status as never);
  for (const error of body.error.errors ?? []) {
    const text = expect.stringMatching(/\S/);
    const place = "line" in error ? { line: expect.any(Number), column: expect.any(Number) } : {};
    expect(error).toEqual({ field: text, message: text, code: expect.stringMatching(/^[a-z0-9_]+$/), ...place });
  }
  expect(JSON.stringify(body)).not.toMatch(/\.ts\b|node_modules|SQLITE|constraint failed|    at /);
}

/** Field → code of what was refused. */
export function refusedFields(reply: Reply): Record<string, string> {
  const errors: readonly { field: string; code: string }[] = reply.body.error.errors ?? [];
  return Object.fromEntries(errors.map(({ field, code }) => [field, code]));
}

/** Every row of every table, to see that nothing changed. */
export function everything({ store }: Posthorn): Promise<Record<string, unknown[]>> {
  return allRowsOf(store);
}

export async function countOf(posthorn: Posthorn, table: string): Promise<number> {
  const rows = await posthorn.store.read((reader) => reader.all`${sql`select 1 from `}${new Sql([table], [])}`);
  return rows.length;
}

function authorization(posthorn: Posthorn, key: Key): Record<string, string> {
  if (key === "none") return {};
  return { authorization: `Bearer ${typeof key === "string" ? posthorn.keys[key] : key.bearer}` };
}

function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> | ReadableStream {
  return typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;
}

/** `value` with each `$0.id` in its strings replaced by what an earlier answer has there. */
function filledIn<Value>(value: Value, answers: readonly Json[]): Value;
function filledIn(value: unknown, answers: readonly Json[]): unknown {
  if (typeof value === "string" && answers.length > 0)
    return value.replace(/\$(\d)\.([\w.]+)/g, (_, index, path) => at(answers[index], path));
  if (Array.isArray(value)) return value.map((item) => filledIn(item, answers));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filledIn(inner, answers)]));
}

function at(answer: Json, path: string): string {
  return path.split(".").reduce((part, name) => part[name], answer);
}
