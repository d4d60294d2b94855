// The client's check of webhooks, with the signatures that the server sends.
import { expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { verifyWebhook, WebhookSignatureError } from "../../client/src/index.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const NOW_MS = Date.parse("2026-03-01T09:00:00Z");
const BODY = JSON.stringify({
  id: "1",
  type: "email.sent",
  createdAt: "x",
  workspaceId: "w",
  data: { to: "ä@example.com" },
});

function signed(secret = SECRET, at = NOW_MS) {
  return {
    "webhook-id": "1",
    "webhook-timestamp": String(at / 1000),
    "webhook-signature": new Webhook(secret).sign("1", new Date(at), BODY),
  };
}

function verify(headers: Headers | Record<string, string>, body = BODY) {
  return verifyWebhook({ body, headers, secret: SECRET, nowMs: NOW_MS });
}

test("what is signed with the secret is answered as an event", async () => {
  expect(await verify(signed())).toMatchObject({ type: "email.sent" });
  expect((await verify(new Headers(signed()))).type).toBe("email.sent");
  const old = signed("whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0")["webhook-signature"];
  const both = { ...signed(), "webhook-signature": `${old} ${signed()["webhook-signature"]}` };
  expect((await verify(both)).type).toBe("email.sent");
});

test.each([
  ["another body", signed(), `${BODY} `],
  ["another secret", signed("whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"), BODY],
  ["too old", signed(SECRET, NOW_MS - 301_000), BODY],
  ["from the future", signed(SECRET, NOW_MS + 301_000), BODY],
  ["another id", { ...signed(), "webhook-id": "2" }, BODY],
  ["no time", { ...signed(), "webhook-timestamp": "soon" }, BODY],
  ["no signature", { ...signed(), "webhook-signature": "" }, BODY],
  ["nonsense", { ...signed(), "webhook-signature": "v1,%%% v2,x" }, BODY],
])("is refused: %s", async (_, headers, body) => {
  await expect(verify(headers, body)).rejects.toBeInstanceOf(WebhookSignatureError);
});

test.each(["whsec_", "not a secret!"])("a secret that is none is said: %s", async (secret) => {
  const refused = verifyWebhook({ body: BODY, headers: signed(), secret, nowMs: NOW_MS });
  await expect(refused).rejects.toThrow(new WebhookSignatureError("The secret is none of a webhook: whsec_…"));
});
