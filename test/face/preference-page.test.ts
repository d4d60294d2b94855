// What people chose on their page, in a browser: what the page shows is set, a pause is seen and ended, and a campaign
// tells why people left.
import { expect } from "bun:test";
import { linksFor } from "../../src/content/rendering/links.ts";
import { journey, soon, visit } from "../support/browser.ts";
import { mailsSent } from "../support/mails.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };

async function chosen(url: string, body: string): Promise<void> {
  expect((await fetch(url, { method: "POST", headers: FORM, body })).status).toBe(200);
}

const settings = async (posthorn: Posthorn) => (await posthorn.call("GET /workspace")).body.preferencePage;

journey(
  "Fields of data get names in two languages, are shown in the preview, and the question is switched off",
  async () => {
    await using posthorn = await startPosthorn();
    await using eva = await visit(posthorn);
    const { page } = eva;
    await signIn(eva.context, posthorn);
    await eva.open("/settings/workspace");
    await page.getByRole("button", { name: "Show a field" }).click();
    await page.getByRole("textbox", { name: "Field", exact: true }).fill("plan");
    await page.getByRole("textbox", { name: "Name on the page" }).fill("Your plan");
    await page.getByRole("button", { name: /Names in/ }).click();
    await page.getByRole("option", { name: /German/ }).click();
    await page.getByRole("textbox", { name: "Name on the page" }).fill("Ihr Tarif");
    await page.getByRole("button", { name: "Show a field" }).click();
    await page.getByRole("textbox", { name: "Field", exact: true }).nth(1).fill("data.city");
    await page.getByRole("button", { name: "Show a field" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await eva.check();
    await page.getByText("Ask people why they leave").click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Settings saved.").waitFor();
    expect(await settings(posthorn)).toEqual({
      data: [
        { field: "data.plan", label: { en: "Your plan", de: "Ihr Tarif" } },
        { field: "data.city", label: {} },
      ],
      asksWhy: false,
    });
    await page.getByRole("link", { name: "Preview the page" }).click();
    const frame = page.frameLocator("iframe");
    await frame.getByText("Your plan").waitFor();
    await page.locator("dd", { hasText: "plan, city" }).waitFor();
    await page.getByRole("link", { name: /^Paused/ }).click();
    await frame.getByRole("button", { name: "Resume now" }).waitFor();
    await page.getByRole("link", { name: /After leaving a topic/ }).click();
    await frame.getByText("Take a break").waitFor();
    expect(await frame.getByText("Why did you leave?").count()).toBe(0);
    await eva.check();
  },
);

journey("A person's page says until when they pause, and ends the pause", async () => {
  await using posthorn = await startPosthorn();
  const { id } = (await posthorn.call("POST /contacts", { email: "ada@example.com" })).body;
  const { manageUrl } = linksFor(posthorn.secrets, posthorn.server.url, { contactId: id, emailId: id });
  const now = Date.now();
  posthorn.clock.advance(now - posthorn.clock.nowMs());
  await chosen(manageUrl, "pause=30");
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open(`/people/${id}`);
  await page.getByText(/^Marketing email: paused until /).waitFor();
  await page.getByText(/^Paused marketing email until /).waitFor();
  await eva.check();
  await page.getByRole("button", { name: "End the pause" }).click();
  await page.getByText("The pause is over.").waitFor();
  const pausedUntil = async () => (await posthorn.call(`GET /contacts/${id}`)).body.pausedUntil;
  expect(await pausedUntil()).toBeNull();
  await page.getByRole("button", { name: "Undo" }).click();
  await soon(async () => expect(await pausedUntil()).not.toBeNull());
  await page.getByRole("button", { name: "End the pause" }).click();
  await page.getByText("Marketing email: yes").waitFor();
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Pause for 30 days" }).click();
  await page.getByText("Marketing email is paused for 30 days.").waitFor();
  expect(Date.parse(await pausedUntil())).toBeGreaterThan(now + 29 * 86_400_000);
});

journey("The results of a campaign count why people left, and each reason opens what they wrote", async () => {
  await using posthorn = await startPosthorn();
  for (const reader of [1, 2, 3]) await posthorn.call("POST /contacts", { email: `reader${reader}@example.com` });
  const mail = { name: "May", subject: "May", body: "<p>May</p>", from: "news@example.test", audienceType: "ALL" };
  const { id } = (await posthorn.call("POST /campaigns", mail)).body.data;
  await posthorn.call(`POST /campaigns/${id}/send`, {});
  const pages = (await mailsSent(posthorn)).map(
    ({ html }) => `${posthorn.server.url}/manage/${/\/unsubscribe\/([\w-]+)/.exec(String(html))?.[1]}`,
  );
  for (const url of pages) await chosen(url, "subscribed=false");
  await chosen(pages[0] as string, "why=too-many&words=Every+day+is+too+often.");
  await chosen(pages[1] as string, "why=too-many");
  await chosen(pages[2] as string, `why=other&words=${"no".repeat(250)}`);
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open(`/campaigns/${id}`);
  const part = page.locator("section", { hasText: "Why people left" }).last();
  await part.getByText("3 answers").waitFor();
  await eva.check();
  await part.getByRole("button", { name: /Too many emails/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Every day is too often.").waitFor();
  await page.keyboard.press("Escape");
  await part.getByRole("button", { name: /Another reason/ }).click();
  expect(await dialog.getByText(/^nono/).evaluate((words) => words.scrollWidth - words.clientWidth)).toBe(0);
  await page.keyboard.press("Escape");
  await part.getByRole("button", { name: /Too many emails/ }).click();
  await dialog.getByText("Without words of their own").waitFor();
  await eva.check();
  await dialog.getByRole("link", { name: "reader1@example.com" }).click();
  await page.getByRole("heading", { name: "reader1@example.com" }).waitFor();
});
