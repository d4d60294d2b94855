// Mail that is to leave soon wakes the send loop; later mail is seen in time without.
import { expect, test } from "bun:test";
import { MAIL_QUEUED } from "../../src/mail/emails/queue/queued.ts";
import { LOOK_OFTEN_MS } from "../../src/base/jobs/due.ts";
import { letter } from "../support/mails.ts";
import { workspace } from "../support/workspace.ts";

test.each([
  ["at once", null, true],
  ["before the loop would have looked", 2 * LOOK_OFTEN_MS - 1_000, true],
  ["after the loop has looked", 2 * LOOK_OFTEN_MS + 1_000, false],
])("a mail that is to leave %s", async (_, inMs, isSignalled) => {
  await using posthorn = await workspace();
  const heard: (string | null)[] = [];
  posthorn.store.onSignal((what) => heard.push(what));
  const sendAt = inMs === null ? undefined : new Date(posthorn.clock.nowMs() + inMs).toISOString();
  const { status } = await posthorn.call("POST /v1/send", { ...letter, to: "ada@example.com", sendAt });
  expect(status).toBe(200);
  expect(heard.includes(MAIL_QUEUED)).toBe(isSignalled);
});
