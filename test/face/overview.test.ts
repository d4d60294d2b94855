// The overview in a browser: the first mail, what needs somebody, numbers that open what they count.
import { expect } from "bun:test";
import { journey, soon, type Visit, visit } from "../support/browser.ts";
import { addReaders, send } from "../support/campaigns.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask } from "../support/scenario.ts";
import { signIn } from "../support/signed-in.ts";

/** How far below the top of the chart its highest bar ends: the last column of the plot that has one. */
const HIGHEST_PX = `(() => {
  const canvas = document.querySelector(".chart canvas");
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  const isDrawn = (x, y) => data[(y * width + x) * 4 + 3] > 0;
  const topOf = (x) => { for (let y = 0; y < height; y++) if ([0, 1, 2, 3, 4, 5].every((more) => isDrawn(x, y + more))) return y; return height; };
  return Math.min(...Array.from({ length: width }, (_, x) => topOf(x))) / devicePixelRatio;
})()`;

/** Days are counted back from the browser's clock, which is set to the server's. */
async function openAtItsTime(eva: Visit, posthorn: Posthorn, path = "/"): Promise<void> {
  await eva.page.clock.setFixedTime(new Date(posthorn.clock.nowMs()));
  await eva.open(path);
}

/** Two mails that were sent and one that failed. */
async function sendThree(posthorn: Posthorn): Promise<void> {
  posthorn.transport.answer = ({ envelope }) =>
    envelope.recipient === "cyd@example.com"
      ? { kind: "failed", reply: "554 5.7.1 Spam" }
      : { kind: "accepted", reply: "250 2.0.0 Ok" };
  for (const to of ["ada@example.com", "bob@example.com", "cyd@example.com"])
    await posthorn.call("POST /v1/send", { ...letter, to });
  await posthorn.settle();
}

journey(
  "Before the first mail there is a call that works when it is pasted, and the page notices that it was",
  async () => {
    await using posthorn = await startPosthorn();
    await using eva = await visit(posthorn);
    const { page } = eva;
    await signIn(eva.context, posthorn);
    const held = Promise.withResolvers<void>();
    await page.route("**/domains?*", (route) => held.promise.then(() => route.continue()), { times: 1 });
    await page.goto(`${posthorn.server.url}/app`);
    await page.getByRole("heading", { name: "Welcome, Eva. Send the first email." }).waitFor();
    // Until the domains are known, no call is shown that would be refused.
    await page.locator(".firsts [aria-busy]").waitFor();
    await soon(async () => expect(await page.locator(".firsts pre").count()).toBe(0));
    held.resolve();
    await page.getByRole("button", { name: "Insert an API key" }).click();
    await page.getByText("The call now contains the key.").waitFor();
    await eva.check();
    const curl = (await page.locator(".firsts pre").textContent()) ?? "";
    const sent = Bun.spawn(["sh", "-c", curl.replace(/^curl/, "curl -sS")]);
    expect(await new Response(sent.stdout).json()).toMatchObject({ success: true });
    await posthorn.settle();
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await soon(async () => expect(await page.locator(".steps li.done").allTextContents()).toContain("Send a testdone"));
    await eva.check();
  },
);

/** What each role begins with: its steps in order, and how many of them show a call to copy. */
const BEGINNINGS = [
  [
    "OWNER",
    [
      "Name the workspace",
      "Verify a domain",
      "Send a test",
      "Set up bounce handling",
      "Import contacts",
      "Invite your team",
    ],
    1,
  ],
  ["ADMIN", ["Name the workspace", "Verify a domain", "Send a test", "Import contacts", "Invite your team"], 1],
  ["DEVELOPER", ["Verify a domain", "Send a test", "Write a template", "Add a webhook"], 1],
  ["MARKETER", ["Import contacts", "Set the brand", "Write a campaign"], 0],
  ["EDITOR", ["Set the brand", "Write a template", "Write a campaign"], 0],
  ["SUPPORT", [], 0],
] as const;

journey("Everybody begins with the steps that their role can do", async () => {
  await using posthorn = await startPosthorn();
  for (const [role, steps, calls] of BEGINNINGS) {
    await using eva = await visit(posthorn);
    const { page } = eva;
    await signIn(eva.context, posthorn, role);
    await eva.open("/");
    const main = page.getByRole("main");
    await main.getByRole("heading", { level: 2, name: /^Welcome, Eva\./ }).waitFor();
    if (role === "SUPPORT") await main.getByText("Find a contact or an email").waitFor();
    else await main.locator(".firsts .fs").first().waitFor();
    await soon(async () => expect(await main.locator(".firsts .fs b").allTextContents()).toEqual([...steps]));
    await soon(async () => expect(await main.locator("pre").count()).toBe(calls));
    // Nothing on the way is off for them.
    expect(await main.locator(".fs [aria-disabled]").count()).toBe(0);
    // Who may do everything sees what the others begin with.
    expect(await main.getByRole("radio", { name: "Marketing" }).count()).toBe(
      role === "OWNER" || role === "ADMIN" ? 1 : 0,
    );
    await eva.check();
    // An empty screen shows its call to those who may call.
    await eva.open("/segments");
    await main.getByRole("heading", { level: 2 }).waitFor();
    await soon(async () => expect(await main.locator("pre").count()).toBe(role === "SUPPORT" ? 0 : calls));
  }
});

journey("Each role's steps stay until they are done, also where others have sent email already", async () => {
  await using posthorn = await startPosthorn();
  await sendThree(posthorn);
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn, "MARKETER");
  await openAtItsTime(eva, posthorn);
  const steps = page.locator(".steps li");
  await soon(async () =>
    expect(await steps.allTextContents()).toEqual([
      "Import contactsImport",
      "Set the brandOpen the brand",
      "Write a campaignOpen campaigns",
    ]),
  );
  expect(await steps.getByRole("button").count()).toBe(0);
  await steps.getByRole("link", { name: "Import" }).click();
  await page.waitForURL(/\/people\/import/);
  await posthorn.call("POST /contacts", { email: "dora@example.com", subscribed: true });
  await ask(posthorn, "PUT /workspace/brand", { body: { colors: { accent: "#9a5b12" } } });
  await openAtItsTime(eva, posthorn);
  await soon(async () => expect(await page.locator(".steps li.done").count()).toBe(2));
  const news = { name: "News", subject: "News", body: "<p>News</p>", from: letter.from, audienceType: "ALL" };
  await posthorn.call("POST /campaigns", news);
  await openAtItsTime(eva, posthorn);
  await page.locator(".sum .num").first().waitFor();
  await steps.first().waitFor({ state: "detached" });
  expect(await page.getByRole("button", { name: "Hide the first steps" }).count()).toBe(0);
});

journey("Each number of the sum opens the mails that it counts", async () => {
  await using posthorn = await startPosthorn();
  await sendThree(posthorn);
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn, "SUPPORT");
  await openAtItsTime(eva, posthorn);
  const parts = page.locator(".sum .num");
  await soon(async () =>
    expect(await parts.allTextContents()).toEqual(["3accepted", "2sent", "1failed", "0bounced", "0queued"]),
  );
  for (const [part, shown] of [
    ["accepted", ["cyd@example.com", "bob@example.com", "ada@example.com"]],
    ["failed", ["cyd@example.com"]],
    ["sent", ["bob@example.com", "ada@example.com"]],
  ] as const) {
    await parts.filter({ hasText: part }).getByRole("link").click();
    await page.waitForURL(/\/app\/mail\?/);
    for (const address of shown) await page.getByText(address).first().waitFor();
    await soon(async () => expect(await page.locator(".mails a.line").count()).toBe(shown.length));
    await page.goBack();
    await parts.first().waitFor();
  }
  // What waits for one reason is one line of the queue, of whatever kind it is.
  posthorn.transport.answer = () => ({ kind: "later", reply: "451 4.7.1 Greylisted" });
  await posthorn.call("POST /v1/send", { ...letter, to: "dora@example.com" });
  await addReaders(posthorn, 2);
  await send(posthorn);
  await posthorn.settle();
  await page.reload();
  const retried = page.locator("dt", { hasText: "To be retried" });
  await retried.first().waitFor();
  expect(await retried.locator("+ dd").allTextContents()).toEqual([expect.stringMatching(/^3, next in/)]);
});

journey("On a phone the sum stands as on paper: a sign, a number, its name", async () => {
  await using posthorn = await startPosthorn();
  await sendThree(posthorn);
  await using eva = await visit(posthorn, { viewport: { width: 390, height: 844 } });
  const { page } = eva;
  await signIn(eva.context, posthorn, "SUPPORT");
  await openAtItsTime(eva, posthorn);
  await page.locator(".sum .num").first().waitFor();
  const signs = page.locator(".sum > .op");
  await soon(async () => expect(await signs.allTextContents()).toEqual(["=", "+", "+", "+"]));
  for (const [at, sign] of (await signs.all()).entries()) {
    const [its, next] = [
      await sign.boundingBox(),
      await page
        .locator(".sum > .num")
        .nth(at + 1)
        .boundingBox(),
    ];
    if (!its || !next) throw new Error("A part of the sum is not shown.");
    expect([its.x < next.x, Math.abs(its.y - next.y) < 20]).toEqual([true, true]);
  }
});

journey("What needs somebody is on top, and leads to where it is mended", async () => {
  const zones: Record<string, Zone> = {};
  await using posthorn = await startPosthorn({ resolver: new TableResolver(zones) });
  const { body } = await ask(posthorn, "POST /domains", { body: { domain: "shop.example" } });
  const [{ name, value }] = body.records;
  zones[name] = { TXT: [value] };
  await ask(posthorn, `POST /domains/${body.id}/verify`);
  zones[name] = {};
  await ask(posthorn, `POST /domains/${body.id}/verify`);
  await sendThree(posthorn);
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await openAtItsTime(eva, posthorn);
  await page.getByRole("navigation").getByTitle("2 things need attention").waitFor();
  await page.getByRole("link", { name: /1 email failed in the last 24 hours/ }).click();
  await page.waitForURL(/failedSince=2026-02-28T09/);
  await page.getByText("cyd@example.com").first().waitFor();
  await soon(async () => expect(await page.locator(".mails a.line").count()).toBe(1));
  await page.goBack();
  await page.getByRole("link", { name: /The DKIM record of shop.example is gone/ }).click();
  await page.getByRole("heading", { name: "shop.example" }).waitFor();
});

journey("A campaign that failed for everybody, and too many bounces, say what to do and lead there", async () => {
  await using posthorn = await startPosthorn();
  posthorn.transport.answer = () => ({ kind: "bounced", reply: "550 5.1.1 user unknown" });
  const gone = Array.from({ length: 6 }, (_, n) => `gone${n}@example.com`);
  await posthorn.call("POST /v1/send", { ...letter, to: gone });
  await posthorn.settle();
  posthorn.transport.answer = () => ({ kind: "accepted", reply: "250 2.0.0 Ok" });
  const here = Array.from({ length: 95 }, (_, n) => `here${n}@example.com`);
  for (const to of [here.slice(0, 50), here.slice(50)]) await posthorn.call("POST /v1/send", { ...letter, to });
  await posthorn.settle();
  posthorn.transport.answer = () => ({ kind: "failed", reply: "554 5.7.1 refused" });
  await posthorn.call("POST /contacts", { email: "ada@example.com" });
  const news = { name: "News", subject: "News", body: "<p>News</p>", from: letter.from, audienceType: "ALL" };
  const { data } = (await posthorn.call("POST /campaigns", news)).body;
  await posthorn.call(`POST /campaigns/${data.id}/send`, {});
  await posthorn.settle();
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await openAtItsTime(eva, posthorn);
  const needs = page.locator(".needs .line");
  await needs.filter({ hasText: /The bounce rate is \d[\d.]* ?%; the limit is 5[\d.]* ?%/ }).waitFor();
  await needs.filter({ hasText: "“News” failed for everybody." }).click();
  await page.waitForURL(/\/campaigns\/.*part=all/);
  await page.getByText("ada@example.com").waitFor();
  await page.goBack();
  await needs.filter({ hasText: "The bounce rate" }).click();
  await page.locator(".foot .stay", { hasText: "6 emails" }).waitFor();
});

journey("The chart zooms by dragging, and a click opens the mails of that time", async () => {
  await using posthorn = await startPosthorn();
  await sendThree(posthorn);
  for (const to of ["dora", "emil", "fred"])
    await posthorn.call("POST /v1/send", { ...letter, to: `${to}@example.com` });
  await posthorn.settle();
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await openAtItsTime(eva, posthorn);
  const chart = page.locator(".u-over");
  await chart.waitFor();
  // The highest bar ends below the top.
  expect(await page.evaluate(HIGHEST_PX)).toBeGreaterThan(12);
  const { x, y, width } = (await chart.boundingBox()) as { x: number; y: number; width: number };
  await page.mouse.move(x + width - 200, y + 80);
  await page.mouse.down();
  await page.mouse.move(x + width - 4, y + 80, { steps: 5 });
  await page.mouse.up();
  await page.waitForURL(/from=.*to=/);
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByRole("button", { name: "Show all" }).waitFor({ state: "detached" });
  await page.getByText("As a table").click();
  const row = page.getByRole("row", { name: /1 March/ });
  await row.waitFor();
  await soon(async () => expect(await row.getByRole("cell").allTextContents()).toEqual(["5", "0", "0"]));
  // Nothing has ever reported a delivery.
  expect(await page.getByRole("columnheader").allTextContents()).toEqual(["Day", "Sent", "Opened", "Bounced"]);
  await eva.check();
  await page.getByRole("radio", { name: "90 d" }).click();
  await page.waitForURL(/days=90/);
  await soon(async () =>
    expect(await page.getByRole("link", { name: "Overview" }).first().getAttribute("aria-current")).toBe("page"),
  );
  await page.getByRole("radio", { name: "30 d" }).click();
  await page.waitForURL((url) => !url.search.includes("days=90"));
  await chart.click({ position: { x: width - 6, y: 90 } });
  await page.waitForURL(/\/app\/mail\?.*since=2026-03-01T00.*until=2026-03-02T00/);
  await page.getByText("cyd@example.com").first().waitFor();
});

journey("The first steps can be hidden, and come back by ⌘K", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn, {
    viewport: { width: 390, height: 844 },
    colorScheme: "dark",
    locale: "de-DE",
  });
  const { page } = eva;
  await signIn(eva.context, posthorn, "DEVELOPER");
  await eva.open("/");
  await page.getByRole("button", { name: "Erste Schritte ausblenden" }).click();
  await page.getByRole("heading", { name: "Warteschlange" }).waitFor();
  await eva.check();
  // They stay hidden on another device.
  await soon(async () =>
    expect(await posthorn.store.read((reader) => reader.get`select hides_steps as hides from users`)).toEqual({
      hides: 1,
    }),
  );
  await page.evaluate("localStorage.clear()");
  await eva.open("/");
  await page.getByRole("heading", { name: "Warteschlange" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("searchbox").fill("erste");
  await page.getByRole("menuitem", { name: "Erste Schritte zeigen" }).click();
  await page.getByRole("heading", { name: "Willkommen, Eva. Senden Sie die erste Mail." }).waitFor();
});
