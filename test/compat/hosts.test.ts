// A host name that answers as another service alone: the official clients, unchanged but for the host.
import { expect, test } from "bun:test";
import type { Config } from "../../src/base/config.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addKeys } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

// Their types are of another kind of modules.
const [RESEND, POSTMARK, MAIL, CLIENT]: readonly string[] = [
  "resend",
  "postmark",
  "@sendgrid/mail",
  "@sendgrid/client",
];
const { Resend } = (await import(RESEND as string)) as { readonly Resend: new (key: string, options: object) => Json };
const { ServerClient } = (await import(POSTMARK as string)) as {
  readonly ServerClient: new (key: string, options: object) => Json;
};
const { MailService } = (await import(MAIL as string)) as { readonly MailService: new () => Json };
const { Client } = (await import(CLIENT as string)) as { readonly Client: new () => Json };

/** The one name beside 127.0.0.1 that leads here on every machine. */
const NAME = "localhost";
const hosted = (compat: Partial<Config["compat"]>) => workspace({ config: { compat } });
const at = ({ server }: Posthorn) => `${NAME}:${new URL(server.url).port}`;
const mailOf = async (posthorn: Posthorn, id: string) => (await ask(posthorn, `GET /emails/${id}`)).body;

test("Resend's client needs the host alone (slow)", async () => {
  await using posthorn = await hosted({ resendHost: NAME });
  const client = new Resend(posthorn.keys.secret, { baseUrl: `http://${at(posthorn)}` });
  const letter = { from: "shop@example.test", to: "ada@example.com", subject: "Hi", html: "<p>Hello</p>" };
  const { data, error } = await client.emails.send(letter);
  expect(error).toBeNull();
  expect((await mailOf(posthorn, data.id)).subject).toBe("Hi");
  expect((await client.emails.list({ limit: 1 })).data).toMatchObject({ data: [{ id: data.id }] });
  expect((await client.emails.send({ ...letter, to: "nobody" })).error.name).toBe("validation_error");
});

test("doubled slashes are one there too", async () => {
  await using posthorn = await hosted({ postmarkHost: NAME });
  const letter = { From: "shop@example.test", To: "ada@example.com", Subject: "Hi", TextBody: "Hello" };
  const reply = await fetch(`http://${at(posthorn)}//email//batch`, {
    method: "POST",
    headers: { "x-postmark-server-token": posthorn.keys.secret },
    body: JSON.stringify([letter]),
  });
  expect([reply.status, ((await reply.json()) as Json)[0].ErrorCode]).toEqual([200, 0]);
});

test("Postmark's client needs the host alone", async () => {
  await using posthorn = await hosted({ postmarkHost: NAME });
  const client = new ServerClient(posthorn.keys.secret, { requestHost: at(posthorn), useHttps: false });
  const letter = { From: "shop@example.test", To: "ada@example.com", Subject: "Hi", TextBody: "Hello" };
  const { MessageID } = await client.sendEmail(letter);
  expect((await mailOf(posthorn, MessageID)).subject).toBe("Hi");
});

test("SendGrid's client needs the host alone, and its v3 stays", async () => {
  await using posthorn = await hosted({ sendgridHost: NAME });
  const client = new Client();
  client.setApiKey(posthorn.keys.secret);
  client.setDefaultRequest("baseUrl", `http://${at(posthorn)}`);
  const service = new MailService();
  service.setClient(client);
  const letter = { from: "shop@example.test", to: "ada@example.com", subject: "Hi", text: "Hello" };
  const [{ statusCode, headers }] = await service.send(letter);
  expect(statusCode).toBe(202);
  expect((await mailOf(posthorn, headers["x-message-id"])).subject).toBe("Hi");
});

test("nothing else is there, and everything else is where it was", async () => {
  await using posthorn = await hosted({ resendHost: "resend.example.com" });
  const { keys, server } = posthorn;
  const get = async (host: string, path: string) =>
    fetch(server.url + path, { headers: { host, authorization: `Bearer ${keys.secret}` } });
  for (const path of ["/", "/app", "/health", "/workflows", "/v1/send", "/openapi.json", "/compat/postmark/bounces"]) {
    const reply = await get("resend.example.com", path);
    expect([path, reply.status, ((await reply.json()) as Json).name]).toEqual([path, 404, "not_found"]);
  }
  for (const host of ["RESEND.example.com", "resend.example.com.", "resend.example.com:8443"])
    expect([host, ((await (await get(host, "/emails?limit=1")).json()) as Json).object]).toEqual([host, "list"]);
  expect((await get("mail.example.com", "/emails")).status).toBe(200);
  expect((await get("mail.example.com", "/compat/resend/emails")).status).toBe(200);
  expect((await get("mail.example.com", "/nothing")).status).toBe(404);
});

test("Mailgun's API is there with a host of its own alone, as its clients keep no path", async () => {
  await using posthorn = await hosted({ mailgunHost: "mailgun.example.com" });
  await using without = await hosted({ resendHost: "resend.example.com" });
  const statusAt = async ({ keys, server }: Posthorn, path: string) => {
    const headers = { host: "mailgun.example.com", authorization: `Basic ${btoa(`api:${keys.secret}`)}` };
    return (await fetch(server.url + path, { headers })).status;
  };
  expect([await statusAt(posthorn, "/v3/domains"), await statusAt(posthorn, "/emails")]).toEqual([200, 404]);
  expect([await statusAt(without, "/v3/domains"), await statusAt(without, "/compat/mailgun/v3/domains")]).toEqual([
    404, 404,
  ]);
});

test("a key that is bound to an address is known there, too", async () => {
  await using posthorn = await hosted({ resendHost: "resend.example.com" });
  const list = async (allowedIps: readonly string[]) => {
    const { secret } = await addKeys(posthorn, { allowedIps });
    const headers = { host: "resend.example.com", authorization: `Bearer ${secret}` };
    return (await fetch(`${posthorn.server.url}/emails`, { headers })).status;
  };
  expect([await list(["127.0.0.1"]), await list(["192.0.2.1"])]).toEqual([200, 401]);
});
