// The lines that the set-up gives to programs, run as they are pasted.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { API } from "../../web/settings/smtp/snippets/api.ts";
import type { SnippetValues } from "../../web/settings/smtp/snippets/values.ts";
import { LANGUAGES } from "../../web/settings/smtp/snippets/languages.ts";
import { startSubmission } from "../support/submission.ts";

let server: Awaited<ReturnType<typeof startSubmission>>;
beforeAll(async () => {
  server = await startSubmission();
});
afterAll(() => server.posthorn[Symbol.asyncDispose]());

/** Where its imports are found. */
const SCRIPT = join(import.meta.dir, "lines.made.mjs");
afterAll(() => rmSync(SCRIPT, { force: true }));

const WAYS = [
  ["SMTP with STARTTLS", LANGUAGES, "STARTTLS"],
  ["SMTP with TLS", LANGUAGES, "TLS"],
  ["the API", API, "TLS"],
] as const;
const CASES = WAYS.flatMap((way) => ["curl", "node"].map((id) => [id, ...way] as const));

function given(tls: "STARTTLS" | "TLS", to: string): SnippetValues {
  const { posthorn, ports } = server;
  const port = tls === "TLS" ? ports.tls : ports.starttls;
  const smtp = { host: "127.0.0.1", user: "posthorn", port, tls, isSelfSigned: true };
  return { ...smtp, to, password: posthorn.keys.secret, from: "hello@example.test", origin: posthorn.server.url };
}

test.each(CASES)("lines for %s send a mail by %s", async (id, way, lines, tls) => {
  const to = `${id}.${way.replaceAll(" ", ".").toLowerCase()}@example.com`;
  const text = lines.find((one) => one.id === id)?.text(given(tls, to)) ?? "";
  if (id === "node") await Bun.write(SCRIPT, text);
  const command = id === "node" ? [process.execPath, SCRIPT] : ["sh", "-c", text];
  expect(await Bun.spawn(command, { stdout: "ignore", stderr: "ignore" }).exited).toBe(0);
  await server.posthorn.settle();
  expect(server.posthorn.transport.recipients).toContain(to);
});
