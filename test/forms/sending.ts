// Sends forms as browsers and their scripts do, and opens the links of the mails that ask to confirm.
import { readFileSync } from "node:fs";
import type { Tx } from "../../src/store/store.ts";
import { FEW_PROOF_BITS, type Json, type Posthorn } from "../support/posthorn.ts";
import { expectDocumented } from "../support/documented.ts";
import { ask } from "../support/scenario.ts";

export async function makeForm(posthorn: Posthorn, changes: object = {}): Promise<Json> {
  return (await ask(posthorn, "POST /forms", { body: { name: "News", key: "news", ...changes } })).body;
}

export type Sent = { readonly status: number; readonly headers: Headers; readonly text: string };

/** What is asked without a key; redirects are not followed. */
export async function visit(posthorn: Posthorn, route: string, request: RequestInit = {}): Promise<Sent> {
  const [method = "GET", path = "/"] = route.split(" ");
  const answer = await fetch(posthorn.server.url + path, { method, redirect: "manual", ...request });
  const { status, headers } = answer;
  const text = await answer.text();
  const body = headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : text;
  if (status === 200)
    await expectDocumented(posthorn.server.url, method, path.replace(/\?.*/, ""), { status, headers, body });
  return { status, headers, text };
}

type Entries = Readonly<Record<string, string>>;

export function send(posthorn: Posthorn, entries: Entries, headers: Entries = {}, key = "news"): Promise<Sent> {
  return visit(posthorn, `POST /f/${key}`, { body: new URLSearchParams(entries), headers });
}

export async function tokenOf(posthorn: Posthorn, key = "news", headers: Entries = {}): Promise<string> {
  return JSON.parse((await visit(posthorn, `GET /f/${key}/token`, { headers })).text).data.token;
}

/** As the script does, of a person who takes three seconds. */
export async function sendByScript(posthorn: Posthorn, entries: Entries, headers: Entries = {}): Promise<Sent> {
  const token = await tokenOf(posthorn, "news", headers);
  posthorn.clock.advance(3_000);
  const proof = await proofFor(token, entries["email"] ?? "");
  return send(posthorn, { ...entries, _token: token, _proof: proof }, { accept: "application/json", ...headers });
}

/** As the script finds it. */
export async function proofFor(token: string, email: string, bits = FEW_PROOF_BITS): Promise<string> {
  const script = readFileSync(new URL("../../src/programs/forms/form-script.txt", import.meta.url), "utf8");
  const own = script.slice(script.indexOf("// SHA-256"), script.indexOf("// A field of a form"));
  const wait = () => new Promise((resolve) => setImmediate(resolve));
  const prove = new Function("wait", `${own}; return prove`)(wait) as (given: object, email: string) => Promise<string>;
  return prove({ token, bits }, email.trim().toLowerCase());
}

/** The path of the link in the newest mail to this address; empty = there is none. */
export async function linkTo(posthorn: Posthorn, address: string): Promise<string> {
  await posthorn.settle();
  const mail = posthorn.transport.sent.findLast(({ envelope }) => envelope.recipient === address);
  const raw = mail?.raw.toString().replace(/=\r\n/g, "") ?? "";
  return /http:\/\/127\.0\.0\.1:8484(\/subscribe\/[\w-]+)/.exec(raw)?.[1] ?? "";
}

export async function contactAt(posthorn: Posthorn, address: string): Promise<Json> {
  const { status, body } = await ask(posthorn, `GET /contacts/by-email/${encodeURIComponent(address)}`);
  return status === 404 ? null : body;
}

/** Answers how many statements there were since it was asked last. */
export function statementsOf({ store }: Posthorn): () => number {
  let statements = 0;
  const counted = <By extends object>(by: By): By =>
    new Proxy(by, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== "function") return value;
        if (["run", "get", "all", "load"].includes(String(name))) statements++;
        return value.bind(target);
      },
    });
  const [read, write] = [store.read.bind(store), store.write.bind(store)];
  Object.assign(store, {
    read: (work: (reader: object) => unknown, options: object) =>
      read((reader) => work(counted(reader)) as Promise<unknown>, options),
    write: (work: (tx: object) => unknown) => write((tx: Tx) => work(counted(tx)) as Promise<unknown>),
  });
  return () => {
    const seen = statements;
    statements = 0;
    return seen;
  };
}
