import { expect, test } from "bun:test";
import { startPosthorn } from "./support/posthorn.ts";

const MAIL = { to: "ada@example.com", from: "hello@example.test", subject: "Hi", body: "<p>Hello</p>" };

test("a mail that was accepted leaves and is shown as sent", async () => {
  await using posthorn = await startPosthorn();
  const reply = await posthorn.call("POST /v1/send", MAIL);
  expect(reply.status).toBe(200);
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual(["ada@example.com"]);
  const { body: email } = await posthorn.call(`GET /emails/${reply.body.data.emails[0].email}`);
  expect(email.status).toBe("SENT");
  expect(await posthorn.eventNames()).toEqual(["email.sent"]);
});
