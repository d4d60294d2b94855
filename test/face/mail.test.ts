// The screen of mail, as people use it: finding a mail, seeing what became of it, sending it again; by mouse, by keys,
// on a phone.
import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { focusSearch, journey, soon, type Visit, type VisitOptions, visit } from "../support/browser.ts";
import { signIn } from "../support/signed-in.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { liftSuppressions } from "../support/suppressed.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { RecordingTransport } from "../support/transport.ts";
import { TestClock } from "../support/clock.ts";

const NOBODY = "550 5.1.1 <ben@example.org>: user unknown";
const LETTER = { from: "hello@example.test", subject: "Your receipt", body: "<p>Thank you.</p>" };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let posthorn: Posthorn;
beforeAll(async () => {
  const transport = new RecordingTransport();
  transport.answer = ({ envelope: { recipient } }) =>
    recipient.startsWith("ben") ? { kind: "bounced", reply: NOBODY } : { kind: "accepted", reply: "250 2.0.0 Ok" };
  posthorn = await startPosthorn({ transport, clock: new TestClock(new Date().toISOString()), tracking: true });
  for (const to of ["ada@example.com", "ben@example.org", "cyd@example.net"]) await send({ to });
  await posthorn.settle();
});
afterAll(() => posthorn[Symbol.asyncDispose]());

async function send(changes: object): Promise<string> {
  const { body } = await posthorn.call("POST /v1/send", { ...LETTER, ...changes });
  return body.data.emails[0].email;
}

async function comes(options: VisitOptions = {}, role: "OWNER" | "SUPPORT" | "EDITOR" = "SUPPORT"): Promise<Visit> {
  const eva = await visit(posthorn, options);
  await signIn(eva.context, posthorn, role);
  return eva;
}

const rows = (page: Page) => page.locator("a.line");
const row = (page: Page, name: string | RegExp) => rows(page).filter({ hasText: name }).first();

journey("Support finds a mail that bounced, reads why in words, and sends it again", async () => {
  await using eva = await comes();
  const { page } = eva;
  await eva.open("/mail");
  await page.getByRole("link", { name: /^Bounced/ }).click();
  await row(page, "ben@example.org").click();
  await page.getByText("The mailbox does not exist.").first().waitFor();
  await soon(async () => expect(await page.getByText(NOBODY).count()).toBe(2));
  await soon(async () => expect(await row(page, "ben@example.org").textContent()).toContain("No such mailbox"));
  await eva.check();
  await page.getByRole("button", { name: "Send again" }).click();
  const dialog = page.getByRole("dialog");
  await soon(async () =>
    expect(await dialog.textContent()).toContain("“Your receipt” is sent to ben@example.org again"),
  );
  await eva.check();
  // The address is suppressed since it bounced: that is said, and it is sent again once that is lifted.
  await dialog.getByRole("button", { name: "Send again" }).click();
  await dialog
    .getByRole("alert")
    .getByText(/suppressed/)
    .waitFor();
  await eva.check();
  await liftSuppressions(posthorn);
  await dialog.getByRole("button", { name: "Send again" }).click();
  await page.getByRole("button", { name: "Open it" }).click();
  await page.getByText("Repeats an earlier email.").waitFor();
  const { body } = await posthorn.call("GET /emails?search=ben@example.org");
  expect(body.data.length).toBe(2);
  expect(body.data[0].resentFrom).toBe(body.data[1].id);
});

journey("A tag in the list, and one on the page of an email, list the emails that have it", async () => {
  const labels = { tags: ["receipt", "plan:pro"], metadata: { order: "A-1" } };
  await send({ to: "ivy@example.com", subject: "Tagged", ...labels });
  await send({ to: "jon@example.com", subject: "Tagged too", tags: ["receipt"] });
  await posthorn.settle();
  await using eva = await comes();
  const { page } = eva;
  await eva.open("/mail");
  await row(page, "jon@example.com").getByText("receipt").click();
  await soon(async () => expect(await rows(page).count()).toBe(2));
  await row(page, "ivy@example.com").click();
  await page.getByRole("link", { name: "order=A-1" }).click();
  await soon(async () => expect(await rows(page).count()).toBe(1));
  await page.getByRole("link", { name: "plan:pro", exact: true }).waitFor();
  await eva.check();
});

journey("A message to several people is one row, and says what became of it at each of them", async () => {
  const cc = ["ben@example.org", "gus@example.net"];
  await posthorn.settle();
  await liftSuppressions(posthorn);
  await send({ to: "fay@example.com", cc, bcc: "hal@example.net", subject: "Minutes" });
  await posthorn.settle();
  await using eva = await comes();
  const { page } = eva;
  await eva.open("/mail?search=Minutes");
  await soon(async () => expect(await rows(page).allTextContents()).toEqual([expect.stringContaining("+ 3")]));
  await soon(async () => expect(await row(page, "fay@example.com").textContent()).toContain("bounced"));
  await row(page, "fay@example.com").click();
  const facts = page.locator(".msg-head .facts");
  const said = async (name: string) =>
    (await facts
      .locator("dt", { hasText: new RegExp(`^${name}$`) })
      .locator("+ dd")
      .textContent()) ?? "";
  await soon(async () => expect(await said("Recipient")).toContain("fay@example.com"));
  expect([await said("To"), await said("Bcc")]).toEqual(["fay@example.comsent", "hal@example.netsent"]);
  expect(await said("Cc")).toBe("ben@example.orgbouncedgus@example.netsent");
  await eva.check();
  await facts.getByRole("link", { name: "ben@example.org" }).click();
  await page.getByText("The mailbox does not exist.").first().waitFor();
  expect(await said("Recipient")).toContain("ben@example.org");
  await soon(async () => expect(await row(page, "fay@example.com").getAttribute("aria-current")).toBe("true"));
});

journey("A mail is sent again once, also if the answer is lost and the button is pressed again", async () => {
  const id = await send({ to: "dora@example.com" });
  await posthorn.settle();
  await using eva = await comes();
  const { page } = eva;
  await page.addInitScript(`
    const real = window.fetch;
    let isLost = true;
    window.fetch = async (request) => {
      const answer = await real(request);
      if (!isLost || !answer.url.endsWith("/resend")) return answer;
      isLost = false;
      throw new TypeError("Failed to fetch");
    };`);
  await eva.open(`/mail/${id}`);
  await page.getByRole("button", { name: "Send again" }).click();
  const again = page.getByRole("dialog").getByRole("button", { name: "Send again" });
  await again.click();
  await page.getByRole("alert").waitFor();
  await again.click();
  await page.getByRole("button", { name: "Open it" }).waitFor();
  expect((await posthorn.call("GET /emails?search=dora@example.com")).body.data).toHaveLength(2);
});

journey("Everything is done by keys: find, move, open, look, send again, go back", async () => {
  await using eva = await comes();
  const { page } = eva;
  await eva.open("/mail");
  await focusSearch(page);
  await page.keyboard.type("cyd@example.net");
  await page.keyboard.press("Enter");
  await soon(async () => expect(await page.locator("a.line").count()).toBe(1));
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 2, name: "Your receipt" }).waitFor();
  await page.keyboard.press("r");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await page.getByText("No email is open").waitFor();
  await focusSearch(page);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("status:bounced ");
  await page.waitForURL(/status=BOUNCED/);
  await soon(async () => expect(new URL(page.url()).searchParams.get("search")).toBeNull());
});

journey("The key r is about the row that has the focus, not about the mail that is open", async () => {
  await using eva = await comes();
  const { page } = eva;
  await eva.open("/mail");
  await row(page, "ada@example.com").click();
  await page.getByRole("heading", { level: 2, name: "Your receipt" }).waitFor();
  await row(page, "cyd@example.net").focus();
  await page.keyboard.press("r");
  await page.getByRole("dialog").getByText("is sent to cyd@example.net").waitFor();
});

journey("The field reads what its hint names, word by word", async () => {
  await using eva = await comes();
  const { page } = eva;
  await eva.open("/mail");
  await focusSearch(page);
  await page.keyboard.type("to:cyd@example.net since:24h ", { delay: 20 });
  await page.waitForURL(/since=24h/);
  await soon(async () => expect(new URL(page.url()).searchParams.get("search")).toBe("cyd@example.net"));
  await soon(async () => expect(await page.locator("a.line").count()).toBe(1));
});

journey("The menu of filters takes a first and a last day, and the last one is included", async () => {
  await using eva = await comes();
  const { page } = eva;
  await eva.open("/mail?search=cyd");
  const day = (daysAgo: number) => {
    const at = new Date(Date.now() - daysAgo * 86_400_000);
    return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
  };
  const choose = async (from: string, until: string) => {
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("menuitem", { name: "From … until …" }).click();
    const dialog = page.getByRole("dialog", { name: "Emails from these days" });
    await dialog.getByLabel("From").fill(from);
    await dialog.getByLabel("Until").fill(until);
    await eva.check();
    await dialog.getByRole("button", { name: "Show" }).click();
    await dialog.waitFor({ state: "detached" });
  };
  await choose(day(9), day(2));
  await page.waitForURL(new RegExp(`since=${day(9)}&until=${day(2)}`));
  await page.getByText("No email matches").waitFor();
  await choose(day(9), day(-1));
  await page.getByRole("button", { name: `until:${day(-1)}` }).waitFor();
  await soon(async () => expect(await rows(page).count()).toBe(1));
  // The wrong way round they are meant the other way; without one, the other stands alone.
  await choose(day(0), day(9));
  await page.waitForURL(new RegExp(`since=${day(9)}&until=${day(0)}`));
  await choose("", day(9));
  await page.getByText("No email matches").waitFor();
  expect(new URL(page.url()).searchParams.has("since")).toBe(false);
  await choose("", "");
  await soon(async () => expect(await rows(page).count()).toBe(1));
  // A link to one day of a chart reads as that day, and a day that does not exist is refused in words.
  const [first, last] = [new Date(2026, 2, 1), new Date(2026, 2, 2)].map((at) => at.toISOString());
  await eva.open(`/mail?since=${first}&until=${last}`);
  await page.getByRole("button", { name: "until:2026-03-01" }).waitFor();
  await eva.open("/mail?until=2026-13-45");
  await page.getByRole("alert").waitFor();
});

journey("The next search is about somebody else: the filters of the last one do not stick to it", async () => {
  await using eva = await comes();
  const { page } = eva;
  const asked = () => Object.fromEntries(new URL(page.url()).searchParams);
  await eva.open("/mail?status=BOUNCED&since=7d");
  // What was chosen first narrows the words that follow, also while they are mended.
  await focusSearch(page);
  await page.keyboard.type("benn");
  await page.waitForURL(/search=benn/);
  await page.keyboard.press("Backspace");
  await page.waitForURL(/search=ben$|search=ben&/);
  expect(asked()).toEqual({ status: "BOUNCED", since: "7d", search: "ben" });
  // Other words in their place.
  await page.getByRole("searchbox").selectText();
  await page.keyboard.type("ada");
  await page.waitForURL(/search=ada/);
  expect(asked()).toEqual({ search: "ada" });
  await row(page, "ada@example.com").waitFor();
  // A filter that is chosen for the next search, before its words, counts.
  await page.getByRole("searchbox").fill("");
  await page.waitForURL((url) => !url.searchParams.has("search"));
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("menuitemradio", { name: "Last 7 days" }).click();
  await page.waitForURL(/since=7d/);
  await page.getByRole("searchbox").click();
  await page.keyboard.type("cyd");
  await page.waitForURL(/search=cyd/);
  expect(asked()).toEqual({ since: "7d", search: "cyd" });
});

journey("After a search, Enter leads to the first result, and stays in the field where there is none", async () => {
  await using eva = await comes();
  const { page } = eva;
  const focus = page.locator(":focus");
  await eva.open("/mail");
  await rows(page).first().waitFor();
  await focusSearch(page);
  await page.keyboard.type("cyd@example.net");
  await page.keyboard.press("Enter");
  await soon(async () => expect(await focus.textContent()).toContain("cyd@example.net"));
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/mail\/[^/?]+\?/);
  await focusSearch(page);
  await page.keyboard.type("nobody-of-this-name");
  await page.keyboard.press("Enter");
  await page.getByText("No email matches").waitFor();
  expect(await focus.getAttribute("role")).toBe("searchbox");
});

journey("A mail that arrives appears by itself, and nothing moves of what is being read", async () => {
  await using eva = await comes();
  const { page } = eva;
  for (let number = 0; number < 60; number++) await send({ to: "reader@example.com", subject: `Issue ${number}` });
  await posthorn.settle();
  await eva.open("/mail");
  await send({ to: "new@example.com", subject: "While you look" });
  await row(page, "While you look").waitFor();
  await row(page, "Issue 50").click();
  await page.getByText("Sent to").waitFor();
  await page.locator(".scroll").evaluate((list) => list.scrollTo({ top: 1_400 }));
  const top = async () => (await row(page, "Issue 18").boundingBox())?.y;
  await row(page, "Issue 18").waitFor();
  const before = await top();
  await send({ to: "new@example.com", subject: "While you read" });
  const newer = page.getByRole("button", { name: "1 new email" });
  await newer.waitFor();
  expect(await top()).toBe(before as number);
  await soon(async () => expect(await page.getByRole("heading", { level: 2 }).first().textContent()).toBe("Issue 50"));
  await newer.click();
  await row(page, "While you read").waitFor();
  await posthorn.settle();
  await row(page, "While you read").getByText("sent").waitFor();
});

journey("Filters and the open mail survive a reload, and filters go away one by one", async () => {
  await using eva = await comes();
  const { page } = eva;
  await eva.open("/mail?status=BOUNCED,FAILED&since=7d&search=ben");
  await row(page, "ben@example.org").click();
  await page.getByText("The mailbox does not exist.").first().waitFor();
  await page.getByRole("link", { name: "Headers" }).click();
  await page.getByText("Message-ID", { exact: true }).waitFor();
  await page.reload();
  await page.getByText("Message-ID", { exact: true }).waitFor();
  await soon(async () => expect(await page.getByRole("searchbox").inputValue()).toBe("ben"));
  const address = new URL(page.url());
  expect(Object.fromEntries(address.searchParams)).toEqual({
    ...{ status: "BOUNCED,FAILED", since: "7d", search: "ben", tab: "headers" },
  });
  await page.getByRole("button", { name: "status:bounced,failed" }).click();
  await page.waitForURL((url) => !url.searchParams.has("status"));
  expect(new URL(page.url()).searchParams.get("since")).toBe("7d");
});

journey("Another workspace's mail does not exist", async () => {
  const { secret } = await addWorkspace(posthorn, { name: "elsewhere", domain: "elsewhere.test" });
  const key = { authorization: `Bearer ${secret}` };
  await posthorn.call(
    "POST /v1/send",
    { ...LETTER, from: "hello@elsewhere.test", to: "secret@example.com", subject: "Not for you" },
    key,
  );
  const { body } = await posthorn.call("GET /emails?limit=1", undefined, key);
  const [theirs] = body.data;
  expect(theirs.subject).toBe("Not for you");
  await using eva = await comes();
  await eva.open(`/mail/${theirs.id}`);
  await eva.page.getByText("There is no such email").waitFor();
  await eva.open(`/mail?search=${theirs.id}`);
  await eva.page.getByRole("heading", { name: "No emails match" }).waitFor();
});

journey("On a small laptop there is room for the list and for the subject of the mail beside it", async () => {
  await using eva = await comes({ viewport: { width: 1024, height: 700 } });
  const { page } = eva;
  await eva.open("/mail?search=cyd@example.net");
  await row(page, "cyd@example.net").click();
  const heading = page.getByRole("heading", { level: 2, name: "Your receipt" });
  await heading.waitFor();
  expect((await heading.boundingBox())?.width).toBeGreaterThan(300);
});

journey("On a phone the list and the mail are two screens", async () => {
  await using eva = await comes(PHONE);
  const { page } = eva;
  await eva.open("/mail?search=ada");
  await row(page, "ada@example.com").click();
  await page.getByRole("heading", { level: 2, name: "Your receipt" }).waitFor();
  await soon(async () => expect(await rows(page).first().isVisible()).toBe(false));
  await eva.check();
  await page.getByRole("link", { name: "All" }).first().click();
  await rows(page).first().waitFor();
  await soon(async () => expect(await page.getByRole("heading", { level: 2, name: "Your receipt" }).count()).toBe(0));
});

journey("Who may not send sees why the button is off", async () => {
  await using eva = await comes({}, "EDITOR");
  const { page } = eva;
  await eva.open("/mail?search=ada");
  await row(page, "ada@example.com").click();
  const again = page.getByRole("button", { name: "Send again" });
  await again.waitFor();
  await soon(async () => expect(await again.getAttribute("aria-disabled")).toBe("true"));
  await soon(async () =>
    expect(await page.locator(".disabled-reason").textContent()).toContain("Editors can’t do this"),
  );
  await eva.check();
});

journey("In German as well", async () => {
  await using eva = await comes({ locale: "de-DE" });
  await eva.open("/mail?search=ben");
  await row(eva.page, "ben@example.org").click();
  await eva.page.getByText("Das Postfach gibt es nicht.").first().waitFor();
  await eva.check();
});

journey("A mail for later gets another time, and is then sent now", async () => {
  await using eva = await comes();
  const { page } = eva;
  const sendAt = new Date(posthorn.clock.nowMs() + 86_400_000).toISOString();
  const id = await send({ to: "soon@example.com", subject: "Too late", sendAt });
  await eva.open(`/mail/${id}`);
  await page.getByRole("button", { name: "Change the time" }).click();
  const dialog = page.getByRole("dialog");
  const time = dialog.getByLabel("Send at");
  expect(await time.inputValue()).toBe(sendAt.slice(0, 16));
  await time.fill("2020-01-01T08:00");
  await dialog.getByText("Choose a time in the future.").waitFor();
  const sooner = new Date(posthorn.clock.nowMs() + 7_200_000).toISOString().slice(0, 16);
  await time.fill(sooner);
  await eva.check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Time changed.").waitFor();
  expect((await posthorn.call(`GET /emails/${id}`)).body.scheduledFor).toBe(`${sooner}:00.000Z`);
  await page.getByRole("button", { name: "Send now" }).click();
  await dialog.getByText("soon@example.com gets it at once.").waitFor();
  await dialog.getByRole("button", { name: "Send now" }).click();
  await page.getByText("It is being sent.").waitFor();
  await posthorn.settle();
  expect((await posthorn.call(`GET /emails/${id}`)).body.status).toBe("SENT");
});

journey("A mail that waits is cancelled, and says by whom", async () => {
  await using eva = await comes();
  const { page } = eva;
  await send({
    to: "later@example.com",
    subject: "Much later",
    sendAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await eva.open("/mail?search=later");
  await row(page, "Much later").click();
  await page.getByRole("button", { name: "Cancel sending" }).click();
  const question = page.getByRole("dialog", { name: "Cancel sending this email?" });
  await question.getByRole("button", { name: "Keep it" }).click();
  await page.getByRole("button", { name: "Cancel sending" }).click();
  await eva.check();
  await question.getByRole("button", { name: "Cancel sending" }).click();
  await page.getByText("Cancelled. It will not be sent.").waitFor();
  await page.getByText("Cancelled", { exact: true }).first().waitFor();
  await page.getByText("It will not be sent.").first().waitFor();
  await page.getByRole("link", { name: "Cancelled", exact: true }).click();
  await row(page, "Much later").getByText("By Eva Moser.").waitFor();
});
