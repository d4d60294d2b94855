// Mail that waits for the pace of its provider, and what else happens to mail: workspaces, campaigns, people, ways.
import { expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { switchWorkspace } from "../../src/operator/installation/workspaces.ts";
import { putOn } from "../support/brakes.ts";
import { recipients, send as sendCampaign, statistics } from "../support/campaigns.ts";
import { cliBeside } from "../support/cli.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { countOf } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

/** With email that waits, and none that has left. */
async function waiting(count: number, isPaused = true): Promise<Posthorn> {
  const posthorn = await workspace({
    config: { delivery: { transport: "smtp" }, relay: { host: "smtp.example.com" } },
  });
  await putOn(posthorn, { isPaused });
  await posthorn.settle();
  const to = Array.from({ length: count }, (_, at) => `person${at}@gmail.com`);
  const letter = { to, from: "shop@example.test", subject: "Hi", body: "<p>Hi" };
  if (count > 0) expect((await posthorn.call("POST /v1/send", letter)).status).toBe(200);
  await posthorn.settle();
  return posthorn;
}

async function letGo(posthorn: Posthorn): Promise<void> {
  for (const { id } of (await posthorn.call("GET /queue")).body.brakes)
    expect((await posthorn.call(`DELETE /queue/brakes/${id}`)).status).toBe(204);
  await posthorn.settle();
}

const held = async (posthorn: Posthorn): Promise<string[]> =>
  (await posthorn.call("GET /emails?status=QUEUED")).body.data.map((mail: Json) => mail.held);

test("of a disabled workspace stays until it is enabled, and waits again then (slow)", async () => {
  await using posthorn = await waiting(3);
  await posthorn.store.write((tx) => switchWorkspace(tx, "default", false));
  posthorn.clock.advance(2 * HOUR_MS);
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(0);
  await putOn(posthorn, { isPaused: true });
  await posthorn.store.write((tx) => switchWorkspace(tx, "default", true));
  await posthorn.settle();
  expect(await held(posthorn)).toEqual(Array(3).fill("PROVIDER_PACE"));
  await letGo(posthorn);
  expect(posthorn.transport.sent).toHaveLength(3);
});

async function campaignOf(posthorn: Posthorn, count: number): Promise<string> {
  for (let at = 0; at < count; at++) {
    await posthorn.call("POST /contacts", { email: `reader${at}@gmail.com`, subscribed: true });
    await posthorn.call("POST /contacts", { email: `reader${at}@example.com`, subscribed: true });
  }
  const id = await sendCampaign(posthorn);
  await posthorn.settle();
  return id;
}

test("of a campaign holds up nobody else of it, is counted, and waits while that is paused (slow)", async () => {
  await using posthorn = await waiting(0);
  const id = await campaignOf(posthorn, 4);
  expect(posthorn.transport.recipients.toSorted()).toEqual([0, 1, 2, 3].map((at) => `reader${at}@example.com`));
  const { campaigns } = (await posthorn.call("GET /queue")).body;
  expect(campaigns).toMatchObject([{ id, state: "SENDING", paced: { count: 4, isLowerBound: false } }]);
  await posthorn.call(`POST /campaigns/${id}/pause`);
  await posthorn.settle();
  await letGo(posthorn);
  expect(posthorn.transport.sent).toHaveLength(4);
  expect(await held(posthorn)).toEqual(Array(4).fill("CAMPAIGN_PAUSED"));
  await posthorn.call(`POST /campaigns/${id}/resume`);
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(8);
  expect((await posthorn.call(`GET /campaigns/${id}`)).body.data.status).toBe("SENT");
});

test("of a campaign that is cancelled is withdrawn (slow)", async () => {
  await using posthorn = await waiting(0);
  const id = await campaignOf(posthorn, 3);
  await posthorn.call(`POST /campaigns/${id}/cancel`);
  await posthorn.settle();
  await letGo(posthorn);
  expect(posthorn.transport.sent).toHaveLength(3);
  expect(await statistics(posthorn, id)).toMatchObject({ sentCount: 3, cancelledCount: 3, queuedCount: 0 });
});

test("to somebody who unsubscribes or is erased does not leave (slow)", async () => {
  await using posthorn = await waiting(0);
  const id = await campaignOf(posthorn, 3);
  const contacts = (await posthorn.call("GET /contacts?search=gmail.com")).body.data;
  expect(contacts).toHaveLength(3);
  await posthorn.call(`PATCH /contacts/${contacts[0].id}`, { subscribed: false });
  expect((await posthorn.call(`DELETE /contacts/${contacts[1].id}`)).status).toBeLessThan(300);
  await posthorn.settle();
  await letGo(posthorn);
  posthorn.clock.advance(MINUTE_MS);
  await posthorn.settle();
  expect(posthorn.transport.recipients.filter((one) => one.endsWith("@gmail.com"))).toEqual([contacts[2].email]);
  expect((await recipients(posthorn, id)).filter((one) => one.includes("SENT")).length).toBe(4);
});

test("is deleted with its workspace, as are its brakes (slow)", async () => {
  await using posthorn = await waiting(3);
  const { code, err } = await cliBeside(posthorn, ["workspace", "delete", "default", "--yes"]);
  expect([code, err]).toEqual([0, expect.anything()]);
  for (const table of ["emails", "brakes", "backlogs"])
    expect([table, await countOf(posthorn, table)]).toEqual([table, 0]);
  posthorn.clock.advance(MINUTE_MS);
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(0);
});

test("is counted as waiting, and its backlogs are gone when nothing waits", async () => {
  await using posthorn = await waiting(5);
  const since = new Date(posthorn.clock.nowMs() - HOUR_MS).toISOString();
  const states = (await posthorn.call(`GET /statistics/states?since=${since}`)).body;
  expect(states).toMatchObject({ accepted: 5, waiting: 5, sent: 0 });
  expect(await countOf(posthorn, "backlogs")).toBe(1);
  await letGo(posthorn);
  posthorn.clock.advance(MINUTE_MS);
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(5);
  expect(await countOf(posthorn, "backlogs")).toBe(0);
});

test("is with one process of several on a store once", async () => {
  await using posthorn = await waiting(20, false);
  if (posthorn.databaseUrl === null) return;
  const { clock, transport, databaseUrl } = posthorn;
  const config = {
    database: { url: databaseUrl },
    delivery: { transport: "smtp" as const },
    relay: { host: "smtp.example.com" },
  };
  const other = await startPosthorn({ clock, transport, config, dataDir: posthorn.dataDir });
  for (let step = 0; step < 40; step++) {
    clock.advance(12_000);
    await Promise.all([posthorn.settle(), other.settle()]);
  }
  await other.server[Symbol.asyncDispose]();
  expect(transport.recipients).toHaveLength(20);
  expect(new Set(transport.recipients).size).toBe(20);
});
