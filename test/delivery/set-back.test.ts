// A clock that was ahead and is set back: what was due at once by it is due now, and what has a time of its own keeps
// it.
import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, iso } from "../../src/base/clock.ts";
import { addReaders, look, send as sendCampaign } from "../support/campaigns.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addTemplate, addWorkflow, track } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const AHEAD_MS = 40 * DAY_MS;

/** Works with a clock that is ahead, and sets it right again. */
async function ahead(posthorn: Posthorn, work: () => Promise<unknown>): Promise<void> {
  posthorn.clock.jump(AHEAD_MS);
  await posthorn.settle();
  await work();
  posthorn.clock.jump(-AHEAD_MS);
}

async function send(posthorn: Posthorn, to: string, more: object = {}): Promise<void> {
  const body = { to, from: "hello@example.test", subject: "Hi", body: "<p>Hi</p>", ...more };
  expect((await ask(posthorn, "POST /v1/send", { body })).status).toBe(200);
}

test("a mail leaves that was accepted by a wrong clock, and a scheduled one waits for its time (slow)", async () => {
  await using posthorn = await workspace();
  const { clock, transport } = posthorn;
  const later = iso(clock.nowMs() + AHEAD_MS + HOUR_MS);
  await ahead(posthorn, async () => {
    await send(posthorn, "ada@example.com");
    await send(posthorn, "eve@example.com", { sendAt: later });
  });
  await posthorn.settle();
  expect(transport.recipients).toEqual(["ada@example.com"]);
  clock.advance(AHEAD_MS + 2 * HOUR_MS);
  await posthorn.settle();
  expect(transport.recipients).toEqual(["ada@example.com", "eve@example.com"]);
});

test("a mail that was deferred by a wrong clock is tried again (slow)", async () => {
  await using posthorn = await workspace();
  const { transport } = posthorn;
  await ahead(posthorn, async () => {
    transport.answer = () => ({ kind: "later", reply: "451 Not now", transient: true });
    await send(posthorn, "ada@example.com");
    await posthorn.settle();
  });
  transport.answer = () => ({ kind: "accepted", reply: "250 Ok" });
  await posthorn.settle();
  expect(transport.recipients).toEqual(["ada@example.com", "ada@example.com"]);
});

test("a campaign that was started by a wrong clock goes on (slow)", async () => {
  await using posthorn = await workspace();
  await addReaders(posthorn, 3);
  let campaign = "";
  await ahead(posthorn, async () => {
    campaign = await sendCampaign(posthorn);
  });
  await posthorn.settle();
  expect((await look(posthorn, campaign)).status).toBe("SENT");
  expect(posthorn.transport.sent).toHaveLength(3);
});

test("an event that happened by a wrong clock starts its workflow (slow)", async () => {
  await using posthorn = await workspace();
  const templateId = await addTemplate(posthorn);
  await addWorkflow(posthorn, [{ type: "SEND_EMAIL", name: "Welcome", config: { templateId } }]);
  await ahead(posthorn, () => track(posthorn, "signup"));
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual(["ada@example.com"]);
});
