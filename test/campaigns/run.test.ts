// The steps of a run while other processes work on the same store.
import { expect, test } from "bun:test";
import { campaignById, type Campaign } from "../../src/programs/campaigns/queries.ts";
import { CampaignLoop } from "../../src/programs/campaigns/run/loop.ts";
import { finish, queueMails, take } from "../../src/programs/campaigns/run/steps.ts";
import { eraseContacts } from "../../src/desk/people/erasure.ts";
import { createLog } from "../../src/base/log.ts";
import { addReaders, look, recipients, send, unfreeze } from "../support/campaigns.ts";
import { ENGINE } from "../support/database.ts";
import { somebodyWaits } from "../support/locks.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

/** To three readers, of whom none has a mail yet. */
async function frozen(posthorn: Posthorn): Promise<Campaign> {
  await addReaders(posthorn, 3);
  const id = await send(posthorn);
  await ask(posthorn, `POST /campaigns/${id}/pause`);
  await posthorn.settle();
  await ask(posthorn, `POST /campaigns/${id}/resume`);
  return (await posthorn.store.read((reader) => campaignById(reader, 1, id))) as Campaign;
}

test("a campaign is not over while recipients have no mail, though another process has just queued all that it found (slow)", async () => {
  await using posthorn = await workspace();
  const campaign = await frozen(posthorn);
  expect(await take(posthorn.store, campaign, finish)).toBe(true);
  expect((await look(posthorn, campaign.id)).status).toBe("SENDING");
  await posthorn.settle();
  expect(await look(posthorn, campaign.id)).toMatchObject({ status: "SENT", sentCount: 3 });
});

// SQLite has one writer at a time.
test.skipIf(ENGINE !== "postgres")("a person who is being erased while mails are queued is skipped", async () => {
  await using posthorn = await workspace();
  const campaign = await frozen(posthorn);
  const { found } = (await ask(posthorn, "POST /contacts/lookup", { body: { emails: ["reader2@example.com"] } })).body;
  const [erased, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const erasure = posthorn.store.write(async (tx) => {
    await eraseContacts(tx, 1, [found[0].id]);
    erased.resolve();
    await goOn.promise;
  });
  await erased.promise;
  const queueing = take(posthorn.store, campaign, queueMails);
  await Promise.race([queueing, somebodyWaits(posthorn.store)]);
  goOn.resolve();
  await erasure;
  expect(await queueing).toBe(true);
  await posthorn.settle();
  expect(await recipients(posthorn, campaign.id)).toEqual([
    "reader1@example.com SENT",
    "SKIPPED erased",
    "reader3@example.com SENT",
  ]);
});

test("however many campaigns one workspace has under way, another's gets a piece of work each time (slow)", async () => {
  await using posthorn = await workspace();
  const { store, clock } = posthorn;
  await addReaders(posthorn, 1);
  for (let n = 0; n < 5; n++) await send(posthorn);
  clock.advance(1_000);
  const { secret } = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  const key = { bearer: secret };
  await ask(posthorn, "POST /contacts", { key, body: { email: "theirs@example.com" } });
  const input = { name: "N", subject: "S", body: "<p>b</p>", from: "news@other.test", audienceType: "ALL" };
  const { id } = (await ask(posthorn, "POST /campaigns", { key, body: input })).body.data;
  expect((await ask(posthorn, `POST /campaigns/${id}/send`, { key })).status).toBe(200);
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  const loop = new CampaignLoop({ store, clock, log, catchUp: async () => {}, isGettingThrough: () => true });
  const frozenBy = async () => {
    const rows = await store.read(
      (reader) => reader.all<{ workspace: number }>`select workspace from campaigns where frozen_at is not null`,
    );
    return rows.map(({ workspace }) => workspace).sort();
  };
  await unfreeze(posthorn);
  await loop.step();
  expect(await frozenBy()).toEqual([1, 2]);
  for (let round = 0; round < 20; round++) await loop.step();
  expect(await frozenBy()).toEqual([1, 1, 1, 1, 1, 2]);
  await posthorn.settle();
});
