// Topics in a browser: made and worded, ordered, asked for, chosen for somebody, and kept while something uses them.
import { expect } from "bun:test";
import { journey, soon, visit } from "../support/browser.ts";
import { layoutFaults } from "../support/layout.ts";
import { startPosthorn, type Json } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

journey("A topic is made, ordered, given to a campaign, left by a person, and kept while it is used", async () => {
  await using posthorn = await startPosthorn();
  const topics = async (): Promise<Json[]> => (await posthorn.call("GET /topics")).body.topics;
  const ada = (await posthorn.call("POST /contacts", { email: "ada@example.com" })).body;
  const mail = { name: "May", subject: "May", body: "<p>May</p>", from: "news@example.test", audienceType: "ALL" };
  const campaign = (await posthorn.call("POST /campaigns", mail)).body.data;
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);

  await eva.open("/topics");
  await page.getByRole("button", { name: "New topic" }).last().click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Neue Möbel & more");
  await page.getByRole("textbox", { name: /^Description/ }).fill("Once a month.");
  await soon(async () => expect(await page.getByRole("textbox", { name: "Key" }).inputValue()).toBe("neue-mobel-more"));
  await page.getByRole("button", { name: "Add a language" }).click();
  await page.getByRole("button", { name: /Add a language/ }).click();
  await page.getByRole("option", { name: /German/ }).click();
  await page.getByRole("textbox", { name: "Name German" }).fill("Neue Möbel");
  await eva.check();
  await page.getByRole("button", { name: "Create topic" }).click();
  await page.getByText("“Neue Möbel & more” is created.").waitFor();
  expect(await topics()).toMatchObject([
    {
      ...{ key: "neue-mobel-more", default: "in", visible: true },
      ...{ name: { en: "Neue Möbel & more", de: "Neue Möbel" }, description: { en: "Once a month." } },
    },
  ]);

  await posthorn.call("POST /topics", { key: "tips", name: { en: "Tips" }, default: "out", visible: false });
  await page.getByText("Only those who have joined it").waitFor();
  await page.getByRole("button", { name: "Actions for Tips" }).click();
  await page.getByRole("menuitem", { name: "Move up" }).click();
  await soon(async () => expect((await topics()).map(({ key }) => key)).toEqual(["tips", "neue-mobel-more"]));

  await page.getByRole("button", { name: "Tips", exact: true }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Name", exact: true }).fill("Good tips");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Good tips", exact: true }).waitFor();
  await posthorn.call("PATCH /topics/tips", { name: { en: "Tips" } });

  await eva.open("/topics");
  // Who has said nothing gets the one, and not the other.
  await page.getByText("1 in, 0 out").waitFor();
  await page.getByText("0 in, 1 out").waitFor();
  for (const width of [390, 900, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await layoutFaults(page)).toEqual([]);
    const pictures = process.env["TOPICS_PICTURES"];
    if (pictures) await page.screenshot({ path: `${pictures}/topics-${width}.png` });
  }

  await eva.open(`/campaigns/${campaign.id}?tab=audience`);
  await page.getByText("Without a topic: it goes to people whatever topics they have left.").waitFor();
  await page.getByRole("button", { name: "Actions for May" }).click();
  await page.getByRole("menuitem", { name: "Name, sender, topic, tags" }).click();
  await page.getByRole("button", { name: /No topic/ }).click();
  await page.getByRole("option", { name: "Tips" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: /^1$/ }).nth(1).waitFor();
  await page.getByText("left the topic").waitFor();
  await page.getByText("Topic: Tips. Only those who have joined it get it.").waitFor();
  await eva.check();

  await eva.open(`/people/${ada.id}`);
  const part = page.locator(".card-part", { hasText: "Topics" });
  await part.getByRole("switch", { name: "Tips" }).click();
  await page.getByText("Gets “Tips” now.").waitFor();
  expect((await posthorn.call(`GET /contacts/${ada.id}`)).body.topics).toEqual({ tips: "in", "neue-mobel-more": null });
  await page.getByRole("button", { name: "Undo" }).click();
  await soon(async () =>
    expect((await posthorn.call(`GET /contacts/${ada.id}`)).body.topics).toMatchObject({ tips: null }),
  );

  await eva.open("/people");
  await page.locator(".line", { hasText: "ada@" }).locator(".checkbox").click();
  await page.locator(".people-bulk").getByRole("button", { name: "Topic" }).click();
  await page.getByRole("menuitem", { name: "Opt out of Neue Möbel & more" }).click();
  const job = page.waitForResponse("**/contacts/bulk-topics");
  await page.getByRole("dialog").getByRole("button", { name: "Opt out" }).click();
  await job;
  await posthorn.settle();
  await page.getByText("1 contact is opted out of “Neue Möbel & more”.").waitFor();
  expect((await posthorn.call(`GET /contacts/${ada.id}`)).body.topics).toMatchObject({ "neue-mobel-more": "out" });

  await eva.open("/people");
  await page.getByRole("button", { name: "Filter and order" }).click();
  await page.getByRole("menuitemradio", { name: "Opted in to Neue Möbel & more" }).click();
  await page.getByText("Nobody in this part of the list has this name").first().waitFor();
  await page.getByRole("button", { name: "Filter and order" }).click();
  await page.getByRole("menuitemradio", { name: "Opted out of Neue Möbel & more" }).click();
  await page.locator(".line", { hasText: "ada@" }).waitFor();
  expect(new URL(page.url()).searchParams.toString()).toBe("topic=neue-mobel-more&choice=out");
  await eva.check();
  await page.locator(".filter-field .tok").click();
  await soon(async () => expect(new URL(page.url()).search).toBe(""));

  await eva.open("/people/import");
  const buffer = Buffer.from("email,Advice\neve@example.com,ja\nbob@example.com,nein\n");
  await page.getByText("Drop files with contacts here").waitFor();
  await page.locator("input[type=file]").setInputFiles({ name: "shop.csv", mimeType: "text/csv", buffer });
  await page.getByRole("button", { name: /Field for Advice/ }).click();
  await page.getByRole("option", { name: /topic:tips/ }).click();
  await page.getByText("yes or no", { exact: true }).first().waitFor();
  await eva.check();
  await page.getByRole("radio", { name: "No" }).click();
  await page.getByRole("button", { name: "Import 2 rows" }).click();
  await page.getByRole("heading", { name: "Importing" }).waitFor();
  await posthorn.settle();
  await page.getByRole("heading", { name: "Imported" }).waitFor();
  const topicsOf = async (email: string) => (await posthorn.call(`GET /contacts/by-email/${email}`)).body.topics?.tips;
  expect([await topicsOf("eve@example.com"), await topicsOf("bob@example.com")]).toEqual(["in", "out"]);

  await eva.open("/topics");
  await page.getByRole("button", { name: "Actions for Tips" }).click();
  await page.getByRole("menuitem", { name: "Delete topic" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete topic" }).click();
  await page.getByText("The topic tips is used by: campaign May.").waitFor();
  await eva.check();
});

journey(
  "Who leaves a topic by an email is in the campaign's results and course, in the email, and in the sums",
  async () => {
    await using posthorn = await startPosthorn();
    for (const name of ["ada", "bob", "cy"]) await posthorn.call("POST /contacts", { email: `${name}@example.com` });
    await posthorn.call("POST /topics", { key: "news", name: { en: "News" } });
    const mail = { name: "May", subject: "May", body: "<p>May</p>", from: "shop@example.test", audienceType: "ALL" };
    const campaign = (await posthorn.call("POST /campaigns", { ...mail, topic: "news" })).body.data;
    await posthorn.call(`POST /campaigns/${campaign.id}/send`, {});
    await posthorn.settle();
    const { data: emails } = (await posthorn.call("GET /emails?search=ada")).body;
    const raw = posthorn.transport.sent.find(({ id }) => id === emails[0].id)?.raw.toString() ?? "";
    const path = /\/unsubscribe\/[\w-]+/.exec(raw.replaceAll(/=\r?\n|\r\n /g, ""))?.[0] ?? "";
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    await fetch(`${posthorn.server.url}${path}`, { method: "POST", headers, body: "List-Unsubscribe=One-Click" });
    await posthorn.settle();
    await using eva = await visit(posthorn);
    const { page } = eva;
    await signIn(eva.context, posthorn);

    await eva.open(`/campaigns/${campaign.id}`);
    const course = page.locator("section", { has: page.locator("#course") });
    await course.getByRole("radio", { name: "left the topic" }).click();
    await course.getByRole("img", { name: /left the topic/ }).waitFor();
    expect(await course.locator("td").allInnerTexts()).toContain("1");
    await page.setViewportSize({ width: 360, height: 780 });
    await eva.check();
    await page.setViewportSize({ width: 1440, height: 900 });
    await eva.check();

    await eva.open(`/mail/${emails[0].id}`);
    await page.getByText("Left its topic through this email").waitFor();
    await page.getByText("The reader does not want email of the topic news any more.").waitFor();
    await eva.check();

    await eva.open("/");
    await page.locator(".fares .line", { hasText: "Left the topic" }).getByRole("link", { name: "1" }).click();
    await page.getByText("ada@example.com").first().waitFor();
    await eva.check();
  },
);
