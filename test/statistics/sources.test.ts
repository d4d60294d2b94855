// What counts by where a mail comes from, and what does not count at all.
import { expect, test } from "bun:test";
import { cliBeside } from "../support/cli.ts";
import { addReaders, send } from "../support/campaigns.ts";
import { letter } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

async function bySource(posthorn: Posthorn): Promise<Json> {
  const { series } = (await posthorn.call("GET /statistics/mails?by=sourceType")).body;
  return Object.fromEntries(series.map(({ group, totals }: Json) => [group, totals]));
}

test("mails of a campaign count as such, and those that were withdrawn as cancelled (slow)", async () => {
  await using posthorn = await workspace();
  await posthorn.call("POST /v1/send", letter);
  await addReaders(posthorn, 4);
  await posthorn.settle();
  posthorn.transport.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
  const id = await send(posthorn);
  await posthorn.settle();
  await ask(posthorn, `POST /campaigns/${id}/cancel`);
  await posthorn.settle();
  expect(await bySource(posthorn)).toMatchObject({
    CAMPAIGN: { accepted: 4, sent: 0, cancelled: 4 },
    TRANSACTIONAL: { accepted: 1, sent: 1, cancelled: 0 },
  });
  await ask(posthorn, `DELETE /campaigns/${id}`);
  await posthorn.settle();
  expect((await bySource(posthorn))["CAMPAIGN"]).toMatchObject({ accepted: 4, cancelled: 4 });
});

test("the counts of a workspace go with it (slow)", async () => {
  await using posthorn = await workspace();
  const { secret } = await addWorkspace(posthorn, { name: "acme", domain: "acme.test" });
  const asAcme = { key: { bearer: secret } };
  for (const count of [1, 2]) {
    await ask(posthorn, "POST /v1/send", { ...asAcme, body: { ...letter, from: "hello@acme.test" } });
    // The first is in the sums by then, the second is not.
    if (count === 1) for (let round = 0; round < 3; round++) await posthorn.settle();
  }
  await posthorn.call("POST /v1/send", letter);
  expect((await cliBeside(posthorn, ["workspace", "delete", "acme", "--yes"])).code).toBe(0);
  for (let round = 0; round < 3; round++) await posthorn.settle();
  const rows = await posthorn.store.read(
    (reader) => reader.all`
      select workspace from mail_counts union select workspace from mail_group_counts union select workspace from mail_increments`,
  );
  expect(rows).toEqual([{ workspace: 1 }]);
  expect(await bySource(posthorn)).toMatchObject({ TRANSACTIONAL: { accepted: 1, sent: 1 } });
});
