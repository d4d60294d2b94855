// What comes back later says how much mail a provider takes, too: a relay hears it, and tells us.
import { expect, test } from "bun:test";
import { readNotice } from "../../src/inbound/bounces/notice.ts";
import { takeNotice } from "../../src/inbound/bounces/take-notice.ts";
import { dsn } from "../support/bounces.ts";
import { startPosthorn, type Json, type Posthorn, type StartOptions } from "../support/posthorn.ts";
import { KEYS, pathOf, posted } from "../support/providers.ts";
import { Amazon, post, sesMessage, signed, TOPIC } from "../support/sns.ts";

const SECOND_MS = 1_000;
const RETURN_PATH = "bounces.example.test";
const SLOW = "421 4.7.28 Our system has detected an unusual rate of mail";
const BLOCKED = "550 5.7.1 Blocked: the reputation of your server is low";

const started = (config: StartOptions["config"] = {}, more: StartOptions = {}) =>
  startPosthorn({
    ...more,
    config: {
      ...config,
      delivery: { transport: "smtp", returnPathDomain: RETURN_PATH },
      relay: { host: "smtp.example.com", ...config.relay },
    },
  });

async function sent(posthorn: Posthorn, to = "first@gmail.com"): Promise<string> {
  const letter = { to, from: "shop@example.test", subject: "Hi", body: "<p>Hi" };
  const { body } = await posthorn.call("POST /v1/send", letter);
  await posthorn.settle();
  posthorn.clock.advance(SECOND_MS);
  return body.data.emails[0].email;
}

async function bring(posthorn: Posthorn, fields: string): Promise<void> {
  const address = posthorn.transport.sent.at(-1)?.envelope.returnPath as string;
  const notice = await readNotice(
    Buffer.from(dsn({ fields }).replaceAll("$ADDRESS", address).replaceAll("\n", "\r\n")),
  );
  const options = { secrets: posthorn.secrets, returnPathDomain: RETURN_PATH };
  await posthorn.store.write((tx) => takeNotice(tx, notice, address, options));
}

async function brakes(posthorn: Posthorn): Promise<Json[]> {
  posthorn.clock.advance(20 * SECOND_MS);
  await posthorn.settle();
  const { body } = await posthorn.call("GET /queue");
  return body.brakes.map(({ mailbox, state, way, reply }: Json) => ({ mailbox, state, way, reply }));
}

const gmail = (state: string, reply: string) => [{ mailbox: "gmail", state, way: "default", reply }];

test("a relay's note that an email is delayed slows its provider down, and is in the timeline once", async () => {
  await using posthorn = await started();
  const id = await sent(posthorn);
  const fields = `Final-Recipient: rfc822; first@gmail.com\nAction: delayed\nStatus: 4.7.28\nDiagnostic-Code: smtp; ${SLOW}`;
  await bring(posthorn, fields);
  posthorn.clock.advance(SECOND_MS);
  await bring(posthorn, fields);
  expect(await brakes(posthorn)).toEqual(gmail("SLOWED", SLOW));
  const { status, timeline } = (await posthorn.call(`GET /emails/${id}`)).body;
  const delays = timeline.filter(({ what }: Json) => what === "attempt.delayed");
  expect([status, delays.map(({ detail }: Json) => detail.reply)]).toEqual(["SENT", [SLOW]]);
});

test("a bounce that blames our reputation pauses its provider", async () => {
  await using posthorn = await started();
  await sent(posthorn);
  await bring(posthorn, `Action: failed\nStatus: 5.7.1\nDiagnostic-Code: smtp; ${BLOCKED}`);
  expect(await brakes(posthorn)).toEqual(gmail("PAUSED", BLOCKED));
});

test("a delay for any other reason, and a mailbox that is not there, change nothing", async () => {
  await using posthorn = await started();
  await sent(posthorn);
  await bring(posthorn, "Action: delayed\nStatus: 4.4.1\nDiagnostic-Code: smtp; 451 4.4.1 No answer from host");
  await sent(posthorn, "second@gmail.com");
  await bring(posthorn, "Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No such user");
  expect(await brakes(posthorn)).toEqual([]);
});

test("a notice of Amazon SES that delivery is delayed slows the provider down", async () => {
  const amazon = new Amazon();
  await using posthorn = await started({ ses: { topics: [TOPIC] } }, { fetchText: amazon.fetchText });
  const id = await sent(posthorn);
  const delayedRecipients = [{ emailAddress: "first@gmail.com", status: "4.7.28", diagnosticCode: `smtp; ${SLOW}` }];
  const details = { delayType: "IPFailure", delayedRecipients };
  await post(
    posthorn,
    signed({ Message: sesMessage("DeliveryDelay", { messageId: "X", tags: { emailId: [id] } }, details) }),
  );
  expect(await brakes(posthorn)).toEqual(gmail("SLOWED", SLOW));
});

test.each([
  ["generic", (id: string) => [{ type: "delayed", emailId: id, reason: SLOW }]],
  ["sendgrid", (id: string) => ({ event: "deferred", email: "first@gmail.com", "posthorn-id": id, response: SLOW })],
  [
    "mailgun",
    (id: string) => ({
      ...{ event: "failed", severity: "temporary", recipient: "first@gmail.com" },
      ...{ "user-variables": { "posthorn-id": id }, "delivery-status": { code: 421, message: SLOW } },
    }),
  ],
] as const)("a report of %s that an email is put off slows the provider down", async (name, event) => {
  await using posthorn = await started({ relay: { provider: name, providerKey: KEYS[name] } });
  const id = await sent(posthorn);
  const { body, headers } = posted(posthorn, name, event(id));
  const reply = await posthorn.call(`POST ${pathOf(posthorn, name)}`, body, headers);
  expect(reply.status).toBe(200);
  expect(await brakes(posthorn)).toEqual(gmail("SLOWED", SLOW));
});
