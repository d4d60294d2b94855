// GET /statistics/states: the mails of some days by state, a sum that closes.
import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { RecordingTransport } from "../support/transport.ts";
import { workspace } from "../support/workspace.ts";

const STATES = { waiting: "QUEUED,SENDING", sent: "SENT,DELIVERED", failed: "FAILED", bounced: "BOUNCED" };

async function states(posthorn: Posthorn, query = "") {
  return (await posthorn.call(`GET /statistics/states${query}`)).body;
}

function send(posthorn: Posthorn, more: object = {}) {
  return posthorn.call("POST /v1/send", { ...letter, ...more });
}

test("mails are counted by state, and each part is a list of mails (slow)", async () => {
  await using posthorn = await startPosthorn({ transport: new RecordingTransport() });
  const at = (ms: number) => new Date(posthorn.clock.nowMs() + ms).toISOString();
  await send(posthorn);
  await posthorn.settle();
  posthorn.clock.advance(2 * MINUTE_MS);
  const since = at(0);
  await send(posthorn);
  await send(posthorn, { sendAt: at(DAY_MS) });
  await posthorn.settle();
  expect(await states(posthorn)).toMatchObject({ accepted: 3, isLowerBound: false, sent: 2, waiting: 1 });
  const later = await states(posthorn, `?since=${since}`);
  expect(later).toMatchObject({ since, accepted: 2, sent: 1, waiting: 1, failed: 0, bounced: 0 });
  for (const [part, status] of Object.entries(STATES)) {
    const { data } = (await posthorn.call(`GET /emails?limit=100&since=${since}&status=${status}`)).body;
    expect([part, later[part]]).toEqual([part, data.length]);
  }
});

test("mails of another day do not count (slow)", async () => {
  await using posthorn = await workspace();
  await send(posthorn);
  await posthorn.settle();
  posthorn.clock.advance(HOUR_MS);
  const since = new Date(posthorn.clock.nowMs()).toISOString();
  expect((await states(posthorn, `?since=${since}`)).accepted).toBe(0);
});

test("a time without a zone is refused", async () => {
  await using posthorn = await workspace();
  expect((await posthorn.call("GET /statistics/states?since=yesterday")).status).toBe(400);
});
