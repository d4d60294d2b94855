// Mail that is held back, in a browser: where it is found, why it waits, and that it leaves.
import { expect } from "bun:test";
import { setMarketingStopped } from "../../src/tenant/workspaces/queries.ts";
import { journey, soon, visit } from "../support/browser.ts";
import { addReaders, news, send } from "../support/campaigns.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { signIn } from "../support/signed-in.ts";

const MINUTE_MS = 60_000;

/** A campaign to three readers, whose mail was queued and is stopped by `stop`. */
async function stopped(stop: (posthorn: Posthorn, campaign: string) => Promise<unknown>): Promise<Posthorn> {
  const posthorn = await startPosthorn();
  posthorn.transport.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
  await addReaders(posthorn, 3);
  const campaign = await send(posthorn);
  await posthorn.settle();
  await stop(posthorn, campaign);
  posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 2.0.0 Ok" });
  return posthorn;
}

async function hold(posthorn: Posthorn): Promise<void> {
  posthorn.clock.advance(MINUTE_MS);
  await posthorn.settle();
}

/** Who looks finds the mails in the view "Held", each with its reason. */
async function expectHeld(posthorn: Posthorn, why: string, inStrip: string): Promise<void> {
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "SUPPORT");
  const { page } = eva;
  await eva.open("/mail");
  await page.getByRole("link", { name: /^Held/ }).click();
  await page.locator("a.line", { hasText: "held" }).nth(2).waitFor();
  await page.locator(".strip summary").click();
  await soon(async () => expect(await page.locator(".strip").textContent()).toContain(inStrip));
  await page.locator("a.line", { hasText: "reader1@example.com" }).click();
  await page.getByText(why).waitFor();
  await eva.check();
}

journey("Mail of a paused campaign is held, and leaves when the campaign is resumed", async () => {
  let campaign = "";
  await using posthorn = await stopped(async (one, id) => {
    campaign = id;
    await ask(one, `POST /campaigns/${id}/pause`);
    await hold(one);
  });
  await expectHeld(posthorn, "Its campaign is paused.", news.name);
  await ask(posthorn, `POST /campaigns/${campaign}/resume`);
  await posthorn.settle();
  expect(posthorn.transport.recipients.slice(-3)).toContain("reader1@example.com");
});

journey("Mail of a campaign whose domain is no longer verified is held, and its strip names the domain", async () => {
  await using posthorn = await stopped(async (one) => {
    await one.store.write((tx) => tx.run`update domains set verified_at = null where domain = 'example.test'`);
    await hold(one);
  });
  await expectHeld(posthorn, "Its campaign cannot continue.", "example.test");
});

journey("Marketing mail that was stopped for its bounces is held, and says so", async () => {
  await using posthorn = await stopped((one) =>
    one.store.write((tx) => setMarketingStopped(tx, 1, "Too many mails bounced.")),
  );
  await expectHeld(posthorn, "Marketing email is stopped.", "waiting until marketing email is allowed again");
});
