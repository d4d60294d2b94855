// A webhook over TLS to a receiver whose certificate is in order, by a process of its own that trusts who has signed
// it.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { ServerProcess } from "../crash/server-process.ts";
import { freshDirectory } from "../support/database.ts";
import type { Json } from "../support/posthorn.ts";

const file = (name: string) => new URL(`../support/certificates/${name}`, import.meta.url).pathname;
const read = (name: string) => readFileSync(file(name), "utf8");

test("a signed webhook arrives over TLS, and not under a name that the certificate does not have", async () => {
  const received = Promise.withResolvers<{ host: string | null; headers: Headers; body: string }>();
  const receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert: read("receiver.cert.pem"), key: read("receiver.key.pem") },
    fetch: async (request) => {
      const { headers } = request;
      received.resolve({ host: headers.get("host"), headers, body: await request.text() });
      return new Response("thanks");
    },
  });
  const directory = freshDirectory();
  const settings = {
    NODE_EXTRA_CA_CERTS: file("authority.cert.pem"),
    POSTHORN_DELIVERY_TRANSPORT: "capture",
    POSTHORN_WEBHOOKS_ALLOW: "localhost,127.0.0.1",
  };
  await using server = await ServerProcess.start({
    dataDir: directory.path,
    relayPort: receiver.port ?? 0,
    run: 0,
    settings,
  });
  const headers = { authorization: `Bearer ${server.secretKey}`, "content-type": "application/json" };
  const call = async (path: string, body?: object): Promise<Json> =>
    (
      await fetch(server.url + path, {
        headers,
        ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
      })
    ).json();
  const { webhookSecret } = await call("/workspace");

  const hook = (host: string) => ({
    type: "WEBHOOK",
    name: host,
    config: { url: `https://${host}:${receiver.port}/hooks` },
  });
  const steps = [hook("localhost"), hook("127.0.0.1")];
  const { id } = await call("/workflows", { name: "Flow", eventName: "signup", enabled: true, steps });
  await call("/v1/track", { email: "ada@example.com", event: "signup", data: { plan: "pro" } });

  const there = await received.promise;
  expect(there.host).toBe(`localhost:${receiver.port}`);
  const verified = new Webhook(webhookSecret).verify(there.body, Object.fromEntries(there.headers.entries()));
  expect(verified).toMatchObject({ contact: { email: "ada@example.com" }, event: { plan: "pro" } });

  let attempts: Json[] = [];
  while (attempts[1]?.outcome === undefined || attempts[1].outcome === null) {
    const [execution] = (await call(`/workflows/${id}/executions`)).data;
    const { steps: trace } = await call(`/workflows/${id}/executions/${execution.id}`);
    attempts = trace.slice(1).map((step: Json) => step.attempts[0]);
  }
  expect(attempts[0]).toMatchObject({ outcome: "delivered", status: 200, answer: "thanks" });
  expect(attempts[1]).toMatchObject({ outcome: "later", answer: expect.stringContaining("ALTNAME") });
  await receiver.stop(true);
  directory.remove();
});
