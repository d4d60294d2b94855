// The receiver of the guide, as it is pasted: it takes what is signed, and nothing else.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { TestClock } from "../support/clock.ts";
import { freePort } from "../support/free-port.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";

const [, SCRIPT = ""] =
  /cat > receiver\.mjs <<'END'\n([\s\S]*?)\nEND\n/.exec(readFileSync("docs/webhooks.md", "utf8")) ?? [];

test("the receiver of the guide takes what is signed and refuses what is not (slow)", async () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-receiver-"));
  const script = join(folder, "receiver.mjs");
  // Once it listens it says so, which a person sees by other means.
  writeFileSync(script, `${SCRIPT.replace(/;\s*$/, "")}.on("listening", () => console.log("ready"));\n`);
  await using posthorn = await startPosthorn({
    config: { webhooks: { allow: ["127.0.0.1"] } },
    clock: new TestClock(new Date().toISOString()),
  });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { body: hook } = await ask(posthorn, "POST /webhooks", { body: { url, events: ["email.sent"] } });
  const process = Bun.spawn([Bun.argv[0] as string, script], {
    env: { SECRET: hook.secret, PORT: String(port), PATH: Bun.env["PATH"] ?? "" },
    stdout: "pipe",
  });
  const said = process.stdout.getReader();
  const next = async () => new TextDecoder().decode((await said.read()).value);
  expect(await next()).toBe("ready\n");
  const tryIt = async () => {
    const { deliveryId } = (await ask(posthorn, `POST /webhooks/${hook.id}/test`, { body: { type: "email.sent" } }))
      .body;
    await posthorn.settle();
    return (await ask(posthorn, `GET /webhooks/${hook.id}/deliveries/${deliveryId}`)).body.status;
  };
  expect(await tryIt()).toBe(204);
  expect(await next()).toStartWith("email.sent ");
  await ask(posthorn, `POST /webhooks/${hook.id}/rotate-secret`, { body: { overlapHours: 1 } });
  expect(await tryIt()).toBe(204);
  await ask(posthorn, `POST /webhooks/${hook.id}/rotate-secret`, { body: { overlapHours: 0 } });
  expect(await tryIt()).toBe(401);
  expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
  process.kill();
  await process.exited;
  rmSync(folder, { recursive: true });
});
