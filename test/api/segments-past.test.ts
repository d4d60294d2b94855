// The size of a segment over time, and what uses it.
import { expect, test } from "bun:test";
import { DAY_MS } from "../../src/base/clock.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkflow } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const PRO = { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] };

async function segment(posthorn: Posthorn, input: object): Promise<string> {
  return (await ask(posthorn, "POST /segments", { body: input })).body.id;
}

const join = (posthorn: Posthorn, name: string, plan = "pro") =>
  ask(posthorn, "POST /contacts", { body: { email: `${name}@example.com`, data: { plan } } });

async function sizes(posthorn: Posthorn, id: string, days = ""): Promise<number[]> {
  const { body } = await ask(posthorn, `GET /segments/${id}/growth${days}`);
  return body.sizes.map(({ members }: Json) => members);
}

async function pass(posthorn: Posthorn, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    posthorn.clock.advance(DAY_MS);
    await posthorn.settle();
  }
}

test("the size of a segment is noted once a day, by hand or by condition, and kept for 400 days (slow)", async () => {
  await using posthorn = await workspace();
  const [pro, friends] = [
    await segment(posthorn, { name: "Pro", condition: PRO }),
    await segment(posthorn, { name: "Friends", type: "STATIC" }),
  ];
  await posthorn.settle();
  await join(posthorn, "ada");
  await join(posthorn, "bob");
  await ask(posthorn, `POST /segments/${friends}/members`, { body: { emails: ["ada@example.com"] } });
  await posthorn.settle();
  expect([await sizes(posthorn, pro), await sizes(posthorn, friends)]).toEqual([[0], [0]]);
  await pass(posthorn, 1);
  await join(posthorn, "bob", "free");
  await pass(posthorn, 1);
  expect([await sizes(posthorn, pro), await sizes(posthorn, friends)]).toEqual([
    [0, 2, 1],
    [0, 1, 1],
  ]);
  expect(await sizes(posthorn, pro, "?days=1")).toEqual([2, 1]);
  const { body } = await ask(posthorn, `GET /segments/${pro}/growth`);
  expect(body.sizes[0]).toEqual({ day: "2026-03-01", members: 0 });
  posthorn.clock.advance(399 * DAY_MS);
  await posthorn.settle();
  expect(await sizes(posthorn, pro, "?days=400")).toEqual([2, 1, 1]);
  expect((await ask(posthorn, `GET /segments/${pro}/growth?days=401`)).status).toBe(400);
});

test("what uses a segment is named: campaigns that are not sent, workflows, other segments", async () => {
  await using posthorn = await workspace();
  const id = await segment(posthorn, { name: "Pro", condition: PRO, trackMembership: true });
  const uses = async () => (await ask(posthorn, `GET /segments/${id}/uses`)).body;
  expect(await uses()).toEqual({ campaigns: [], workflows: [], segments: [], forms: [] });
  const mail = { name: "News", subject: "News", body: "<p>News</p>", from: "news@example.test" };
  const campaign = await ask(posthorn, "POST /campaigns", {
    body: { ...mail, audienceType: "SEGMENT", segmentId: id },
  });
  const listening = await addWorkflow(posthorn, [], { name: "Welcome", eventName: "segment.pro.entry" });
  const scheduled = await addWorkflow(posthorn, [], {
    ...{ name: "Monday", eventName: undefined },
    triggerType: "SCHEDULE",
    triggerConfig: { cron: "0 9 * * 1", segmentId: id },
  });
  const other = { groups: [{ filters: [{ field: `segment.${id}`, operator: "notMemberOf" }] }] };
  const without = await segment(posthorn, { name: "Others", condition: other });
  expect(await uses()).toEqual({
    campaigns: [{ id: campaign.body.data.id, name: "News", status: "DRAFT" }],
    workflows: [
      { id: scheduled.id, name: "Monday", enabled: true },
      { id: listening.id, name: "Welcome", enabled: true },
    ],
    segments: [{ id: without, name: "Others" }],
    forms: [],
  });
});

test("the most frequent texts of a field come first", async () => {
  await using posthorn = await workspace();
  for (const [n, plan] of ["pro", "free", "pro", "", 7].entries())
    await ask(posthorn, "POST /contacts", {
      body: { email: `p${n}@example.com`, data: { plan, at: { city: "Bonn" } } },
    });
  const values = async (field: string) => (await ask(posthorn, `GET /contacts/fields/values?field=${field}`)).body;
  expect(await values("data.plan")).toEqual({
    values: [
      { value: "pro", contacts: 2 },
      { value: "free", contacts: 1 },
    ],
  });
  expect((await values("data.at.city")).values).toEqual([{ value: "Bonn", contacts: 5 }]);
  expect((await values("email")).error.code).toBe("INVALID_PARAMETERS");
});
