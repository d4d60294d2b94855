// Two people change one thing, in a browser: whoever is late chooses whose version stays, on every screen with a form.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { journey, soon, visit } from "../support/browser.ts";
import { layoutFaults } from "../support/layout.ts";
import { somebody } from "../support/people.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

type House = { readonly posthorn: Posthorn; readonly owner: Awaited<ReturnType<typeof somebody>> };
type Field = { readonly value: string };
/** A form: each new one has its row here. */
type Edited = {
  readonly name: string;
  /** What is edited. */
  readonly make: (house: House) => Promise<Json>;
  readonly path: (made: Json) => string;
  /** Opens the form, and changes it to "Mine". */
  readonly edit: (page: Page) => Promise<void>;
  /** What somebody else saves meanwhile: "Theirs". */
  readonly behind: (made: Json) => readonly [call: string, body: object];
  readonly save: (page: Page) => Promise<void>;
  /** As it is in the end. */
  readonly now: (house: House, made: Json) => Promise<unknown>;
  readonly mine: string;
};

const dialogOf = (page: Page) => page.getByRole("dialog");
const press = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole("button", { name, exact: typeof name === "string" })
    .last()
    .click();
const act = async (page: Page, thing: string | RegExp, what: string | RegExp) => {
  await page.getByRole("button", { name: thing }).last().click();
  await page.getByRole("menuitem", { name: what }).click();
};
const type = async (page: Page, label: string | RegExp, text: string) =>
  page
    .getByRole("textbox", { name: label, exact: typeof label === "string" })
    .last()
    .fill(text);
const get = async ({ posthorn }: House, path: string) => (await posthorn.call(`GET ${path}`)).body as Json;
const post = async ({ posthorn }: House, path: string, body: object) => {
  const made = (await posthorn.call(`POST ${path}`, body)).body as Json;
  return (made.id ? made : made.data) as Json;
};

const condition = (value: string) => ({
  logic: "AND",
  groups: [{ filters: [{ field: "data.plan", operator: "equals", value }] }],
});
const mail = { subject: "Hi", body: "<p>Hi</p>", from: "a@example.test" };

const EDITED: readonly Edited[] = [
  {
    name: "a topic",
    make: (house) => post(house, "/topics", { key: "news", name: { en: "News" } }),
    path: () => "/topics",
    edit: async (page) => {
      await press("News")(page);
      await type(page, "Name", "Mine");
    },
    behind: () => ["PATCH /topics/news", { name: { en: "Theirs" } }],
    save: press("Save"),
    now: async (house) => (await get(house, "/topics/news")).name.en,
    mine: "Mine",
  },
  {
    name: "the name of a segment",
    make: (house) => post(house, "/segments", { name: "One", condition: condition("pro") }),
    path: ({ id }) => `/segments/${id}`,
    edit: async (page) => {
      await act(page, "Actions for One", "Rename…");
      await type(page, "Name", "Mine");
    },
    behind: ({ id }) => [`PATCH /segments/${id}`, { name: "Theirs" }],
    save: async (page) => dialogOf(page).getByRole("button", { name: "Save" }).click(),
    now: async (house, { id }) => (await get(house, `/segments/${id}`)).name,
    mine: "Mine",
  },
  {
    name: "the condition of a segment",
    make: (house) => post(house, "/segments", { name: "One", condition: condition("pro") }),
    path: ({ id }) => `/segments/${id}`,
    edit: async (page) => {
      const value = page.locator(".split.builder input").first();
      await value.fill("Mine");
      await value.press("Tab");
    },
    behind: ({ id }) => [`PATCH /segments/${id}`, { condition: condition("Theirs") }],
    save: press("Save"),
    now: async (house, { id }) => (await get(house, `/segments/${id}`)).condition.groups[0].filters[0].value,
    mine: "Mine",
  },
  {
    name: "the settings of the workspace",
    make: (house) => get(house, "/workspace"),
    path: () => "/settings/workspace",
    edit: (page) => type(page, /^Postal address/, "Mine"),
    behind: () => ["PATCH /workspace", { postalAddress: "Theirs" }],
    save: press("Save"),
    now: async (house) => (await get(house, "/workspace")).postalAddress,
    mine: "Mine",
  },
  {
    name: "the host of links",
    make: (house) => get(house, "/workspace/link-host"),
    path: () => "/settings/workspace",
    edit: async (page) => {
      await press(/Set a host|Use a host|Set/)(page);
      await dialogOf(page).getByRole("textbox").fill("mine.shop.example");
    },
    behind: () => ["PUT /workspace/link-host", { host: "theirs.shop.example" }],
    save: async (page) => dialogOf(page).getByRole("button", { name: "Save" }).click(),
    now: async (house) => (await get(house, "/workspace/link-host")).host.host,
    mine: "mine.shop.example",
  },
  {
    name: "the brand",
    make: (house) => get(house, "/workspace/brand"),
    path: () => "/settings/brand",
    edit: (page) => type(page, "HTML with Liquid", "Mine"),
    behind: () => ["PUT /workspace/brand", { footer: "Theirs" }],
    save: press("Save"),
    now: async (house) => (await get(house, "/workspace/brand")).footer,
    mine: "Mine",
  },
  {
    name: "a sign-up form",
    make: (house) => post(house, "/forms", { name: "Sign up" }),
    path: ({ id }) => `/forms/${id}`,
    edit: (page) => type(page, /^Title/, "Mine"),
    behind: ({ id }) => [`PATCH /forms/${id}`, { title: { en: "Theirs" } }],
    save: press("Save"),
    now: async (house, { id }) => (await get(house, `/forms/${id}`)).title.en,
    mine: "Mine",
  },
  {
    name: "a webhook",
    make: (house) => post(house, "/webhooks", { url: "https://a.example/", events: ["email.*"], description: "One" }),
    path: ({ id }) => `/settings/webhooks/${id}`,
    edit: async (page) => {
      await act(page, "More", "Edit…");
      await type(page, /^Description/, "Mine");
    },
    behind: ({ id }) => [`PATCH /webhooks/${id}`, { description: "Theirs" }],
    save: async (page) => dialogOf(page).getByRole("button", { name: "Save" }).click(),
    now: async (house, { id }) => (await get(house, `/webhooks/${id}`)).description,
    mine: "Mine",
  },
  {
    name: "a key set",
    make: (house) => post(house, "/keys", { name: "shop" }),
    path: () => "/settings/keys",
    edit: async (page) => {
      await act(page, "Actions for shop", "Edit…");
      await type(page, /^Name/, "Mine");
    },
    behind: ({ id }) => [`PATCH /keys/${id}`, { name: "Theirs" }],
    save: async (page) => dialogOf(page).getByRole("button", { name: "Save" }).click(),
    now: async (house, { id }) => (await get(house, "/keys")).data.find((one: Json) => one.id === id).name,
    mine: "Mine",
  },
  {
    name: "the plan of a warm-up",
    make: async (house) => {
      const { id } = (await get(house, "/domains")).data[0];
      await house.posthorn.call(`PUT /domains/${id}/warmup`, { days: [50, 100] });
      return { id };
    },
    path: ({ id }) => `/settings/domains?domain=${id}`,
    edit: async (page) => {
      await act(page, "Warm-up actions", /plan/i);
      await type(page, /^Emails a day/, "70, 100");
    },
    behind: ({ id }) => [`PUT /domains/${id}/warmup`, { days: [60, 100] }],
    save: press("Save plan"),
    now: async (house, { id }) => (await get(house, `/domains/${id}/warmup`)).plan.days.join(", "),
    mine: "70, 100",
  },
  {
    name: "a way out",
    make: async ({ owner }) =>
      (await owner.ask("POST /installation/ways", { body: { name: "spare", kind: "capture", ratePerSecond: 3 } })).body,
    path: () => "/settings/ways",
    edit: async (page) => {
      await act(page, "Actions for spare", "Edit…");
      await dialogOf(page).getByLabel("Emails per second").fill("7");
    },
    behind: () => ["PATCH /installation/ways/spare", { ratePerSecond: 5 }],
    save: async (page) => dialogOf(page).getByRole("button", { name: "Save" }).click(),
    now: async ({ owner }) => (await owner.ask("GET /installation/ways/spare")).body.ratePerSecond,
    mine: "7",
  },
  {
    name: "the rules for ways",
    make: async ({ owner }) => {
      const rules = [{ name: "One", ways: [{ name: "default" }], others: true }];
      return (await owner.ask("PUT /installation/way-rules", { body: { rules } })).body;
    },
    path: () => "/settings/ways",
    edit: async (page) => {
      await act(page, "Actions for the rule One", "Edit…");
      await type(page, "Name", "Mine");
    },
    behind: ({ data }) => [
      "PUT /installation/way-rules",
      { rules: [{ id: data[0].id, name: "Theirs", ways: [{ name: "default" }], others: true }] },
    ],
    save: async (page) => dialogOf(page).getByRole("button", { name: "Save" }).click(),
    now: async ({ owner }) => (await owner.ask("GET /installation/way-rules")).body.data[0].name,
    mine: "Mine",
  },
  {
    name: "a workspace of the server",
    make: async ({ owner }) => (await owner.ask("GET /workspaces")).body.data[0],
    path: () => "/settings/server",
    edit: async (page) => {
      await act(page, "Actions for default", "Rename…");
      await type(page, "Name", "Mine");
    },
    behind: ({ id }) => [`PATCH /workspaces/${id}`, { name: "Theirs" }],
    save: press("Rename"),
    now: async (house) => (await get(house, "/workspace")).name,
    mine: "Mine",
  },
  {
    name: "the data of a contact",
    make: (house) => post(house, "/contacts", { email: "bo@example.com", data: { city: "Bonn" } }),
    path: ({ id }) => `/people/${id}`,
    edit: async (page) => {
      await page.getByRole("button", { name: /city.*Bonn/ }).click();
      await type(page, "city", "Mine");
    },
    behind: ({ id }) => [`PATCH /contacts/${id}`, { data: { city: "Theirs" } }],
    save: async (page) => page.getByRole("textbox", { name: "city" }).press("Enter"),
    now: async (house, { id }) => (await get(house, `/contacts/${id}`)).data.city,
    mine: "Mine",
  },
  {
    name: "the address of a contact",
    make: (house) => post(house, "/contacts", { email: "bo@example.com" }),
    path: ({ id }) => `/people/${id}`,
    edit: async (page) => {
      await act(page, /^Actions|^More/, /address/);
      await dialogOf(page).getByRole("textbox").fill("mine@example.com");
    },
    behind: ({ id }) => [`PATCH /contacts/${id}`, { email: "theirs@example.com" }],
    save: async (page) => dialogOf(page).getByRole("button", { name: "Save" }).click(),
    now: async (house, { id }) => (await get(house, `/contacts/${id}`)).email,
    mine: "mine@example.com",
  },
  {
    name: "the settings of a template",
    make: (house) => post(house, "/templates", { ...mail, name: "One", type: "TRANSACTIONAL" }),
    path: ({ id }) => `/templates/${id}?tab=settings`,
    edit: (page) => page.locator("input[name=name]").fill("Mine"),
    behind: ({ id }) => [`PATCH /templates/${id}`, { name: "Theirs" }],
    save: press("Save"),
    now: async (house, { id }) => (await get(house, `/templates/${id}`)).name,
    mine: "Mine",
  },
  {
    name: "the settings of a campaign",
    make: (house) => post(house, "/campaigns", { ...mail, name: "One", audienceType: "ALL" }),
    path: ({ id }) => `/campaigns/${id}?tab=audience`,
    edit: async (page) => {
      await act(page, "Actions for One", /^Name, sender/);
      await type(page, "Name", "Mine");
    },
    behind: ({ id }) => [`PUT /campaigns/${id}`, { name: "Theirs" }],
    save: async (page) => dialogOf(page).getByRole("button", { name: "Save" }).click(),
    now: async (house, { id }) => (await get(house, `/campaigns/${id}`)).data.name,
    mine: "Mine",
  },
  {
    name: "the name of a workflow",
    make: (house) => post(house, "/workflows", { name: "One", eventName: "seen" }),
    path: ({ id }) => `/workflows/${id}`,
    edit: async (page) => {
      await act(page, "Actions for One", /ame/);
      await type(page, "Name", "Mine");
    },
    behind: ({ id }) => [`PATCH /workflows/${id}`, { name: "Theirs" }],
    save: async (page) => dialogOf(page).getByRole("button", { name: "Save" }).click(),
    now: async (house, { id }) => (await get(house, `/workflows/${id}`)).name,
    mine: "Mine",
  },
];

/** Somebody opens a form, another one saves it meanwhile, and then the first one does. */
async function overtaken(
  { make, path, edit, behind, save, now, mine }: Edited,
  chooses: "Use theirs" | "Keep mine",
): Promise<void> {
  await using posthorn = await startPosthorn();
  const house = { posthorn, owner: await somebody(posthorn, "OWNER") };
  const made = await make(house);
  await using eva = await visit(posthorn, { offends: /status of 409/ });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open(path(made));
  await edit(page);
  const [call, body] = behind(made);
  expect((await house.owner.ask(call, { body })).status).toBe(200);
  const theirs = String(await now(house, made));
  await save(page);
  const choice = page.getByRole("dialog", { name: "Changed by somebody else" });
  await choice.getByText(/saved this just now, after you had opened it/).waitFor();
  await choice.getByRole("row").nth(1).waitFor();
  await choice
    .getByRole("cell", { name: new RegExp(`^${mine}$|Mine`) })
    .first()
    .waitFor();
  await choice.getByRole("button", { name: chooses }).click();
  await choice.waitFor({ state: "detached" });
  // Awaited here: the server ends with this function.
  if (chooses === "Keep mine") return await soon(async () => expect(String(await now(house, made))).toBe(mine));
  // The form is closed, or shows theirs, and nothing says that mine was saved.
  await soon(async () => expect(await dialogOf(page).count()).toBe(0));
  const values = () =>
    page.locator("input:visible, textarea:visible").evaluateAll((all) => all.map((one) => (one as Field).value));
  await soon(async () => expect(await values()).not.toContain(mine));
  expect(await page.locator(".toast").allInnerTexts()).toEqual([]);
  expect(String(await now(house, made))).toBe(theirs);
}

for (const edited of EDITED) {
  journey(`Who is late with ${edited.name} sees what differs, and keeps theirs`, () => overtaken(edited, "Use theirs"));
  journey(`Who is late with ${edited.name} sees what differs, and keeps mine`, () => overtaken(edited, "Keep mine"));
}

journey("Who takes what the other has saved sees it, and nothing is saved", async () => {
  await using posthorn = await startPosthorn();
  const owner = await somebody(posthorn, "OWNER");
  await using eva = await visit(posthorn, { offends: /status of 409/ });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/workspace");
  await type(page, /^Postal address/, "Mine");
  await owner.ask("PATCH /workspace", {
    body: { postalAddress: "Theirs", suppressions: { softBounces: 9 }, preferencePage: { asksWhy: false } },
  });
  await press("Save")(page);
  const choice = page.getByRole("dialog", { name: "Changed by somebody else" });
  await choice.getByRole("button", { name: "Back to the form" }).click();
  expect(await page.getByRole("textbox", { name: /^Postal address/ }).inputValue()).toBe("Mine");
  await press("Save")(page);
  await choice.getByRole("row", { name: /Postal address Theirs Mine/ }).waitFor();
  await eva.check();
  for (const width of [390, 900, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await layoutFaults(page)).toEqual([]);
    const pictures = process.env["SAVING_PICTURES"];
    if (pictures) await page.screenshot({ path: `${pictures}/choice-${width}.png` });
  }
  await choice.getByRole("button", { name: "Use theirs" }).click();
  await soon(async () =>
    expect(await page.getByRole("textbox", { name: /^Postal address/ }).inputValue()).toBe("Theirs"),
  );
  expect(await page.getByText("Saved.").count()).toBe(0);
  expect((await posthorn.call("GET /workspace")).body.postalAddress).toBe("Theirs");
});

journey("What somebody else changes in a contact beside mine is no question", async () => {
  await using posthorn = await startPosthorn();
  const bo = (await posthorn.call("POST /contacts", { email: "bo@example.com", data: { city: "Bonn", plan: "pro" } }))
    .body;
  await using eva = await visit(posthorn, { offends: /status of 409/ });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open(`/people/${bo.id}`);
  await page.getByRole("button", { name: /city.*Bonn/ }).click();
  await type(page, "city", "Köln");
  await posthorn.call(`PATCH /contacts/${bo.id}`, { data: { plan: "team" } });
  await page.getByRole("textbox", { name: "city" }).press("Enter");
  await soon(async () =>
    expect((await posthorn.call(`GET /contacts/${bo.id}`)).body.data).toEqual({ city: "Köln", plan: "team" }),
  );
});
