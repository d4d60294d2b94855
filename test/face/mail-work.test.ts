// Work on many mails: a filter sent again, what came from outside, the queue, and a long list.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { BLOCKED, putOn } from "../support/brakes.ts";
import { journey, soon, visit } from "../support/browser.ts";
import { signIn } from "../support/signed-in.ts";
import { bring, LETTER as FROM_OUTSIDE, startHouse } from "../support/outside.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { RecordingTransport } from "../support/transport.ts";

const LETTER = { to: "ada@example.com", from: "hello@example.test", subject: "Your receipt", body: "<p>Thanks.</p>" };

async function send(posthorn: Posthorn, changes: object = {}): Promise<void> {
  expect((await posthorn.call("POST /v1/send", { ...LETTER, ...changes })).status).toBe(200);
}

const row = (page: Page, name: string | RegExp) => page.locator("a.line").filter({ hasText: name }).first();

journey("What has failed is sent again by its filter, and followed until it is done", async () => {
  const transport = new RecordingTransport();
  transport.answer = () => ({ kind: "failed", reply: "554 5.7.1 Refused: policy" });
  await using posthorn = await startPosthorn({ transport });
  for (const to of ["ada@example.com", "ben@example.org"]) await send(posthorn, { to });
  await posthorn.settle();
  transport.answer = () => ({ kind: "accepted", reply: "250 2.0.0 Ok" });
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "SUPPORT");
  const { page } = eva;
  await eva.open("/mail?status=FAILED&search=ada");
  const retry = page.getByRole("button", { name: "Send these again" });
  await soon(async () => expect(await retry.getAttribute("title")).toContain("Not with search words"));
  await eva.open("/mail?status=FAILED");
  await retry.click();
  await page.getByRole("dialog").getByText("status:failed").waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("Sending again").waitFor();
  await eva.check();
  await posthorn.settle();
  await page.getByText("2 queued again.").waitFor();
  expect(transport.recipients.slice(2).toSorted()).toEqual(["ada@example.com", "ben@example.org"]);
  await page.getByRole("link", { name: "All", exact: true }).click();
  await row(page, /sent.*ada@example\.com/).waitFor();
});

journey("Mail from outside says who it is from, what the checks found, and what it says", async () => {
  const { posthorn, port } = await startHouse();
  await using house = posthorn;
  await bring({ port }, FROM_OUTSIDE);
  await house.settle();
  await using eva = await visit(house);
  await signIn(eva.context, house, "SUPPORT");
  const { page } = eva;
  await eva.open("/mail?status=RECEIVED");
  await row(page, "ada@elsewhere.test").click();
  await page.getByText("How are you?").waitFor();
  await soon(async () => expect(await page.locator(".verdicts").textContent()).toContain("SPF passed"));
  await soon(async () =>
    expect(await page.getByRole("button", { name: "Send again" }).getAttribute("aria-disabled")).toBe("true"),
  );
  await eva.check();
});

journey("The queue says what waits and why, and a mail that waits says what was said to it", async () => {
  const transport = new RecordingTransport();
  transport.answer = () => ({ kind: "later", reply: "451 4.7.1 Greylisted, try again later" });
  await using posthorn = await startPosthorn({ transport });
  await send(posthorn);
  await posthorn.settle();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "SUPPORT");
  const { page } = eva;
  await eva.open("/mail");
  await page.getByText("1 email waiting").click();
  await page.getByText("to be retried").waitFor();
  await row(page, "ada@example.com").click();
  await page.getByText("The mail server asked Posthorn to wait.").waitFor();
  await page.getByText("Deferred at attempt 1").waitFor();
  await eva.check();
});

journey("The queue says who is sent less and why, and lets that go", async () => {
  await using posthorn = await startPosthorn();
  await putOn(posthorn, { isPaused: true });
  await posthorn.settle();
  await send(posthorn, { to: "ada@gmail.com" });
  await posthorn.settle();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "SUPPORT");
  const { page } = eva;
  await eva.open("/mail");
  await page.getByText("1 email waiting · Gmail takes no email").click();
  await page.getByText("Gmail takes no email because of its opinion of the sender.").waitFor();
  await page.getByText(BLOCKED).waitFor();
  await page.getByRole("button", { name: "Send at full pace" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send at full pace" }).click();
  await page.getByText("Email to Gmail leaves at full pace.").waitFor();
  await posthorn.settle();
  await soon(async () => expect(await page.locator(".strip").count()).toBe(0));
  expect(posthorn.transport.sent).toHaveLength(1);
  await eva.check();
});

journey("An empty list teaches: one sentence, one button that sends a mail, one call", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  await eva.open("/mail");
  await soon(async () => expect(await eva.page.locator(".code").textContent()).toContain("/v1/send"));
  await eva.page.getByRole("button", { name: "Send one to me" }).click();
  await row(eva.page, "It works").waitFor();
  expect((await posthorn.call("GET /emails")).body.data[0].to).toMatch(/^eva\./);
});

const MANY = 2_000;
/** Those in sight, and a few above and below. */
const MOST_ROWS = 60;

journey("Two thousand mails are a few rows of the page, to the very last, also after a page was refused", async () => {
  await using posthorn = await startPosthorn();
  for (let first = 0; first < MANY; first += 50) {
    const to = Array.from({ length: 50 }, (_, at) => `reader${first + at}@example.com`);
    await send(posthorn, { to });
  }
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  const { page } = eva;
  await eva.open("/mail");
  const rows = () => page.locator("a.line").count();
  const list = page.locator(".scroll");
  const older = /\/emails\?.*cursor=/;
  const refusal = { error: { code: "VALIDATION_ERROR", message: "The cursor has ended." } };
  await page.route(older, (route) => route.fulfill({ status: 422, json: refusal }));
  await list.evaluate((one) => one.scrollTo({ top: one.scrollHeight }));
  await page.getByText("The cursor has ended.").waitFor();
  await page.unroute(older);
  await list.evaluate((one) => one.scrollTo({ top: 0 }));
  let most = 0;
  while (!(await page.getByText("2,000 emails", { exact: true }).isVisible())) {
    await list.evaluate((one) => one.scrollTo({ top: one.scrollHeight }));
    most = Math.max(most, await rows());
  }
  await list.evaluate((one) => one.scrollTo({ top: one.scrollHeight }));
  await row(page, "reader0@example.com").waitFor();
  expect(Math.max(most, await rows())).toBeLessThanOrEqual(MOST_ROWS);
});
