// Writing in the face: templates as code and visually, looked at as somebody, saved by itself, never over what somebody
// else has saved.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { journey, soon, visit } from "../support/browser.ts";
import { layoutFaults } from "../support/layout.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

const SAVED = /^saved \d/;

const HOSTILE = `<p>harmless words<img src="x" onerror="document.title='owned'"><script>document.title="owned"</script></p><a href="javascript:document.title='owned'">link</a><iframe src="/app"></iframe><style>* { display: none }</style>`;

/** As a browser gives it to the page. */
const PASTE = `(target, html) => {
  const data = new DataTransfer();
  data.setData("text/html", html);
  target.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}`;

/** Of an image that is put in. */
async function sayWhatItShows(page: Page, alt: string | null): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "What does the image show?" });
  const insert = dialog.getByRole("button", { name: "Insert" });
  expect(await insert.getAttribute("aria-disabled")).toBe("true");
  if (alt === null) await dialog.getByText("Decorative").click();
  else await dialog.getByLabel("Alt text").fill(alt);
  await insert.click();
  await dialog.waitFor({ state: "detached" });
}

/** From the menu of what is seldom put in. */
async function insert(page: Page, block: string): Promise<void> {
  await page.getByRole("button", { name: "More blocks and tools" }).click();
  await page.getByRole("menuitem", { name: block, exact: true }).click();
  // The editor has the focus back once the menu is closed.
  await page.locator(".doc:focus").waitFor();
}

async function expectSaved(posthorn: Posthorn, fields: object): Promise<void> {
  await soon(async () => expect((await posthorn.call("GET /templates")).body.data[0]).toMatchObject(fields));
}

journey("A template is made, written as code, looked at as somebody, and saved by itself", async () => {
  await using posthorn = await startPosthorn();
  await posthorn.call("POST /contacts", { email: "ada@example.com", data: { name: "Ada", plan: "pro" } });
  await posthorn.call("POST /contacts", { email: "ben@example.com", data: { plan: "free" } });
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn, "MARKETER");
  await eva.open("/");
  await page.keyboard.press("Control+k");
  await page.locator(".palette input").fill("new temp");
  await page.getByRole("menuitem", { name: "New template" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Welcome");
  await page.getByRole("radio", { name: "Code" }).click();
  await eva.check();
  await page.getByRole("dialog").getByRole("button", { name: "New template" }).click();

  const code = page.getByRole("textbox", { name: "The email, as HTML with Liquid" });
  await code.waitFor();
  await eva.check();
  const mail = page.frameLocator("iframe[sandbox='allow-same-origin']").last();
  await mail.getByText("Hello there,").waitFor();
  const [{ id }] = (await posthorn.call("GET /templates")).body.data;
  expect((await posthorn.call(`GET /templates/${id}`)).body.body).toStartWith('<!doctype html>\n<html lang="en">');

  await page.getByRole("textbox", { name: "Subject" }).fill("Welcome, {{ name }}");
  await page.getByRole("textbox", { name: "Preheader" }).fill('Good to have you, {{ name ?? "friend" }}');
  await page.getByText("Good to have you, friend").waitFor();
  await page.getByText("24 of 90").waitFor();
  await page.getByText("no value for name").waitFor();
  await page.getByRole("button", { name: "Preview as" }).click();
  // Whoever types slowly has an answer to each letter.
  for (const sought of ["a", "ad", "ada"]) {
    const answer = page.waitForResponse((response) => response.url().endsWith(`search=${sought}`));
    await page.keyboard.press(sought.slice(-1));
    await answer;
    await page.getByRole("menuitem", { name: "Sample without data" }).waitFor({ state: "detached" });
  }
  await page.locator(".people-menu .item[data-focused]", { hasText: "Ada" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Welcome, Ada").waitFor();
  await page.getByText("Good to have you, Ada").waitFor();
  await mail.getByText("Hello Ada,").waitFor();
  await page.getByRole("button", { name: "no name: 1 of 2" }).waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("no value for name").waitFor();
  await mail.getByText("Hello there,").waitFor();

  await code.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("<p>Hi</p>\n<p>{% if plan %}pro{% endfi %}</p>\n");
  await page.locator(".cm-fault").getByText("line 2").waitFor();
  await page.getByRole("radio", { name: "Text part" }).click();
  await page.getByText(/^Code: .*line 2/).waitFor();
  await page.getByRole("radio", { name: "Code" }).click();
  await eva.check();
  await page.getByText("not saved", { exact: true }).waitFor();
  await code.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("Hi {{ p");
  await page.getByRole("option", { name: "plan" }).click();
  await page.keyboard.insertText(" }}");
  await page.locator(".cm-fault").waitFor({ state: "detached" });
  await mail.getByText("Hi free").waitFor();
  await page.getByText(SAVED).waitFor();
  const { data } = (await posthorn.call("GET /templates")).body;
  expect(data).toEqual([expect.objectContaining({ name: "Welcome", subject: "Welcome, {{ name }}" })]);
  expect(data[0].body).toStartWith("Hi {{ plan }}");

  await page.getByRole("link", { name: "Settings" }).last().click();
  await page.getByRole("textbox", { name: "Alias" }).fill("Wel come");
  await page.getByText("Send changes only after publishing them").click();
  await page.getByRole("combobox", { name: "Tags" }).fill("welcome, plan:free");
  await page.getByRole("button", { name: "Metadata" }).click();
  await page.getByLabel("Key 1").fill("sent by");
  await page.getByText("“sent by” is not a key.").waitFor();
  await page.getByLabel("Value of sent by").fill("shop");
  await eva.check();
  await page.getByLabel("Key 1").fill("sentBy");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("[aria-invalid=true]").waitFor();
  await page.getByRole("textbox", { name: "Alias" }).fill("welcome");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await page.getByRole("link", { name: "API", exact: true }).click();
  await page.getByText('"template": "welcome"').waitFor();
  await page.getByRole("link", { name: "Write" }).click();
  await page.getByRole("textbox", { name: "Subject" }).fill("Hello, {{ name }}");
  await page.getByText("unpublished changes").waitFor();
  const sent = async () => {
    const body = { to: "ada@example.com", from: "hello@example.test", template: "welcome" };
    const { emails } = (await posthorn.call("POST /v1/send", body)).body.data;
    const { subject, tags, metadata } = (await posthorn.call(`GET /emails/${emails[0].email}`)).body;
    expect([tags, metadata]).toEqual([["welcome", "plan:free"], { sentBy: "shop" }]);
    return subject;
  };
  expect(await sent()).toBe("Welcome, Ada");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("Published: this is sent from now on.").waitFor();
  await page.getByText("unpublished changes").waitFor({ state: "detached" });
  expect(await sent()).toBe("Hello, Ada");
});

journey("New mails greet people by the name that this workspace has, and the importer fills it", async () => {
  await using posthorn = await startPosthorn();
  await posthorn.call("POST /contacts", { email: "ada@example.com", data: { plan: "pro", vorname: "Ada" } });
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn, "MARKETER");
  await eva.open("/people/import");
  const buffer = Buffer.from("email,First Name\nbo@fair.example,Bo\n");
  await page.locator("input[type=file]").setInputFiles({ name: "fair.csv", mimeType: "text/csv", buffer });
  await page.getByRole("button", { name: "Field for First Name: data.vorname" }).waitFor();
  await eva.open("/templates?make=true");
  await page.getByRole("textbox", { name: "Name" }).fill("Welcome");
  await page.getByRole("dialog").getByRole("button", { name: "New template" }).click();
  await page.frameLocator("iframe[sandbox='allow-same-origin']").last().getByText("Hello").waitFor();
  const [{ id }] = (await posthorn.call("GET /templates")).body.data;
  const { body } = (await posthorn.call(`GET /templates/${id}`)).body;
  expect(body).toContain('Hello {{ vorname ?? "there" }},');
  // Names come first among the fields, with what to say to those who have none.
  await posthorn.call("POST /contacts", { email: "bo@example.com", data: { plan: "free" } });
  await page.reload();
  await page.getByRole("button", { name: "Insert a variable: Subject" }).click();
  await page.getByRole("menuitem").first().getByText("vorname").click();
  expect(await page.getByRole("textbox", { name: "Subject" }).inputValue()).toContain('{{ vorname ?? "there" }}');
  await eva.check();
});

journey("What an editor has left in placeholders is repaired when the mail is saved, and said", async () => {
  await using posthorn = await startPosthorn();
  const letter = { name: "Hello", subject: "Hello", body: "<p>Hello</p>", type: "TRANSACTIONAL" };
  const { body: made } = await posthorn.call("POST /templates", letter);
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn, "MARKETER");
  await eva.open(`/templates/${made.id}`);
  const code = page.getByRole("textbox", { name: "The email, as HTML with Liquid" });
  await code.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("<p>Hi {{ nick ?? &quot;you&quot; }}</p>");
  await page.getByText(/^saved .* placeholders repaired$/).waitFor();
  await code.getByText('{{ nick ?? "you" }}').waitFor();
  await expectSaved(posthorn, { body: '<p>Hi {{ nick ?? "you" }}</p>' });
  await eva.check();
});

journey("A placeholder of another service is named below the preview, with what was probably meant", async () => {
  await using posthorn = await startPosthorn();
  const body = '<p>Hello</p><a href="{{{unsubscribe}}}">Leave</a> *|ARCHIVE|*';
  const letter = { name: "Hello", subject: "Hello", body, type: "TRANSACTIONAL" };
  const { body: made } = await posthorn.call("POST /templates", letter);
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn, "MARKETER");
  await eva.open(`/templates/${made.id}`);
  await page.getByRole("button", { name: "2 foreign placeholders" }).click();
  const list = page.getByRole("dialog", { name: "2 foreign placeholders" });
  await list.getByText("did you mean {{ unsubscribeUrl }}?").waitFor();
  await list.getByText("Posthorn has nothing like it: leave it out").waitFor();
  await page.keyboard.press("Escape");
  await eva.check();
});

journey("Typing goes on behind an image, and never takes the place of a block", async () => {
  await using posthorn = await startPosthorn();
  const hello = { type: "paragraph", content: [{ type: "text", text: "Hello" }] };
  const letter = { name: "Welcome", type: "TRANSACTIONAL", subject: "Welcome", body: "<p>Hello</p>" };
  const design = { kind: "visual", source: { type: "doc", content: [hello] } };
  const { id } = (await posthorn.call("POST /templates", { ...letter, design })).body;
  await using eva = await visit(posthorn, { offends: /^foreign: \S+\/i\// });
  const { page } = eva;
  await signIn(eva.context, posthorn, "MARKETER");
  await eva.open(`/templates/${id}`);
  const sheet = page.getByRole("textbox", { name: "Email", exact: true });
  await sheet.getByText("Hello").click();
  await page.keyboard.press("End");
  await page.getByRole("button", { name: "Image", exact: true }).click();
  const picker = page.getByRole("dialog", { name: "Choose an image" });
  await picker.locator("input[type=file]").setInputFiles(LOGO);
  await picker.waitFor({ state: "detached" });
  await sayWhatItShows(page, "Lanternfish");
  const image = sheet.locator("img[src^='/i/']");
  await image.waitFor();
  await page.locator(".doc:focus").waitFor();
  await page.keyboard.type("below");
  const blocks = () => sheet.locator("> *").evaluateAll((all) => all.map((one) => one.textContent || one.className));
  expect(await blocks()).toEqual(["Hello", "image-node", "below"]);
  // A block that is chosen stays, whatever is typed, pasted or put in.
  await image.click();
  await page.keyboard.type("between");
  expect(await blocks()).toEqual(["Hello", "image-node", "between", "below"]);
  await image.click();
  await page.keyboard.insertText("by voice ");
  await image.click();
  await page.getByRole("button", { name: "Button", exact: true }).click();
  await image.click();
  await page.evaluate(`(${PASTE})(document.querySelector(".doc"), "<p>pasted</p>")`);
  expect((await blocks()).filter((one) => one.startsWith("image-node")).length).toBe(1);
  // Below a last block that is no text, a click makes a line.
  await sheet.getByText("below").click();
  await page.keyboard.press("End");
  await insert(page, "HTML");
  await page.evaluate(`document.querySelector(".sheet-of-mail").scrollTo(0, 10_000)`);
  const box = await sheet.boundingBox();
  await page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + (box?.height ?? 0) + 5);
  await page.keyboard.type("the end");
  expect((await blocks()).slice(-2)).toEqual([expect.stringContaining("HTML"), "the end"]);
  await page.getByText(SAVED).waitFor();
  await eva.check();
});

journey("Tools are one row at 1440 and at most two at 900, and writing begins in the upper third", async () => {
  await using posthorn = await startPosthorn();
  const source = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "Hello" }] }] };
  const { id } = (
    await posthorn.call("POST /campaigns", {
      ...{ name: "Winter teas", subject: "Winter teas", from: "shop@example.test", body: "<p>Hello" },
      ...{ audienceType: "ALL", design: { kind: "visual", source } },
    })
  ).body.data;
  for (const [locale, words] of [
    ["en-GB", "Email"],
    ["de-DE", "Die Mail"],
  ] as const) {
    await using eva = await visit(posthorn, { locale, viewport: { width: 1440, height: 900 } });
    await signIn(eva.context, posthorn);
    for (const [width, most] of [
      [1440, 44],
      [900, 88],
      // With buttons for fingers.
      [390, 190],
    ] as const) {
      await eva.page.setViewportSize({ width, height: 900 });
      await eva.open(`/campaigns/${id}`);
      const sheet = eva.page.getByRole("textbox", { name: words, exact: true });
      await sheet.getByText("Hello").waitFor();
      if (process.env["PICTURES"])
        await eva.page.screenshot({ path: `${process.env["PICTURES"]}/tools-${locale}-${width}.png` });
      const tools = await eva.page.locator(".tools").first().boundingBox();
      expect([locale, width, (tools?.height ?? 999) <= most]).toEqual([locale, width, true]);
      expect(await layoutFaults(eva.page)).toEqual([]);
      if (width === 1440) expect((await sheet.getByText("Hello").boundingBox())?.y).toBeLessThan(300);
    }
    // What is typed takes the place of a subject that only repeats the name.
    if (locale === "de-DE") continue;
    const subject = eva.page.getByRole("textbox", { name: "Subject" });
    await subject.click();
    await eva.page.keyboard.type("Winter teas are here");
    expect(await subject.inputValue()).toBe("Winter teas are here");
    await subject.click();
    await eva.page.keyboard.press("End");
    await eva.page.keyboard.type("!");
    expect(await subject.inputValue()).toBe("Winter teas are here!");
  }
});

journey("A mail is put together from blocks by keyboard, and hostile HTML that is pasted is only words", async () => {
  await using posthorn = await startPosthorn();
  await posthorn.call("POST /contacts", { email: "ada@example.com", data: { name: "Ada", plan: "pro" } });
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn, "MARKETER");
  await eva.open("/templates");
  await page.getByRole("button", { name: "New template" }).first().click();
  await page.getByRole("textbox", { name: "Name" }).fill("Spring");
  await page.keyboard.press("Enter");
  const sheet = page.getByRole("textbox", { name: "Email", exact: true });
  await sheet.waitFor();
  await eva.check();
  const mail = page.frameLocator("iframe[sandbox='allow-same-origin']").last();
  await mail.getByText("Hello there,").waitFor();

  await sheet.locator("p").last().click();
  await page.mouse.move(0, 0);
  await page.keyboard.press("/");
  await page.getByRole("searchbox", { name: "Insert" }).pressSequentially("show");
  await page.getByRole("menuitem", { name: "Show if" }).waitFor();
  await eva.check();
  await page.keyboard.press("ArrowDown");
  await page.locator(".item[data-focused]").waitFor();
  await page.keyboard.press("Enter");
  const settings = page.getByRole("region", { name: "Settings: Show if" });
  await settings.waitFor();
  await page.getByRole("menu", { name: "Insert" }).waitFor({ state: "detached" });
  await page.locator(".doc:focus").waitFor();
  await page.keyboard.type("Thank you for going pro.");
  await page.keyboard.press("Tab");
  await settings.getByLabel("Variable").fill("plan");
  await settings.getByLabel("Value").fill("pro");
  await eva.check();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Button" }).click();
  await page.getByLabel("Link URL").fill("https://example.com/{{ plan }}");
  await page.getByRole("button", { name: "Preview as" }).click();
  await page.getByRole("menuitem", { name: "Ada" }).click();
  await mail.getByText("Hello Ada,").waitFor();
  await mail.getByText("Thank you for going pro.").waitFor();
  await mail.getByRole("link", { name: "See more" }).waitFor();
  // Blocks move by keys and by buttons, with the cursor in them.
  const first = () => sheet.locator("> *").first().textContent();
  const hello = (await first()) ?? "";
  // In its first word: its middle may be the variable, which is clicked to be set.
  await sheet
    .locator("p")
    .first()
    .click({ position: { x: 4, y: 8 } });
  await page.keyboard.press("End");
  const tools = page.getByRole("button", { name: "More blocks and tools" });
  const moveUp = page.getByRole("menuitem", { name: "Move up" });
  const isAtTop = async () => {
    await tools.click();
    await soon(async () => expect(await moveUp.getAttribute("aria-disabled")).toBe("true"));
    await page.keyboard.press("Escape");
    await moveUp.waitFor({ state: "detached" });
  };
  await isAtTop();
  await sheet.focus();
  await page.keyboard.press("Alt+ArrowDown");
  await soon(async () => expect(await first()).not.toBe(hello));
  await tools.click();
  await moveUp.click();
  await soon(async () => expect(await first()).toBe(hello));
  await isAtTop();
  // Text and dividers have a space below, as other blocks do.
  await page.locator(".tools .style").click();
  await page.getByRole("menuitemradio", { name: "Space below: Large" }).click();
  await sheet.locator('p[data-spacing="large"]').waitFor();
  await insert(page, "Divider");
  await sheet.locator("hr").click();
  await page.getByRole("region", { name: "Settings: Divider" }).getByLabel("Space below").selectOption("none");
  await sheet.locator('hr[data-spacing="none"]').waitFor();
  // A section on a colour of the brand; three columns of other widths.
  await insert(page, "Section");
  await page.keyboard.type("Only this week");
  const section = page.getByRole("region", { name: "Settings: Section" });
  await section.getByLabel("Background").selectOption({ label: "Accent of the brand" });
  await eva.check();
  await mail.getByText("Only this week").waitFor();
  await insert(page, "Columns");
  const columns = page.getByRole("region", { name: "Settings: Columns" });
  await columns.getByRole("button", { name: "Add a column" }).click();
  await columns.getByLabel("Widths").selectOption("1:2:1");
  await soon(async () => expect(await sheet.locator(".columns-node").getAttribute("style")).toContain("2fr"));

  await sheet.locator("p").first().click();
  await page.keyboard.press("Home");
  await page.evaluate(`(${PASTE})(document.querySelector(".doc"), ${JSON.stringify(HOSTILE)})`);
  await mail.getByText("harmless words").waitFor();
  expect(await page.title()).not.toContain("owned");
  await page.getByText(SAVED).waitFor();
  const [spring] = (await posthorn.call("GET /templates")).body.data;
  expect(spring.body).toContain('{% if plan == "pro" %}');
  expect(spring.body).toContain('href="https://example.com/{{ plan }}"');
  expect(spring.body).toContain("#22423d");
  expect(spring.body).toContain("margin:0 0 48px");
  expect(spring.body).not.toMatch(/onerror|<script|javascript:/);
  expect(spring.design.kind).toBe("visual");

  await page.getByRole("radio", { name: "Code" }).click();
  await page.getByText("You cannot switch back").waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Continue as code" }).click();
  await page.getByRole("textbox", { name: "The email, as HTML with Liquid" }).waitFor();
  await page.getByText(SAVED).waitFor();
  await expectSaved(posthorn, { body: spring.body, design: null });
});

journey("Two write at once: neither overwrites the other, and each may choose", async () => {
  await using posthorn = await startPosthorn();
  const letter = { name: "Welcome", type: "TRANSACTIONAL", subject: "Welcome", body: "<p>First</p>" };
  const { id } = (await posthorn.call("POST /templates", letter)).body;
  await using eva = await visit(posthorn, { offends: /409/ });
  const { page } = eva;
  await signIn(eva.context, posthorn, "EDITOR");
  await eva.open(`/templates/${id}`);
  const subject = page.getByRole("textbox", { name: "Subject" });
  // Somebody is quicker: their change is there when ours arrives.
  const quicker: string[] = [];
  await page.route(`**/templates/${id}`, async (route) => {
    const words = route.request().method() === "PATCH" ? quicker.pop() : undefined;
    if (words !== undefined) await posthorn.call(`PATCH /templates/${id}`, { subject: words });
    await route.continue();
  });

  quicker.push("From elsewhere");
  await subject.fill("Mine");
  await page.getByText("saved just now.").waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Use theirs" }).click();
  await soon(async () => expect(await subject.inputValue()).toBe("From elsewhere"));

  quicker.push("From elsewhere again");
  await subject.fill("Mine");
  await page.getByRole("button", { name: "Keep mine" }).click();
  await page.getByText(SAVED).waitFor();
  await expectSaved(posthorn, { subject: "Mine", body: "<p>First</p>" });

  // Each change of a program is a version at once.
  await page.getByRole("button", { name: "4 versions" }).click();
  const dialog = page.getByRole("dialog", { name: "Versions" });
  await dialog.locator(".now", { hasText: "Mine" }).waitFor();
  await dialog.locator(".was", { hasText: "From elsewhere again" }).waitFor();
  await eva.check();
  await dialog
    .getByRole("button", { name: /a program/ })
    .first()
    .click();
  await dialog.getByRole("radio", { name: "What changed since" }).click();
  await dialog.locator(".now", { hasText: "Mine" }).waitFor();
  await dialog.getByRole("button", { name: "Restore this version" }).click();
  await page.getByText("Restored.").waitFor();
  await expectSaved(posthorn, { subject: "From elsewhere again" });
  await soon(async () =>
    expect(await page.locator(".meta-field input").first().inputValue()).toBe("From elsewhere again"),
  );

  // Who opens it next reads who saved it last.
  await page.reload();
  await page.getByText(/^Eva Moser saved /).waitFor();
});

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });

journey(
  "Who only looks changes nothing, and no letter is lost while the editor still loads what makes the HTML",
  async () => {
    await using posthorn = await startPosthorn();
    const source = { type: "doc", content: ["Hello", ...Array(60).fill("More")].map(paragraph) };
    const letter = { name: "Welcome", type: "TRANSACTIONAL", subject: "Welcome", body: "<p>Hello</p>" };
    await posthorn.call("POST /templates", { ...letter, design: { kind: "visual", source } });
    await using eva = await visit(posthorn);
    const { page } = eva;
    await signIn(eva.context, posthorn, "MARKETER");
    await eva.open("/templates");
    const saves: string[] = [];
    page.on("request", (request) => request.method() === "PATCH" && saves.push(request.postData() ?? ""));
    const { promise: isThere, resolve: arrives } = Promise.withResolvers<void>();
    let isHeld = false;
    await page.route(/part-\w+\.js$/, async (route) => {
      if (isHeld) await isThere;
      await route.continue();
    });
    await page.getByRole("link", { name: /Welcome/ }).click();
    const sheet = page.getByRole("textbox", { name: "Email", exact: true });
    await sheet.getByText("Hello").click();
    isHeld = true;
    await page.frameLocator("iframe").last().getByText("Hello").waitFor();
    expect(saves).toEqual([]);

    await page.keyboard.press("End");
    const loads = page.waitForRequest(/part-\w+\.js$/);
    let typed = "";
    const type = async () => {
      const letter = String.fromCharCode(97 + (typed.length % 26));
      typed += letter;
      await page.keyboard.type(letter);
    };
    await type();
    await loads;
    while (typed.length < 80) await type();
    arrives();
    // Letters go on coming until the first HTML is there.
    const isMade = page
      .waitForRequest((request) => request.postData()?.includes("<!doctype html>") ?? false)
      .then(() => true);
    while (typed.length < 400 && !(await Promise.race([isMade, page.evaluate("false")]))) await type();
    await page.getByText(SAVED).waitFor();
    await page.frameLocator("iframe").last().getByText(`Hello${typed}`).waitFor();
    await soon(async () => expect(await sheet.locator("p").first().innerText()).toBe(`Hello${typed}`));
    expect(saves.length).toBeGreaterThan(0);

    // What is looked at stays in sight while somebody writes on.
    const mail = page.frameLocator("iframe").last();
    const scrolled = async () => Number(await mail.locator("html").evaluate("document.documentElement.scrollTop"));
    await page.locator(".draft").hover();
    await page.mouse.wheel(0, 300);
    while ((await scrolled()) === 0);
    await page.keyboard.type("!");
    await mail.getByText(`Hello${typed}!`).waitFor({ state: "attached" });
    await page.locator("iframe.coming").waitFor({ state: "detached" });
    expect(await scrolled()).toBeGreaterThan(0);
  },
);

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const twice = (said: string, words: string) => said.split(words).length === 3;
const LOGO = { name: "logo.png", mimeType: "image/png", buffer: Buffer.from(PNG, "base64") };

journey("An image is uploaded and saved as a block; the brand is taken up by mails", async () => {
  await using posthorn = await startPosthorn();
  await posthorn.call("PATCH /workspace", { language: "fr" });
  const source = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "Hello" }] }] };
  const letter = { name: "Welcome", type: "TRANSACTIONAL", subject: "Welcome", body: "<p>Hello</p>" };
  const { id } = (await posthorn.call("POST /templates", { ...letter, design: { kind: "visual", source } })).body;
  // Mails name images by the address that recipients reach, which is not this server's.
  await using eva = await visit(posthorn, { offends: /^foreign: \S+\/i\// });
  const { page } = eva;
  await signIn(eva.context, posthorn, "MARKETER");
  await eva.open(`/templates/${id}`);
  const sheet = page.getByRole("textbox", { name: "Email", exact: true });
  await sheet.getByText("Hello").click();
  await page.keyboard.press("End");
  await page.getByRole("button", { name: "Image", exact: true }).click();
  const picker = page.getByRole("dialog", { name: "Choose an image" });
  await picker.waitFor();
  await eva.check();
  await picker.locator("input[type=file]").setInputFiles(LOGO);
  await picker.waitFor({ state: "detached" });
  await eva.check();
  await sayWhatItShows(page, "A lanternfish");
  await sheet.locator("img[src^='/i/']").click();
  await page.getByLabel("Alt text").fill("Lanternfish");
  await eva.check();
  await page.frameLocator("iframe[sandbox='allow-same-origin']").last().getByAltText("Lanternfish").waitFor();

  const blocks = page.getByRole("button", { name: "Saved blocks" });
  await blocks.click();
  await page.getByRole("menuitem", { name: "Save the selection as a block…" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Signature");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByText("You can insert it into any email.").waitFor();
  await sheet.getByText("Hello").click();
  await blocks.click();
  await eva.check();
  const saved = page.waitForResponse(
    async (answer) => answer.request().method() === "PATCH" && twice(await answer.text(), 'alt=\\"Lanternfish'),
  );
  await page.getByRole("menuitem", { name: "Signature" }).click();
  await sheet.locator("img").nth(1).waitFor();
  expect((await saved).status()).toBe(200);

  await eva.open("/settings/brand");
  await page.getByLabel("Buttons and links").fill("#9a5b12");
  await page.getByRole("button", { name: "Choose an image" }).click();
  await page.getByRole("button", { name: "Use logo.png" }).click();
  await page.getByLabel("HTML with Liquid").fill("<p>4 Quay Street</p>");
  const sample = page.frameLocator("iframe").last();
  await sample.getByText("4 Quay Street").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await eva.check();
  const { body: brand } = await posthorn.call("GET /workspace/brand");
  expect(brand).toMatchObject({ colors: { accent: "#9a5b12" }, footer: "<p>4 Quay Street</p>" });
  expect(brand.logoUrl).toContain("/i/");
  await eva.open(`/templates/${id}`);
  await sheet.getByText("Hello").click();
  await page.keyboard.type("!");
  await page.frameLocator("iframe[sandbox='allow-same-origin']").last().getByText("4 Quay Street").waitFor();
  await page.frameLocator("iframe[sandbox='allow-same-origin']").last().locator("html[lang=fr]").waitFor();

  // Whoever leaves with the last key loses nothing of it.
  const last = page.waitForResponse(
    async (answer) => answer.request().method() === "PATCH" && (await answer.text()).includes("Until soon"),
  );
  await page.keyboard.insertText(" Until soon");
  await page.getByRole("navigation", { name: "Posthorn" }).getByRole("link", { name: "Templates" }).click();
  expect((await last).status()).toBe(200);
});
