// What a user is told of a sign-in in a browser that is new to their account.
import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../src/base/clock.ts";
import { mailsSent } from "../support/mails.ts";
import { firstOwner, OWN_PAGE, PASSWORD, patiently } from "../support/people.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { ask, countOf, everything } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const ADA = { email: "ada@example.com", password: PASSWORD };
const LEAVES = { config: { delivery: { transport: "ses" }, ses: { region: "eu-central-1" } } } as const;

/** Signs Ada in with this cookie of the browser, and answers the one that it keeps. */
async function enter(posthorn: Posthorn, cookie = ""): Promise<string> {
  const headers = cookie ? { ...OWN_PAGE, cookie } : OWN_PAGE;
  const reply = await patiently(posthorn, ask(posthorn, "POST /session", { key: "none", headers, body: ADA }));
  expect(reply.status).toBe(200);
  return reply.headers.getSetCookie()[1]?.split(";")[0] ?? "";
}

async function told(posthorn: Posthorn): Promise<number> {
  await posthorn.settle();
  return (await mailsSent(posthorn)).length;
}

describe("a sign-in", () => {
  test("in a new browser is reported by email, once for each browser (slow)", async () => {
    await using posthorn = await workspace(LEAVES);
    await firstOwner(posthorn);
    expect(await told(posthorn)).toBe(0);
    const phone = await enter(posthorn);
    expect(await told(posthorn)).toBe(1);
    const [mail] = await mailsSent(posthorn);
    expect([mail?.to, mail?.subject]).toMatchObject([{ text: ADA.email }, "New sign-in to your Posthorn account"]);
    expect(mail?.text).toMatch(/ada@example\.com was signed in to on \d+ \w+ \d{4} at \d\d:\d\d:\d\d UTC/);
    expect(await enter(posthorn, phone)).toBe(phone);
    expect(await told(posthorn)).toBe(1);
    await enter(posthorn, "posthorn-device=of-somebody-else");
    expect(await told(posthorn)).toBe(2);
  });

  test("of a new user tells nobody, and the browser keeps its cookie", async () => {
    await using posthorn = await workspace(LEAVES);
    const ada = await firstOwner(posthorn);
    const phone = await enter(posthorn);
    const before = await told(posthorn);
    const { body } = await ada.ask("POST /invitations", {
      body: { email: "ben@example.com", role: "EDITOR", mail: false },
    });
    const accepted = await ask(posthorn, "POST /links/accept", {
      key: "none",
      headers: { ...OWN_PAGE, cookie: phone },
      body: { token: body.link.split("#")[1], name: "Ben", password: PASSWORD },
    });
    expect(accepted.headers.getSetCookie()[1]).toStartWith(`${phone};`);
    expect([await told(posthorn), await countOf(posthorn, "devices")]).toEqual([before, 3]);
  });

  test("twice at the same time in a new browser lets in twice, and is told of once", async () => {
    await using posthorn = await workspace(LEAVES);
    await firstOwner(posthorn);
    const cookie = `posthorn-device=${"x".repeat(43)}`;
    await Promise.all([enter(posthorn, cookie), enter(posthorn, cookie), enter(posthorn, cookie)]);
    expect([await told(posthorn), await countOf(posthorn, "devices")]).toEqual([1, 2]);
  });

  test("in a browser that was not used for 400 days is one in a new browser", async () => {
    await using posthorn = await workspace(LEAVES);
    await firstOwner(posthorn);
    const phone = await enter(posthorn);
    posthorn.clock.advance(399 * DAY_MS);
    await enter(posthorn, phone);
    posthorn.clock.advance(2 * DAY_MS + HOUR_MS);
    await posthorn.settle();
    expect(await countOf(posthorn, "devices")).toBe(1);
    const before = await told(posthorn);
    await enter(posthorn);
    expect(await told(posthorn)).toBe(before + 1);
  });
});

test("of a browser's cookie only a hash is stored", async () => {
  await using posthorn = await workspace();
  await firstOwner(posthorn);
  const secret = (await enter(posthorn)).split("=")[1] ?? "";
  expect([secret.length, JSON.stringify(await everything(posthorn)).includes(secret)]).toEqual([43, false]);
});
