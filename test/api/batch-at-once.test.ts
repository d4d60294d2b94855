// Batches at the same moment that name the same new people in other orders: each is taken.
import { describe, expect, test } from "bun:test";
import { letter } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { workspace } from "../support/workspace.ts";

const ROUNDS = 6;
const PEOPLE = 8;

async function post(posthorn: Posthorn, path: string, body: object): Promise<number> {
  const { secret } = posthorn.keys;
  const auth = path.includes("postmark")
    ? { "x-postmark-server-token": secret }
    : { authorization: `Bearer ${secret}` };
  const headers = { ...auth, "content-type": "application/json" };
  const answer = await fetch(posthorn.server.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  await answer.text();
  return answer.status;
}

const DOORS: Readonly<Record<string, readonly [string, (to: readonly string[]) => object]>> = {
  "of our own": ["/v1/send/batch", (to) => ({ emails: to.map((one) => ({ ...letter, to: one })) })],
  "of Resend": [
    "/compat/resend/emails/batch",
    (to) => to.map((one) => ({ from: letter.from, to: one, subject: "S", text: "T" })),
  ],
  "of SendGrid": [
    "/compat/sendgrid/v3/mail/send",
    (to) => ({
      personalizations: to.map((email) => ({ to: [{ email }] })),
      from: { email: letter.from },
      subject: "S",
      content: [{ type: "text/plain", value: "T" }],
    }),
  ],
  "of Postmark": [
    "/compat/postmark/email/batch",
    (to) => to.map((To) => ({ From: letter.from, To, Subject: "S", TextBody: "T" })),
  ],
};

describe.each(Object.entries(DOORS))("batches %s", (_, [path, bodyFor]) => {
  test("come through in each order, and each recipient is one contact (slow)", async () => {
    await using posthorn = await workspace();
    const statuses: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const to = Array.from({ length: PEOPLE }, (__, n) => `r${round}n${n}@example.com`);
      const orders = [to, to.toReversed(), [...to.slice(3), ...to.slice(0, 3)]];
      statuses.push(...(await Promise.all(orders.map((one) => post(posthorn, path, bodyFor(one))))));
    }
    expect([...new Set(statuses)]).toEqual([path.includes("sendgrid") ? 202 : 200]);
    expect((await posthorn.call("GET /contacts")).body.total).toBe(ROUNDS * PEOPLE);
  });
});
