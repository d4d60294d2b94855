// The executable, alone in an empty folder: a first start, the printed line, the command line beside it, an orderly
// end. Run after the build: bun test/smoke.ts. One line a check; ends with 1 at the first that fails.
import { deepStrictEqual as same, match, ok } from "node:assert";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commitOf } from "../src/base/version.ts";
import { openEveryScreen } from "./smoke-face.ts";
import { ORIGIN, passkeyCeremony } from "./smoke-passkey.ts";
import { compareMemory, openAllFiles, weigh } from "./smoke-weight.ts";
import { hasBrowser } from "./support/chromium.ts";
import { nameServer } from "./support/name-server.ts";

const DEADLINE_MS = 20_000;
const folder = mkdtempSync(join(tmpdir(), "posthorn-smoke-"));
const program = join(folder, "posthorn");
// Nothing of the machine but where programs are: no home, no configuration, no source tree.
const names = await nameServer();
const env = {
  PATH: process.env["PATH"] ?? "",
  POSTHORN_HTTP_PORT: "0",
  POSTHORN_SMTP_SUBMISSION_PORT: "0",
  POSTHORN_SMTP_SUBMISSIONS_PORT: "0",
  POSTHORN_SMTP_INBOUND_PORT: "0",
  POSTHORN_DNS_SERVERS: names.address,
};

let heard = "";
let url = "";
let secret = "";

async function smoke(): Promise<void> {
  copyFileSync(join(import.meta.dir, "../dist/posthorn"), program);
  const streaming = { ...env, POSTHORN_BACKUP_STREAM: join(folder, "stream") };
  const server = Bun.spawn([program, "serve"], { cwd: folder, env: streaming, stdout: "pipe", stderr: "pipe" });
  const faults = new Response(server.stderr).text();
  void hear(server.stdout);
  try {
    await check("it weighs no more than it may", async () => weigh(program));
    await check("it starts and says where it listens", startsToListen);
    await check("it has told the engine to keep less memory, as the same process", () => engineTold(server.pid));
    await check("it starts through the loader of shared libraries, too", throughLoader);
    await check("it knows the commit that it was built from", builtFrom);
    await check("posthorn ready finds it ready", foundReady);
    await check("the printed curl line sends a mail, which is shown as sent", firstMail);
    await check("the mail as it left is signed", signedMail);
    await check("what the mail says is read on a thread", readMail);
    await check("an address is checked with the embedded lists", verifiedAddress);
    await check("the API reference, its document and the guide are embedded", describedCalls);
    await check("the web face is embedded, file by file", facePacked);
    if (hasBrowser) await check("the first owner comes in by a link, and every screen opens", faceOpened);
    else console.log("skip   the web face in a browser: there is no chromium");
    await check("a passkey is made, and lets somebody in", passkeyEntered);
    await check("a template preview is rendered on its thread", previewedTemplate);
    await check("workspaces, keys and domains are created beside the running server", besideServer);
    server.kill("SIGTERM");
    await check("it stops in order on SIGTERM", async () => same(await within(server.exited, 10_000), 0));
    await check("what it has shipped behind each commit comes back", restoredStream);
    await check("its pages take no more memory than they may", () => compareMemory({ program, folder, env }));
    await check("nothing went wrong", async () => same([await faults, heard.match(/ (warn|error) /g)], ["", null]));
  } finally {
    server.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Threads of the executable are found by their names, also by another thread. */
async function restoredStream(): Promise<void> {
  const words = ["restore", "--from", "stream", "--data", "back"];
  const { stderr, exitCode } = Bun.spawnSync([program, ...words], { cwd: folder, env });
  same([exitCode, stderr.toString()], [0, ""]);
}

async function startsToListen(): Promise<void> {
  url = await until(async () => /^HTTP API on (http:\S+)$/m.exec(heard)?.[1]);
  secret = /^ {2}secret {2}(sk_\w+)$/m.exec(heard)?.[1] ?? "";
  await until(async () => /^Transport capture: /m.test(heard));
}

/** The environment of a process is the one that its program began with; macOS has none to read. */
async function engineTold(pid: number): Promise<void> {
  if (process.platform !== "linux") return;
  const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  same(variables.filter((variable) => variable.startsWith("BUN_JSC_")).length, 3);
}

/** There it cannot begin anew, as the process is the loader's. */
async function throughLoader(): Promise<void> {
  const loader = "/lib64/ld-linux-x86-64.so.2";
  if (!existsSync(loader)) return;
  const words = ["serve", "--config", "missing.toml"];
  const { stderr, exitCode } = Bun.spawnSync([loader, program, ...words], { cwd: folder, env });
  same(
    [exitCode, stderr.toString()],
    [2, "1 fault in the configuration:\n  missing.toml: cannot be read: no such file\n"],
  );
}

async function builtFrom(): Promise<void> {
  const { stdout } = Bun.spawnSync([program, "version", "--json"], { cwd: folder, env });
  const { commit, date } = JSON.parse(stdout.toString());
  same(commitOf(join(import.meta.dir, "..")).commit.replace("-dirty", ""), commit.replace("-dirty", ""));
  match(heard, new RegExp(` Posthorn starts version=\\S+ commit=${commit} date=${date} `));
}

async function foundReady(): Promise<void> {
  const here = { ...env, POSTHORN_HTTP_PORT: new URL(url).port };
  const { stdout, exitCode } = Bun.spawnSync([program, "ready"], { cwd: folder, env: here });
  same([exitCode, stdout.toString()], [0, "ready\n"]);
}

async function firstMail(): Promise<void> {
  const line = /^ +(curl .+)$/m.exec(heard)?.[1] ?? "";
  const { stdout, exitCode } = Bun.spawnSync(["bash", "-c", line], { cwd: folder, env });
  same([exitCode, JSON.parse(stdout.toString()).success], [0, true]);
  await until(async () => (await emails()).every(({ status }) => status === "SENT"));
}

async function signedMail(): Promise<void> {
  const [email] = await emails();
  const raw = await (await get(`/emails/${email?.id}/raw`)).text();
  match(raw, /^DKIM-Signature: v=1; a=rsa-sha256; [^]*d=example\.test;[^]*\r\n\r\n[^]+/);
}

async function readMail(): Promise<void> {
  const [email] = await emails();
  const { subject, text, headers } = (await (await get(`/emails/${email?.id}/content`)).json()) as Content;
  ok(text?.trim(), "it has no text");
  ok(
    headers.some(({ name, value }) => name === "Subject" && value === subject),
    "it has no subject",
  );
}

type Content = {
  readonly subject: string;
  readonly text: string | null;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
};

async function verifiedAddress(): Promise<void> {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const body = JSON.stringify({ email: "ada@mailinator.com" });
  const { data } = (await (await fetch(`${url}/v1/verify`, { method: "POST", headers, body })).json()) as Verified;
  same([data.isDisposable, data.domainExists, names.asked.includes("mailinator.com")], [true, false, true]);
}

type Verified = { readonly data: { readonly isDisposable: boolean; readonly domainExists: boolean } };

async function describedCalls(): Promise<void> {
  const { paths } = (await (await get("/openapi.json")).json()) as { paths: object };
  ok("/v1/send" in paths, "POST /v1/send is not described");
  match(await (await get("/docs")).text(), /SwaggerUIBundle/);
  match(await (await get("/docs/swagger-ui.js")).text(), /SwaggerUIBundle/);
  match(await (await get("/docs/guide/sending")).text(), /<h1 id="sending">/);
}

async function facePacked(): Promise<void> {
  const files = await openAllFiles(url);
  ok(files > 10, `the face has only ${files} files`);
}

async function faceOpened(): Promise<void> {
  const link = /https?:\/\/\S+#\S+/.exec(cli("user", "link"))?.[0] ?? "";
  // The server has chosen its port.
  await openEveryScreen(url, link.replace(/^https?:\/\/[^/]+/, url));
}

/** By a server of its own: passkeys belong to the name in base_url. */
async function passkeyEntered(): Promise<void> {
  const named = { ...env, POSTHORN_HTTP_BASE_URL: ORIGIN };
  const server = Bun.spawn([program, "serve", "--data", "named"], { cwd: folder, env: named, stdout: "pipe" });
  let said = "";
  void hear(server.stdout, (text) => (said += text));
  const address = await until(async () => /^HTTP API on (http:\S+)$/m.exec(said)?.[1]);
  await passkeyCeremony(address, said).finally(() => server.kill("SIGTERM"));
}

async function previewedTemplate(): Promise<void> {
  const template = {
    name: "Smoke",
    subject: "Hi {{ name }}",
    body: "<p>{{ nick ?? name }}</p>",
    type: "TRANSACTIONAL",
  };
  const { id } = (await (await post("/templates", template)).json()) as { id: string };
  const preview = await (await post(`/templates/${id}/preview`, { data: { nick: "Ada" } })).json();
  same(preview, { subject: "Hi ", html: "<p>Ada</p>", text: "Ada", missing: ["name"] });
}

async function besideServer(): Promise<void> {
  const { workspace, keys } = JSON.parse(cli("workspace", "create", "smoke", "--json"));
  same((await get("/emails", keys.secret)).status, 200);
  match(cli("domain", "add", "smoke.example", "--workspace", workspace.id), /_domainkey\.smoke\.example/);
  const words = ["--workspace", "smoke", "--domain", "smoke.example", "--json"];
  const scoped = JSON.parse(cli("key", "create", ...words)).secret;
  same(await send(scoped), 403);
  cli("domain", "verify", "smoke.example", "--force");
  same(await send(scoped), 200);
  await until(async () => (await emails(scoped)).every(({ status }) => status === "SENT"));
}

/** Runs the program beside the server; answers what it prints. */
function cli(...words: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...words], { cwd: folder, env });
  same([exitCode, stderr.toString()], [0, ""]);
  return stdout.toString();
}

async function send(key: string): Promise<number> {
  const body = { to: "you@example.com", from: "hello@smoke.example", subject: "Smoke", body: "<p>Hello</p>" };
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return (await fetch(`${url}/v1/send`, { method: "POST", headers, body: JSON.stringify(body) })).status;
}

type Email = { readonly id: string; readonly status: string };

async function emails(key?: string): Promise<Email[]> {
  const { data } = (await (await get("/emails", key)).json()) as { data: Email[] };
  ok(data.length > 0, "there is no mail");
  return data;
}

function post(path: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  return fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
}

function get(path: string, key = secret): Promise<Response> {
  return fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
}

async function hear(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  add: (text: string) => unknown = (text) => (heard += text),
) {
  const decoder = new TextDecoder();
  for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
}

/** Asks again and again until the answer is neither false nor undefined. */
async function until<Answer>(question: () => Promise<Answer | false | undefined>): Promise<Answer> {
  const end = performance.now() + DEADLINE_MS;
  for (;;) {
    const answer = await question();
    if (answer !== false && answer !== undefined) return answer;
    if (performance.now() > end) throw new Error(`it took more than ${DEADLINE_MS} ms; it said:\n${heard}`);
    await Bun.sleep(10);
  }
}

function within<Answer>(work: Promise<Answer>, limitMs: number): Promise<Answer> {
  const late = Bun.sleep(limitMs).then(() => Promise.reject(new Error(`it took more than ${limitMs} ms`)));
  return Promise.race([work, late]);
}

async function check(what: string, work: () => Promise<void>): Promise<void> {
  const startedMs = performance.now();
  await work().catch((error: Error) => {
    console.log(`FAILED ${what}: ${error.message}`);
    throw error;
  });
  console.log(`ok     ${what} (${Math.round(performance.now() - startedMs)} ms)`);
}

process.exit(
  await smoke().then(
    () => 0,
    (error) => (console.error(error), 1),
  ),
);
