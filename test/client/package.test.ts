// The package as it is published: what is in it, that Node runs it, and that programs in TypeScript understand it.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { buildClient } from "../../build/client.ts";
import { posthornCli } from "../support/cli.ts";
import { freshDirectory } from "../support/database.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { openShopInTestTime } from "../support/test-time.ts";

const program = freshDirectory();
afterAll(program.remove);
let posthorn: Posthorn;
beforeAll(async () => {
  expect(buildClient()).toBe(0);
  const installed = join(program.path, "node_modules/@posthorn/client");
  mkdirSync(installed, { recursive: true });
  cpSync("client/dist", join(installed, "dist"), { recursive: true });
  cpSync("client/package.json", join(installed, "package.json"));
  posthorn = await startPosthorn();
});
afterAll(() => posthorn[Symbol.asyncDispose]());

test("npm packs the code, its types, the readme and the licence, and nothing else", () => {
  const packed = Bun.spawnSync(["npm", "pack", "--dry-run", "--json"], { cwd: "client", stderr: "ignore" });
  const [{ files, name, version: packedVersion, size }] = JSON.parse(packed.stdout.toString());
  expect([name, packedVersion]).toEqual(["@posthorn/client", version]);
  const built = readdirSync("client/dist").map((file) => `dist/${file}`);
  const paths = files.map(({ path }: { path: string }) => path);
  expect(paths.toSorted()).toEqual(["LICENSE", "README.md", "package.json", ...built].toSorted());
  expect(size).toBeLessThan(150_000);
  const { dependencies, exports } = JSON.parse(readFileSync("client/package.json", "utf8"));
  expect(dependencies).toBeUndefined();
  for (const { types, default: code } of [exports["."], exports["./browser"]])
    for (const file of [types, code]) expect(paths).toContain(file.slice(2));
});

test.each([
  ["client/README.md", /```js\n([\s\S]*?)```/],
  ["docs/client.md", /cat > first\.mjs <<'END'\n([\s\S]*?)\nEND\n/],
])("the first lines of %s work in Node", async (page, script) => {
  writeFileSync(join(program.path, "first.mjs"), script.exec(readFileSync(page, "utf8"))?.[1] ?? "");
  const { url } = posthorn.server;
  const node = Bun.spawn(["node", "first.mjs"], {
    cwd: program.path,
    env: { PATH: Bun.env["PATH"] ?? "", POSTHORN_URL: url, POSTHORN_KEY: posthorn.keys.secret },
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = await Promise.all([new Response(node.stdout).text(), new Response(node.stderr).text()]);
  expect([await node.exited, ...said]).toEqual([0, expect.stringMatching(/^Queued as [0-9a-f-]{36}\n/), ""]);
  await posthorn.settle();
  expect(posthorn.transport.recipients.at(-1)).toBe("ada@example.com");
});

test("the test of the guide passes in Node, and again once the workspace is empty", async () => {
  const dir = join(program.path, "data");
  await using shop = await openShopInTestTime(dir);
  const script = /cat > onboarding\.test\.mjs <<'END'\n([\s\S]*?)\nEND\n/.exec(
    readFileSync("docs/test-clock.md", "utf8"),
  );
  writeFileSync(join(program.path, "onboarding.test.mjs"), script?.[1] ?? "");
  const passes = async () => {
    const node = Bun.spawn(["node", "--test", "onboarding.test.mjs"], {
      cwd: program.path,
      env: { PATH: Bun.env["PATH"] ?? "", POSTHORN_URL: shop.server.url, POSTHORN_KEY: shop.key },
      stdout: "pipe",
      stderr: "pipe",
    });
    const said = await new Response(node.stdout).text();
    expect([await node.exited, said]).toEqual([0, expect.stringMatching(/pass 1\n/)]);
  };
  await passes();
  const emptied = await posthornCli(["reset", "--workspace", "default", "--test", "--data", dir]);
  expect([emptied.code, emptied.err]).toEqual([0, ""]);
  await passes();
});

test("a page that only records events loads little", async () => {
  const entry = join(program.path, "page.js");
  writeFileSync(entry, 'import { createTracker } from "@posthorn/client/browser"; globalThis.track = createTracker;');
  const { outputs } = await Bun.build({ entrypoints: [entry], minify: true, target: "browser" });
  expect(await outputs[0]?.text()).not.toContain("/contacts");
  expect(outputs[0]?.size).toBeLessThan(4_000);
});

/** The other examples of the readme, a function each. */
function examples(): string {
  const blocks = [...readFileSync("client/README.md", "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(
    ([, text = ""]) => text,
  );
  expect(blocks.length).toBeGreaterThan(2);
  const isImport = (line: string) => line.startsWith("import ");
  const lines = blocks.map((text) => text.split("\n"));
  const bodies = lines.map(
    (own, at) => `export async function example${at}() {\n${own.filter((line) => !isImport(line)).join("\n")}}`,
  );
  return [...lines.flat().filter(isImport), "declare const id: string, request: Request;", ...bodies].join("\n");
}

/** Each line after `@ts-expect-error` must be wrong, and all others right. */
const TYPED = `
import { Posthorn, NotFoundError, type WebhookEvent } from "@posthorn/client";
const posthorn = new Posthorn({ url: "https://mail.example.com", key: "sk_x" });
export async function typed(body: string, headers: Headers): Promise<WebhookEvent> {
  const { data } = await posthorn.emails.send({ to: "a@example.com", template: "receipt", data: { order: 1 } });
  const id: string | undefined = data.emails[0]?.email;
  // @ts-expect-error a misspelt field
  await posthorn.emails.send({ to: "a@example.com", subjct: "x" });
  // @ts-expect-error the id is missing
  await posthorn.emails.get();
  // @ts-expect-error no such state
  await posthorn.emails.list({ status: "SEND" });
  await posthorn.contacts.update("id", { data: { plan: "pro" } }, { signal: AbortSignal.timeout(10) });
  for await (const contact of posthorn.contacts.list({ search: id ?? "" })) contact.email.trim();
  // @ts-expect-error a contact has no such field
  for await (const contact of posthorn.contacts.list()) contact.mail;
  const raw: string = await posthorn.emails.getRaw("id");
  if (raw === "") throw new NotFoundError("none");
  return posthorn.webhooks.verify({ body, headers, secret: "whsec_x" });
}
`;

test.each([
  ["NodeNext", "nodenext"],
  ["Preserve", "bundler"],
])("its types say what the API takes and answers: %s", (module, moduleResolution) => {
  writeFileSync(join(program.path, "typed.mts"), TYPED + examples());
  const compilerOptions = { strict: true, noEmit: true, module, moduleResolution, target: "ES2022", types: [] };
  const lib = ["ES2023", "DOM"];
  const project = { compilerOptions: { ...compilerOptions, lib }, files: ["typed.mts"] };
  writeFileSync(join(program.path, "tsconfig.json"), JSON.stringify(project));
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, "check", "--no-script", "-p", program.path]);
  expect([exitCode, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining("No type errors")]);
});
