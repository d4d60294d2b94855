// People: found, chosen, changed, imported; and from an address to the reason why a mail did not come.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { focusSearch, journey, settled, soon, visit } from "../support/browser.ts";
import { signIn } from "../support/signed-in.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { RecordingTransport } from "../support/transport.ts";
import { FAIR_CSV } from "./people-scene.ts";

const NAMES = ["ada", "ben", "cyd", "dora", "eve"];
const LETTER = { from: "hello@example.test", subject: "Your receipt", body: "<p>Thanks.</p>" };

async function crowd(posthorn: Posthorn): Promise<void> {
  for (const name of NAMES)
    await posthorn.call("POST /contacts", { email: `${name}@example.com`, data: { name, plan: "pro", seats: 3 } });
}

const byEmail = async (posthorn: Posthorn, name: string): Promise<Json> =>
  (await posthorn.call(`GET /contacts/by-email/${name}@example.com`)).body;
const flags = async (posthorn: Posthorn) =>
  Promise.all(NAMES.map(async (name) => (await byEmail(posthorn, name)).subscribed as boolean));
const row = (page: Page, text: string) => page.locator(".persons .line").filter({ hasText: text });
const heading = (page: Page, name: string) => page.getByRole("heading", { name });
const toast = (page: Page, text: string | RegExp) => page.locator(".toast").filter({ hasText: text });

journey("From an address to the reason why a mail did not come, in three actions", async () => {
  const transport = new RecordingTransport();
  transport.answer = () => ({ kind: "bounced", reply: "550 5.1.1 <ada@example.com>: user unknown" });
  await using posthorn = await startPosthorn({ transport });
  await crowd(posthorn);
  await posthorn.call("POST /v1/send", { ...LETTER, to: "ada@example.com" });
  await posthorn.settle();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "SUPPORT");
  const { page } = eva;
  await eva.open("/");
  await page.keyboard.press("Control+k");
  await page.getByRole("menuitem").first().waitFor();
  await page.keyboard.type("ada@example.com");
  await page.getByRole("menuitem", { name: "ada@example.com" }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("The mailbox does not exist.").waitFor();
  await page.getByText("Marketing email: no, an email bounced permanently").waitFor();
  await eva.check();
  await page.locator(".actions").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Lift the suppression" }).click();
  await toast(page, "No longer suppressed.").waitFor();
  await page.getByText("Marketing email: no, unsubscribed").waitFor();
  await page.getByText("Not suppressed").waitFor();
  // Each number opens until it is a list of mails.
  await page.locator(".counts .opens").last().click();
  await page.waitForURL(/\/mail\?contactId=.*status=BOUNCED/);
});

journey("Support finds a person by keys, past the filters of the last search, and downloads the proof", async () => {
  await using posthorn = await startPosthorn();
  for (const email of ["ada@example.com", "ben@example.org"])
    await posthorn.call("POST /contacts", { email, subscribed: true, data: {} });
  await posthorn.settle();
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn, "SUPPORT");
  await eva.open("/people?status=SUBSCRIBED&since=7d&search=ada&sort=email");
  await page.getByRole("searchbox").selectText();
  await page.keyboard.type("ben");
  await page.keyboard.press("Enter");
  await page.waitForURL(/search=ben/);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ sort: "email", search: "ben" });
  await soon(async () => expect(await page.locator(":focus").textContent()).toContain("ben@"));
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/people\/[^/?]+$/);
  await eva.open(`${new URL(page.url()).pathname.replace(/^\/app/, "")}?kind=CONSENT`);
  const proof = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the proof" }).click();
  expect((await proof).suggestedFilename()).toBe("ben@example.org-consent.json");
  await page.getByRole("link", { name: "Show to print" }).waitFor();
});

journey("A search for emails that finds none leads to the contact, who was left out of a campaign", async () => {
  await using posthorn = await startPosthorn();
  await crowd(posthorn);
  const { id } = await byEmail(posthorn, "ada");
  await posthorn.call(`PATCH /contacts/${id}`, { subscribed: false });
  posthorn.clock.advance(1_000);
  const pro = { groups: [{ filters: [{ field: "plan", value: "pro" }] }] };
  const news = { subject: "News", body: "<p>News</p>", from: "hello@example.test", audienceType: "ALL" };
  const toFree = {
    audienceType: "FILTERED",
    audienceCondition: { groups: [{ filters: [{ field: "plan", value: "free" }] }] },
  };
  for (const input of [
    { name: "To all" },
    { name: "To free", ...toFree },
    { name: "To pro", audienceType: "FILTERED", audienceCondition: pro },
  ]) {
    const { data } = (await posthorn.call("POST /campaigns", { ...news, ...input })).body;
    await posthorn.call(`POST /campaigns/${data.id}/send`, {});
    await posthorn.settle();
  }
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "SUPPORT");
  const { page } = eva;
  await eva.open("/mail?search=ada@example.com");
  await page.getByRole("heading", { name: "No emails match" }).waitFor();
  await eva.check();
  await page.getByRole("link", { name: "ada@example.com Why no email?" }).click();
  await page.getByRole("link", { name: "Campaigns", exact: true }).last().waitFor();
  await page.getByText("To pro was not sent").waitFor();
  await soon(async () =>
    expect(await page.locator(".person-past [aria-current=page]").allInnerTexts()).toEqual(["Campaigns"]),
  );
  await page.getByText("Unsubscribed before it was sent.").first().waitFor();
  await eva.check();
  await page.getByRole("link", { name: "Consent", exact: true }).click();
  await page.getByText("Unsubscribed with an API key.").first().waitFor();
});

journey("People are found by their names, and by a field that the workspace chooses", async () => {
  await using posthorn = await startPosthorn();
  await crowd(posthorn);
  const data = { firstName: "Jürgen", lastName: "Müller", customerId: "K-90948" };
  await posthorn.call("POST /contacts", { email: "jm@example.org", data });
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "ADMIN");
  const { page } = eva;
  await eva.open("/people?search=jurgen%20mull");
  await row(page, "jm@example.org").waitFor();
  await page.getByText("1 contact", { exact: true }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("menuitem").first().waitFor();
  await page.keyboard.type("müller");
  await page.getByRole("menuitem", { name: "jm@example.org Jürgen Müller" }).click();
  await heading(page, "Jürgen Müller").waitFor();
  await eva.open("/people?search=k-909");
  await page.getByText("Nobody in this part of the list has this name").waitFor();
  await eva.open("/settings/workspace");
  await page.getByLabel("Also by these fields").fill("customerId, company");
  await eva.check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await toast(page, "Saved").waitFor();
  await posthorn.settle();
  await eva.open("/people?search=k-909");
  await row(page, "jm@example.org").waitFor();
});

journey("People are found, chosen and changed by keys, and a change has a way back", async () => {
  await using posthorn = await startPosthorn();
  await crowd(posthorn);
  const data = { city: "Ulm", level: 3, points: 7, size: "L", team: "Blue" };
  await posthorn.call("POST /contacts", { email: "zoe@example.com", doubleOptIn: true, data });
  await posthorn.call("POST /segments", { name: "Friends", type: "STATIC" });
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "MARKETER");
  const { page } = eva;
  await eva.open("/people");
  await focusSearch(page);
  await page.keyboard.type("example.com");
  await page.waitForURL(/search=example\.com/);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Subscribed", exact: true }).click();
  await page.waitForURL(/status=SUBSCRIBED/);
  await page.getByText("5 contacts").waitFor();
  await soon(async () => expect(await row(page, "zoe").count()).toBe(0));
  // Columns are chosen, kept in this browser, and joined by a date with its year.
  await page.getByRole("button", { name: "Columns" }).click();
  const column = (name: string) => page.getByRole("menuitemcheckbox", { name });
  await column("plan").click();
  // The menu stays open, and says which are shown.
  await soon(async () => expect(await column("plan").getAttribute("aria-checked")).toBe("true"));
  expect(await column("city").getAttribute("aria-checked")).toBe("false");
  const heads = () => page.locator(".persons.heads .head > :not(.checkbox)").allTextContents();
  await soon(async () => expect(await heads()).toEqual(["Email address", "Name", "Status", "plan", "Known since"]));
  expect(await row(page, "ada@").locator("time").textContent()).toMatch(/\b20\d\d$/);
  await page.reload();
  await page.getByText("5 contacts").waitFor();
  expect(await heads()).toContain("plan");
  // A column that the list has no room for is not chosen, and says why.
  await page.getByRole("button", { name: "Columns" }).click();
  for (const name of ["city", "level", "points", "size"]) await column(name).click();
  const ninth = column("team");
  await ninth.getByText("8 columns at most: hide one first").waitFor();
  expect(await ninth.getAttribute("aria-disabled")).toBe("true");
  await page.keyboard.press("Escape");
  expect(await heads()).toEqual([
    "Email address",
    "Name",
    "Status",
    "plan",
    ...Object.keys(data).slice(0, 4),
    "Known since",
  ]);
  // However wide the list has become, what stands below a head is of it.
  const leftOf = (line: string) =>
    page
      .locator(`.persons > ${line}`)
      .first()
      .locator("> *")
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().x));
  expect(await leftOf(".line")).toEqual(await leftOf(".head"));
  await page.getByRole("button", { name: "Columns" }).click();
  for (const name of ["city", "level", "points", "size"]) await column(name).click();
  await page.keyboard.press("Escape");
  await eva.check();
  for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
  await page.getByText("2 contacts selected").waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await settled(posthorn, async () => expect(await flags(posthorn)).toEqual([true, true, true, false, false]));
  await toast(page, "2 contacts are unsubscribed.").getByRole("button", { name: "Undo" }).click();
  await settled(posthorn, async () => expect(await flags(posthorn)).not.toContain(false));
  await page.getByText("5 contacts").waitFor();
  // Those who are ticked go into a file.
  await row(page, "ada@").locator(".checkbox").click();
  const file = page.waitForEvent("download");
  await page.locator(".people-bulk").getByRole("button", { name: "Export" }).click();
  const lines = (await Bun.file(await (await file).path()).text()).trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toStartWith("ada@example.com,true,");
  await page.getByRole("button", { name: "Clear the selection" }).click();
  await page.getByText("5 contacts").waitFor();
  // Into a segment whose members are chosen by hand.
  await row(page, "ada@").locator(".checkbox").click();
  await page.locator(".people-bulk").getByRole("button", { name: "Segment" }).click();
  await page.getByRole("menuitem", { name: "Add to Friends" }).click();
  await toast(page, "1 contact added to Friends.").waitFor();
  // And all of the list, by a job that is asked about first.
  await row(page, "ben@").locator(".checkbox").click();
  await page.getByRole("button", { name: "Select all 5" }).click();
  await page.locator(".people-bulk").getByRole("button", { name: "Segment" }).click();
  await page.getByRole("menuitem", { name: "Add to Friends" }).click();
  await page.getByRole("button", { name: "Add to the segment" }).click();
  await settled(posthorn, () => toast(page, "5 contacts added to Friends.").waitFor({ timeout: 900 }));
  // A segment of those who are ticked, and a draft for it.
  await row(page, "ben@").locator(".checkbox").click();
  await row(page, "cyd@").locator(".checkbox").click();
  await page.locator(".people-bulk").getByRole("button", { name: "Segment" }).click();
  await page.getByRole("menuitem", { name: "New campaign to these" }).click();
  await page.getByRole("textbox", { name: "Segment name" }).fill("Two of them");
  await eva.check();
  // Adding them fails once: no empty segment keeps the name.
  await page.route("**/segments/*/members", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Create both" }).click();
  await page.getByText("The server does not answer.").first().waitFor();
  const named = (await posthorn.call("GET /segments")).body.map(({ name }: { name: string }) => name);
  expect(named).not.toContain("Two of them");
  await page.getByRole("button", { name: "Create both" }).click();
  await page.getByRole("heading", { name: "To Two of them" }).waitFor();
  const [draft] = (await posthorn.call("GET /campaigns")).body.data;
  expect(draft).toMatchObject({ status: "DRAFT", audienceType: "SEGMENT", totalRecipients: 2 });
  await eva.open("/people?status=SUBSCRIBED&search=example.com");
  // A whole list asks first, as does erasing.
  await row(page, "ben@").locator(".checkbox").click();
  await page.getByRole("button", { name: "Select all 5" }).click();
  await page.getByRole("button", { name: "Erase…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Erase 5 contacts?").waitFor();
  await eva.check();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Clear the selection" }).click();
  // From wherever one is; the list has a button besides.
  await eva.open("/segments");
  await page.keyboard.press("Control+k");
  await page.getByRole("menuitem").first().waitFor();
  await page.keyboard.type("add a con");
  await page.getByRole("menuitem", { name: "Add a contact" }).click();
  await dialog.getByLabel("Email address").fill("no email address");
  await dialog.getByRole("button", { name: "Add" }).click();
  await dialog.locator(".fault").waitFor();
  await dialog.getByLabel("Email address").fill("fay@example.com");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "fay@example.com" }).waitFor();
  expect((await byEmail(posthorn, "fay")).subscribed).toBe(true);
});

journey(
  "One person: data edited where it stands, subscription with its history, a mail, and erased for good",
  async () => {
    await using posthorn = await startPosthorn();
    await crowd(posthorn);
    const { id } = await byEmail(posthorn, "ada");
    await posthorn.call("POST /v1/track", { email: "ada@example.com", event: "signup" });
    await using eva = await visit(posthorn);
    await signIn(eva.context, posthorn, "ADMIN");
    const { page } = eva;
    await eva.open(`/people/${id}`);
    await page.getByText("signup", { exact: true }).waitFor();
    await page.getByRole("button", { name: "seats: 3. Edit" }).press("Enter");
    await page.getByRole("textbox", { name: "seats" }).fill("5");
    await page.keyboard.press("Enter");
    // It stays while the pointer is over it.
    await toast(page, "seats is saved.").hover();
    expect((await byEmail(posthorn, "ada")).data).toEqual({ name: "ada", plan: "pro", seats: 5 });
    await toast(page, "seats is saved.").getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "seats: 3. Edit" }).waitFor();
    await page.getByRole("button", { name: "Add a field" }).click();
    await page.keyboard.type("city");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Bonn");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "city: Bonn. Edit" }).waitFor();
    await page.getByRole("button", { name: "Unsubscribe", exact: true }).click();
    await toast(page, "Unsubscribed.").waitFor();
    await page.getByRole("link", { name: "Who changed this, and when" }).click();
    await page.waitForURL(/kind=CONSENT/);
    await page.getByText("Unsubscribed by Eva Moser of the team.").waitFor();
    const proof = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the proof" }).click();
    expect((await proof).suggestedFilename()).toBe("ada@example.com-consent.json");
    const opened = page.context().waitForEvent("page");
    await page.getByRole("link", { name: "Show to print" }).click();
    const printed = await opened;
    await printed.getByRole("heading", { name: "Proof of consent" }).waitFor();
    await printed.getByText("Unsubscribed by Eva Moser of the team.").waitFor();
    await printed.close();
    await eva.check();
    await page.getByRole("button", { name: "Send an email" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Subject").fill("A word");
    await dialog.getByLabel("Text").fill("Hello {{ name }},\n\n1 < 2.");
    await eva.check();
    await dialog.getByRole("button", { name: "Send" }).click();
    await toast(page, "Queued for ada@example.com.").waitFor();
    await posthorn.settle();
    expect(posthorn.transport.sent.map(({ raw }) => raw.toString().includes("Hello ada,"))).toEqual([true]);
    await page.getByRole("link", { name: "Everything" }).click();
    await page.getByRole("link", { name: "A word" }).waitFor();
    await page.locator(".bar").getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Erase…" }).click();
    await dialog.getByText("This cannot be undone.").waitFor();
    await eva.check();
    await dialog.getByRole("button", { name: "Erase permanently" }).click();
    await toast(page, "ada@example.com is erased.").waitFor();
    await page.getByText("4 contacts").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/people\/[0-9a-f-]{36}$/);
    await page.getByText("1 of 4").waitFor();
    await page.keyboard.press("j");
    await page.getByText("2 of 4").waitFor();
  },
);

journey("A file that does not say who may be mailed is imported after one question", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "MARKETER");
  const { page } = eva;
  await eva.open("/people/import");
  const buffer = Buffer.from(
    "Email Address,First Name,Subscribed_at_shop\nann@fair.example,Ann,7\nbo@fair.example,Bo,8\n",
  );
  await page.locator("input[type=file]").setInputFiles({ name: "fair.csv", mimeType: "text/csv", buffer });
  await page.getByRole("heading", { name: "May we send them marketing email?" }).waitFor();
  await soon(async () => expect(await page.locator(".closing").count()).toBe(0));
  await page.locator(".disabled-reason").getByText("Answer the question first.").waitFor();
  await page.getByRole("radio", { name: "No" }).click();
  await page.getByText("New contacts are added, but get no marketing email.").waitFor();
  await page.getByRole("radio", { name: "Yes" }).click();
  await page.locator(".disabled-reason").getByText("Enter where they agreed.").waitFor();
  await page.getByLabel("Where did they agree?").fill("Our stand at the fair");
  await eva.check();
  await page.getByRole("button", { name: "Import 2 rows" }).click();
  await settled(posthorn, async () => expect(await heading(page, "Imported").count()).toBe(1));
  const ann = (await posthorn.call("GET /contacts/by-email/ann@fair.example")).body;
  expect(ann).toMatchObject({ subscribed: true, data: { name: "Ann", consent: "Our stand at the fair" } });
});

journey("The export of another product says itself who has unsubscribed", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "MARKETER");
  const { page } = eva;
  await eva.open("/people/import");
  const buffer = Buffer.from(
    'Email Address,OPTIN_TIME,UNSUB_TIME,REGION,LEID,TAGS\nann@fair.example,2025-01-01,2025-02-01,BY,7,"""vip"",""new"""\n',
  );
  await page.locator("input[type=file]").setInputFiles({ name: "unsubscribed.csv", mimeType: "text/csv", buffer });
  await page.getByText("email consent").first().waitFor();
  await page.getByText("After the import").waitFor();
  await page.locator(".map .line", { hasText: "OPTIN_TIME" }).getByText("date of joining").waitFor();
  // What only means something to Mailchimp is left out, and still says who has unsubscribed.
  await page.getByText("6 found, 2 kept").waitFor();
  await page.locator(".map .line", { hasText: "LEID" }).getByText("from another product").waitFor();
  // Its tags become a list, as tags that are given here are.
  await page.getByRole("button", { name: "How TAGS is read: List" }).waitFor();
  await soon(async () => expect(await page.getByText("May we send them marketing email?").count()).toBe(0));
  await page.getByRole("button", { name: /Field for UNSUB_TIME/ }).click();
  await page.getByRole("searchbox", { name: /type a new name/ }).pressSequentially("subscribed");
  await page.getByRole("option", { name: /^subscribed/ }).waitFor();
  await soon(async () => expect(await page.getByRole("option", { name: "data.subscribed" }).count()).toBe(0));
  // The first one empties the field.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Import 1 row" }).click();
  await settled(posthorn, async () => expect(await heading(page, "Imported").count()).toBe(1));
  const ann = (await posthorn.call("GET /contacts/by-email/ann@fair.example")).body;
  expect([ann.subscribed, ann.data]).toEqual([false, { joinedAt: "2025-01-01", tags: ["vip", "new"] }]);
});

journey(
  "An import puts people in a new segment, tags them, and is in the list of imports until it is undone",
  async () => {
    await using posthorn = await startPosthorn();
    await posthorn.call("POST /contacts", { email: "ann@fair.example", data: { plan: "free" } });
    await using eva = await visit(posthorn);
    await signIn(eva.context, posthorn, "MARKETER");
    const { page } = eva;
    await eva.open("/people");
    await page.getByRole("link", { name: "Import", exact: true }).click();
    const buffer = Buffer.from("email,plan,hall\nann@fair.example,pro,7\nbo@fair.example,pro,8\n");
    await page.locator("input[type=file]").setInputFiles({ name: "fair.csv", mimeType: "text/csv", buffer });
    // Enter takes what begins so, and a new name where nothing does, though a known field has it in its name.
    await page.getByRole("button", { name: /Field for hall/ }).click();
    await page.getByRole("searchbox", { name: /type a new name/ }).pressSequentially("na");
    await page.locator("input[aria-activedescendant$='data.name']").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Field for hall: data.name" }).click();
    await page.getByRole("searchbox", { name: /type a new name/ }).pressSequentially("am");
    await page.locator("input[aria-activedescendant$='data.am']").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Field for hall: data.am" }).waitFor();
    await page.getByText("Fill only empty fields of existing contacts").click();
    await page.getByLabel("Tag them").fill("fair 2026");
    await page.getByRole("button", { name: "Add them to a segment: No segment" }).click();
    await page.getByRole("searchbox", { name: /Find a segment/ }).pressSequentially("Spring fair");
    await page.getByRole("option", { name: "Spring fair" }).click();
    await page.getByRole("radio", { name: "No" }).click();
    await eva.check();
    await page.getByRole("button", { name: "Import 2 rows" }).click();
    await settled(posthorn, async () => expect(await heading(page, "Imported").count()).toBe(1));
    expect((await posthorn.call("GET /contacts/by-email/ann@fair.example")).body.data).toEqual({
      ...{ plan: "free", am: 7, tags: ["fair 2026"] },
    });
    const segments = (await posthorn.call("GET /segments")).body;
    expect(segments).toMatchObject([{ name: "Spring fair", type: "STATIC", memberCount: 2 }]);
    await page.getByRole("button", { name: "All imports" }).click();
    const line = page.locator(".imports .line", { hasText: "fair.csv" });
    await line.waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await eva.check();
    await page.setViewportSize({ width: 1440, height: 900 });
    await line.getByText("1 new · 1 existed").waitFor();
    await line.getByText("Eva Moser").waitFor();
    await eva.check();
    await line.getByRole("button", { name: "Undo the import of fair.csv" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Undo the import" }).click();
    await settled(posthorn, async () => expect(await heading(page, "Undone for 2 people").count()).toBe(1));
    await page.getByRole("button", { name: "All imports" }).click();
    await line.getByText("Undone").waitFor();
    expect((await posthorn.call(`GET /segments/${segments[0].id}`)).body.memberCount).toBe(0);
  },
);

journey(
  "The columns of a German file are read as a whole, as the mapping shows, and can be read otherwise",
  async () => {
    await using posthorn = await startPosthorn();
    await using eva = await visit(posthorn);
    await signIn(eva.context, posthorn, "MARKETER");
    const { page } = eva;
    await eva.open("/people/import");
    const text = [
      "E-Mail;Kunde seit;Umsatz;Aktiv;Postleitzahl;Termin",
      "maria@fair.example;01.06.1982;2.270,48;WAHR;'90948;03/04/2020",
      "jörg@fair.example;31.12.2020;12,00;FALSCH;01067;05/06/2020",
      "",
    ].join("\r\n");
    const buffer = Buffer.from(text, "utf16le");
    await page.locator("input[type=file]").setInputFiles({ name: "kunden.csv", mimeType: "text/csv", buffer });
    await page.getByText("UTF-16, separated by semicolons").waitFor();
    const readAs = async (now: string, next: string) => {
      await page.getByRole("button", { name: `Encoding: ${now}` }).click();
      await page.getByRole("option", { name: next, exact: true }).click();
      await page.getByText(`${next}, separated by semicolons`).waitFor();
    };
    await readAs("UTF-16", "Western European (Windows-1252)");
    await readAs("Western European (Windows-1252)", "UTF-16");
    const line = (column: string) => page.locator(".map .line", { hasText: column });
    await line("Kunde seit").getByText("01.06.1982 → 1982-06-01").waitFor();
    await line("Umsatz").getByText("2.270,48 → 2270.48").waitFor();
    await line("Aktiv").getByText("WAHR → yes").waitFor();
    await line("Postleitzahl").getByText("90948", { exact: true }).waitFor();
    // Both ways of reading it fit: it says so, and the other one is chosen by keys.
    await line("Termin").getByText("Or is it 12/25/2026?").waitFor();
    await eva.check();
    await page.getByRole("button", { name: "How Termin is read: Date, day first" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("option", { name: /month first/ }).click();
    await line("Termin").getByText("03/04/2020 → 2020-03-04").waitFor();
    // A format that does not fit all cells names those that are left out.
    await page.getByRole("button", { name: "How Kunde seit is read: Date, day first" }).click();
    await page.getByRole("option", { name: /month first/ }).click();
    await page.getByRole("heading", { name: "1 cell does not fit its column" }).waitFor();
    await page.getByText("data.kundeSeit is read as “Date, month first”").waitFor();
    await line("Kunde seit").getByText("31.12.2020 → left out").waitFor();
    await eva.check();
    await page.getByRole("button", { name: "How Kunde seit is read: Date, month first" }).click();
    await page.getByRole("option", { name: /day first/ }).click();
    await page.getByRole("radio", { name: "No" }).click();
    await page.getByRole("button", { name: "Import 2 rows" }).click();
    await settled(posthorn, async () => expect(await heading(page, "Imported").count()).toBe(1));
    expect((await posthorn.call("GET /contacts/by-email/maria@fair.example")).body.data).toEqual({
      ...{ kundeSeit: "1982-06-01", Umsatz: 2270.48, Aktiv: true, Postleitzahl: "90948", Termin: "2020-03-04" },
    });
  },
);

journey("A file is tried before anything is stored, and imported as it was tried", async () => {
  await using posthorn = await startPosthorn();
  await crowd(posthorn);
  await posthorn.call("POST /contacts", { email: "ada@example.com", subscribed: false });
  posthorn.clock.advance(60_000);
  await using eva = await visit(posthorn, { acceptDownloads: true });
  await signIn(eva.context, posthorn, "ADMIN");
  const { page } = eva;
  // From wherever one is; the list has a link besides.
  await eva.open("/");
  await page.keyboard.press("Control+k");
  await page.getByRole("menuitem").first().waitFor();
  await page.keyboard.type("import");
  await page.getByRole("menuitem", { name: "Import contacts" }).click();
  await page.getByText("Drop files with contacts here").waitFor();
  await eva.check();
  // As a spreadsheet writes it that knows no UTF-8.
  const buffer = Buffer.from(FAIR_CSV.toString(), "latin1");
  await page.locator("input[type=file]").setInputFiles({ name: "fair.csv", mimeType: "text/csv", buffer });
  await page.getByText("separated by semicolons").waitFor();
  await page.getByText("The file is read as Western European (Windows-1252).").waitFor();
  await page.getByText("Import 44 rows").waitFor();
  const parts = await page.locator(".closing dd").allTextContents();
  expect(parts.slice(0, -1).reduce((sum, part) => sum + Number(part), 0)).toBe(Number(parts.at(-1)));
  await page.getByText("a space in the email address").waitFor();
  await eva.check();
  // A column is left out by keys.
  await page.getByRole("button", { name: /Field for Telefon/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: "Don’t import" }).click();
  await page.getByText("7 found, 6 kept").waitFor();
  // No key takes the opened file away unasked.
  await page.locator("h1").click();
  await page.keyboard.press("n");
  await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
  await page.getByRole("button", { name: "Stay on this page" }).click();
  await page.getByText("7 found, 6 kept").waitFor();
  // Another one becomes a field that nobody has yet.
  await page.getByRole("button", { name: /Field for Land/ }).click();
  await page.getByRole("searchbox", { name: /type a new name/ }).pressSequentially("country");
  await page.locator("input[aria-activedescendant*='data.country']").waitFor();
  await eva.check();
  await page.getByRole("option", { name: "data.country" }).click();
  await page.getByRole("button", { name: /Field for Land: data.country/ }).waitFor();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  expect(await Bun.file(await (await saved).path()).text()).toContain("6,kirsten.example.org,");
  await page.getByRole("button", { name: "Import 44 rows" }).click();
  await page.getByRole("heading", { name: "Importing" }).waitFor();
  await posthorn.settle();
  await page.getByRole("heading", { name: "Imported" }).waitFor();
  await eva.check();
  expect(await byEmail(posthorn, "ada")).toMatchObject({ subscribed: false, data: { name: "Ada", Abo: "pro" } });
  const maria = (await posthorn.call("GET /contacts/by-email/maria@example.org")).body;
  expect(maria).toMatchObject({ subscribed: true, data: { name: "María", country: "ES" } });
  expect(maria.data.Telefon).toBeUndefined();
  // Its numbers open: bad rows their lines, new people their list.
  const part = (name: string) => page.locator(".sum .num", { hasText: name }).getByRole("link");
  await part("Invalid").click();
  await page.waitForURL(/#invalid-rows$/);
  const created = await part("New contacts").textContent();
  await part("New contacts").click();
  await page.waitForURL(/imported=ADDED/);
  await page.getByText("Added by an import").waitFor();
  await page.locator(".views a[aria-current=page] .n", { hasText: created ?? "" }).waitFor();
  await eva.check();
  await page.goBack();
  const known = await part("Already existed").textContent();
  await part("Already existed").click();
  await page.getByText("Already existed before an import").waitFor();
  await page.locator(".views a[aria-current=page] .n", { hasText: known ?? "" }).waitFor();
  await page.goBack();
  // It can be undone, also after the page was left; whoever has gone on stays, with the reason.
  await posthorn.call("POST /v1/track", { email: "maria@example.org", event: "signup" });
  await page.reload();
  await page.getByRole("button", { name: "Undo the import…" }).click();
  await page.getByText(`The ${created} people whom it added are erased.`, { exact: false }).waitFor();
  await eva.check();
  await page.getByRole("dialog").getByRole("button", { name: "Undo the import" }).click();
  await page.getByRole("heading", { name: "The import is being undone" }).waitFor();
  await posthorn.settle();
  await page.getByText("1 person stays as is").waitFor();
  await page.getByText("has had email, an event or a workflow").waitFor();
  await eva.check();
  expect(await byEmail(posthorn, "ada")).not.toHaveProperty("data.Abo");
  await page.getByRole("link", { name: "María" }).click();
  await page.waitForURL(/people\/[0-9a-f-]+$/);
});
