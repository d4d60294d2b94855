// Segments in a browser: made by keyboard alone, with numbers that fall, and the reason why somebody is not in one.
import { expect } from "bun:test";
import { journey, soon, visit } from "../support/browser.ts";
import { layoutFaults } from "../support/layout.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { signIn } from "../support/signed-in.ts";

const DAY_MS = 86_400_000;

const PEOPLE: readonly (readonly [name: string, data: object])[] = [
  ["ada", { plan: "pro", country: "DE", visits: 7 }],
  ["bob", { plan: "pro", country: "FR", visits: 1 }],
  ["cyd", { plan: "pro", country: "DE", visits: 3 }],
  ["dee", { plan: "pro", visits: 12 }],
  ["eve", { plan: "free", country: "DE", visits: 0 }],
];

async function shop(): Promise<Posthorn> {
  const posthorn = await startPosthorn();
  for (const [name, data] of PEOPLE)
    await ask(posthorn, "POST /contacts", { body: { email: `${name}@example.com`, data } });
  await ask(posthorn, "POST /v1/track", { body: { email: "bob@example.com", event: "group.joined" } });
  await ask(posthorn, "POST /contacts", { body: { email: "cyd@example.com", subscribed: false } });
  return posthorn;
}

const segments = async (posthorn: Posthorn): Promise<Json[]> => (await ask(posthorn, "GET /segments")).body;

journey(
  "Marketing makes a segment by keyboard alone, sees the number fall, and learns why somebody is not in it",
  async () => {
    await using posthorn = await shop();
    await using eva = await visit(posthorn);
    await signIn(eva.context, posthorn);
    const { page } = eva;
    const { keyboard } = page;
    await eva.open("/segments");
    await page.getByRole("button", { name: "New segment" }).first().focus();
    await keyboard.press("Enter");
    await page
      .locator("input:focus")
      .and(page.getByLabel("Name", { exact: true }))
      .waitFor();
    await keyboard.type("Pro in Germany");
    await soon(async () =>
      expect(await page.getByRole("button", { name: "Create segment" }).getAttribute("title")).toContain(
        "Add a filter first",
      ),
    );
    await page.getByRole("button", { name: "Add a filter" }).focus();
    await keyboard.press("Enter");
    await page.getByRole("searchbox", { name: "Find a field" }).waitFor();
    await eva.check();
    await choose("plan");
    await page.locator("input:focus").waitFor();
    await keyboard.type("pro");
    await page.getByRole("button", { name: "4 left after: plan is pro" }).waitFor();
    await page.getByText("5 people in ").waitFor();
    await page.getByText("1 of them cannot get marketing email").waitFor();
    await keyboard.press("Escape");
    await page.getByRole("group", { name: "Filter: plan is …" }).waitFor();
    await keyboard.type("pro");
    await page.getByRole("button", { name: "Add a group" }).focus();
    await keyboard.press("Enter");
    await choose("country");
    const inGroup = page.getByRole("group", { name: /^Group/ });
    await page.locator("input:focus").waitFor();
    await keyboard.type("DE");
    await page.getByRole("button", { name: "2 left after: country is DE" }).first().waitFor();
    await inGroup.getByRole("button", { name: "Add a filter" }).focus();
    await keyboard.press("Enter");
    await choose("group.joined");
    await page.getByText("2 + 1, of whom 0 match both").waitFor();
    await page.getByText("and country is DE or event group.joined ever").waitFor();
    await eva.check();
    await page.getByRole("button", { name: /^4 left after: plan is pro/ }).click();
    await page.getByRole("dialog").getByText("dee@example.com").waitFor();
    await eva.check();
    await keyboard.press("Escape");
    await page.getByRole("button", { name: "Create segment" }).click();
    await page.getByRole("heading", { level: 1, name: "Pro in Germany" }).waitFor();
    expect((await segments(posthorn))[0]).toMatchObject({ name: "Pro in Germany", memberCount: 3 });

    await page.getByRole("searchbox", { name: "Email address" }).fill("dee@example.com");
    await keyboard.press("Enter");
    await page.getByText("dee@example.com is not in this segment.").waitFor();
    await page.getByText("1 of 3 filters match.").waitFor();
    expect(page.url()).toContain("why=dee@example.com");
    await page.getByRole("button", { name: "Why bob@example.com?" }).click();
    await page.getByText("bob@example.com is in this segment.").waitFor();
    await page.getByText("The value is “FR”.").waitFor();
    await eva.check();

    /** In the list that is open. */
    async function choose(field: string): Promise<void> {
      await page
        .locator(":focus")
        .and(page.getByRole("searchbox", { name: "Find a field" }))
        .waitFor();
      await keyboard.type(field);
      await page.getByRole("option", { name: field }).first().waitFor();
      await keyboard.press("Enter");
      await page.getByRole("searchbox", { name: "Find a field" }).waitFor({ state: "detached" });
    }
  },
);

journey(
  "A list that is kept by hand, a condition that is changed and taken back, and what must not be deleted",
  async () => {
    await using posthorn = await shop();
    const condition = { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] };
    const pro = (await ask(posthorn, "POST /segments", { body: { name: "Pro users", condition } })).body;
    await posthorn.settle();
    for (let day = 0; day < 8; day++) {
      posthorn.clock.advance(DAY_MS);
      await posthorn.settle();
    }
    await ask(posthorn, "POST /contacts", { body: { email: "fay@example.com", data: { plan: "pro" } } });
    await ask(posthorn, "POST /v1/send", { body: { ...letter, to: "dee@example.com", tags: ["welcome"] } });
    await posthorn.settle();
    await using eva = await visit(posthorn);
    await signIn(eva.context, posthorn);
    const { page } = eva;
    await eva.open("/segments/new");
    await page.getByLabel("Name", { exact: true }).fill("Friends");
    await page.getByRole("radio", { name: "by hand" }).click();
    await page.getByRole("button", { name: "Create segment" }).click();
    await page.getByText("Nobody is in it yet.").waitFor();
    await page.getByRole("button", { name: "Add contacts" }).click();
    await page.getByLabel("Email addresses").fill("ada@example.com, bob@example.com\nnobody@example.com");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("One email address is not in this workspace:").waitFor();
    await eva.check();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("button", { name: "Remove bob@example.com" }).click();
    await page.getByText("bob@example.com is no longer in it.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Remove bob@example.com" }).waitFor();
    // Everybody of another segment.
    await page.getByRole("button", { name: "Add from a segment" }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Segment/ })
      .click();
    await page.getByRole("option", { name: "Pro users", exact: true }).click();
    await eva.check();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await soon(async () => {
      await posthorn.settle();
      await page.getByRole("button", { name: "Remove fay@example.com" }).waitFor({ timeout: 900 });
    });

    await eva.open(`/segments/${pro.id}`);
    await page.getByText("match, 1 more this week").waitFor();
    // A segment cannot ask for itself; it can for others.
    await page.getByRole("button", { name: "Add a filter" }).last().click();
    await page.getByRole("searchbox", { name: "Find a field" }).waitFor();
    await page.getByRole("option", { name: "Friends", exact: true }).waitFor();
    await soon(async () => expect(await page.getByRole("option", { name: "Pro users", exact: true }).count()).toBe(0));
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();
    await soon(async () =>
      expect(await page.getByRole("button", { name: "Save" }).getAttribute("title")).toBe("Nothing has changed yet."),
    );
    await page.getByRole("button", { name: "Values of your contacts" }).click();
    await page.getByRole("option", { name: "free" }).click();
    await page.getByRole("button", { name: "1 left after: plan is free" }).waitFor();
    // The condition goes with its tab.
    await page.getByRole("link", { name: "History", exact: true }).click();
    await page.getByRole("button", { name: "Stay on this page" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    // What is told stays while the pointer is over it.
    await page.getByText("Saved.").hover();
    expect((await ask(posthorn, `GET /segments/${pro.id}`)).body.memberCount).toBe(1);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "5 left after: plan is pro" }).waitFor();

    // Only emails with a tag count, also with one that no email has had yet.
    await page.getByRole("button", { name: "Add a filter" }).last().click();
    await page.getByRole("option", { name: "was sent an email" }).click();
    await page.getByRole("button", { name: "Tag: any email" }).click();
    await page.getByRole("option", { name: "welcome" }).click();
    const left = (count: number, tag: string) =>
      page.getByRole("button", { name: `${count} left after: was sent an email within the last 30 days (tag ${tag})` });
    await left(1, "welcome").waitFor();
    await page.getByRole("button", { name: "Tag: tag welcome" }).click();
    await page.keyboard.type("news");
    await page.getByRole("option", { name: "news" }).waitFor();
    await eva.check();
    await page.keyboard.press("Enter");
    await left(0, "news").waitFor();
    await page.getByRole("button", { name: "Discard" }).click();

    await page.getByRole("button", { name: "New campaign to these" }).click();
    await page.getByText("The draft “To Pro users” is created.").waitFor();
    await eva.open(`/segments/${pro.id}?tab=history`);
    await page.getByRole("img", { name: "From 4 to 5 people in the last 90 days" }).waitFor();
    await page.getByText("To Pro users").waitFor();
    await page.getByRole("switch", { name: "Emit events for entering and leaving" }).click();
    await page.getByText("Entering and leaving now emit events.").waitFor();
    await page.getByRole("button", { name: "Actions for Pro users" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("dialog").getByText("It is still in use.").first().waitFor();
    await eva.check();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Actions for Pro users" }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await page.getByRole("heading", { level: 1, name: "Pro users (copy)" }).waitFor();
    await page.getByRole("button", { name: "Actions for Pro users (copy)" }).click();
    await page.getByRole("menuitem", { name: "Rename…" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Paying");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Paying" }).waitFor();
    await page.getByRole("button", { name: "Actions for Paying" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Paying is deleted.").waitFor();
    expect((await segments(posthorn)).map(({ name }) => name)).toEqual(["Friends", "Pro users"]);
    await eva.open("/segments?search=friends");
    await soon(async () => expect(await page.locator(".segments > .line").count()).toBe(1));
  },
);

journey("Dates are asked for as times, numbers have no parts, and a topic says what it asks for", async () => {
  await using posthorn = await startPosthorn();
  await ask(posthorn, "POST /topics", { body: { key: "news", name: { en: "News" } } });
  for (const [name, since] of [
    ["ada", "2023-05-01"],
    ["bob", "2025-05-01"],
  ])
    await ask(posthorn, "POST /contacts", { body: { email: `${name}@example.com`, data: { since, total: 7 } } });
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  const { page } = eva;
  const operators = async () => {
    await page.locator(".crit .f").last().locator(".select").nth(1).click();
    return page.getByRole("option").allTextContents();
  };
  const add = async (field: string) => {
    await page.getByRole("button", { name: "Add a filter" }).last().click();
    await page.getByRole("searchbox", { name: "Find a field" }).fill(field);
    await page.getByRole("option").first().click();
  };
  await eva.open("/segments/new");
  await add("since");
  expect(await operators()).toEqual(expect.arrayContaining(["before", "since", "within the last", "longer ago than"]));
  await page.getByRole("option", { name: "before", exact: true }).click();
  await page.locator("input[type=date]").fill("2024-01-01");
  await page.getByRole("button", { name: "1 left after: since before 2024-01-01" }).waitFor();
  await add("total");
  const ofNumber = await operators();
  expect(ofNumber).toContain("is more than");
  expect(ofNumber.join()).not.toContain("contain");
  await page.getByRole("option", { name: "is more than" }).click();
  await page.getByRole("textbox", { name: "Value" }).last().fill("5");
  await add("News");
  await page.getByText(/Asks what people have chosen. Who has chosen nothing gets this topic too/).waitFor();
  await eva.check();
  for (const width of [390, 900, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await layoutFaults(page)).toEqual([]);
    const pictures = process.env["SEGMENT_PICTURES"];
    if (pictures) await page.screenshot({ path: `${pictures}/condition-${width}.png` });
  }
});

journey("Support reads a segment, its people and its reasons, and learns why nothing can be changed", async () => {
  await using posthorn = await shop();
  const condition = { groups: [{ filters: [{ field: "data.visits", operator: "greaterThan", value: 2 }] }] };
  const { id } = (await ask(posthorn, "POST /segments", { body: { name: "Regulars", condition } })).body;
  await using eva = await visit(posthorn, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await signIn(eva.context, posthorn, "SUPPORT");
  await eva.open(`/segments/${id}?why=bob@example.com`);
  await eva.page.getByText("visits is more than 2").first().waitFor();
  await eva.page.getByText("Support can’t do this").first().waitFor();
  await eva.page.getByText("bob@example.com is not in this segment.").waitFor();
  await eva.page.getByText("The value is 1.").waitFor();
  await eva.check();
});

journey("On a phone no filter covers the number beside it", async () => {
  await using posthorn = await shop();
  const name = { en: "Offers and discounts of the season" };
  await ask(posthorn, "POST /topics", { body: { key: "offers", name } });
  const filters = [
    { field: "topic.offers", operator: "equals", value: "in" },
    { field: "email.opened", operator: "notTriggeredWithin", value: 30, unit: "days" },
    { field: "data.visits", operator: "greaterThan", value: 2 },
  ];
  const body = { name: "Quiet readers", condition: { groups: [{ filters }] } };
  const { id } = (await ask(posthorn, "POST /segments", { body })).body;
  await using eva = await visit(posthorn, { viewport: { width: 390, height: 844 } });
  await signIn(eva.context, posthorn);
  // Nothing that can be pressed is in the way of something else that can.
  await eva.open(`/segments/${id}`);
  await eva.page.locator(".fall .opens").first().waitFor();
  await eva.check();
  expect(await layoutFaults(eva.page)).toEqual([]);
});

journey("An address that names no tab of what it leads to shows the first one", async () => {
  await using posthorn = await startPosthorn();
  const made = async (call: string, body: object) => (await posthorn.call(call, body)).body;
  const { id: fixed } = await made("POST /segments", { name: "Beta", type: "STATIC" });
  const { id: form } = await made("POST /forms", { name: "Sign up", consent: { wording: { en: "Yes." } } });
  const words = { name: "April", subject: "April", body: "<p>Hello</p>" };
  const { id: mail } = await made("POST /templates", { ...words, type: "TRANSACTIONAL" });
  const { data: campaign } = await made("POST /campaigns", { ...words, from: "a@example.test", audienceType: "ALL" });
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  for (const [path, first] of [
    [`/segments/${fixed}?tab=none`, "Members"],
    [`/segments/${fixed}?tab=builder`, "Members"],
    [`/forms/${form}?tab=none`, "Editor"],
    [`/templates/${mail}?tab=none`, "Write"],
    [`/campaigns/${campaign.id}?tab=none`, "Write"],
  ] as const) {
    await eva.open(path);
    await eva.page.locator(".tabs [aria-current=page]", { hasText: first }).waitFor();
  }
});
