// A working day of marketing and of support, counted in clicks and key chords, in each language. Typing counts nothing.
import { afterAll, expect } from "bun:test";
import { journey, settled, soon, visit, type Visit } from "../support/browser.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { desk, EXPORTS, PICTURE, read, shop } from "./day-scene.ts";
import { QUESTIONS } from "./day-questions.ts";
import { Hand, side, WORDS, type Day, type Language, type Words } from "./day-hand.ts";

/** The most that a part may need. `before`: what it took when a person first counted it; the aim was half of that. */
const BUDGETS: Readonly<Record<string, { readonly most: number; readonly before?: number }>> = {
  "three imports": { most: 15, before: 95 },
  "six segments": { most: 22, before: 44 },
  newsletter: { most: 20, before: 61 },
  results: { most: 1 },
  "six workflows": { most: 19, before: 40 },
  "19 questions": { most: 44 },
};

const APRIL = "https://shop.example/april";

const counted: Record<string, Record<string, number>> = {};

for (const language of ["en", "de"] as const) {
  journey(`A marketer’s day is half as many clicks as it was (${language})`, async () => {
    await using posthorn = await shop();
    // Mails name pictures by the address that recipients reach, which is not this server's.
    await using eva = await visit(posthorn, { offends: /^foreign: \S+\/i\// });
    await signIn(eva.context, posthorn, "MARKETER");
    const day = await begin(eva, posthorn, language);
    await part(day, "three imports", imports);
    await part(day, "six segments", segments);
    await part(day, "newsletter", newsletter);
    await part(day, "results", results);
    await part(day, "six workflows", workflows);
  });

  journey(`Support answers 19 questions on screen (${language})`, async () => {
    await using posthorn = await desk();
    await using eva = await visit(posthorn);
    await signIn(eva.context, posthorn, "SUPPORT");
    const day = await begin(eva, posthorn, language);
    expect(QUESTIONS.length).toBe(19);
    await part(day, "19 questions", async (desk) => {
      for (const [question, answer] of QUESTIONS) {
        const before = desk.hand.clicks;
        await answer(desk);
        desk.log.push(`${question}: ${desk.hand.clicks - before}`);
      }
    });
    if (language === "en") console.log(day.log.join("\n"));
  });
}

afterAll(() => {
  const rows = Object.entries(BUDGETS).map(([name, { most, before }]) => ({
    part: name,
    ...{ before, most, en: counted[name]?.["en"], de: counted[name]?.["de"] },
  }));
  console.table(rows);
});

/** The language is chosen in the account, as somebody does on their first day; the day begins with the overview. */
async function begin(eva: Visit, posthorn: Posthorn, language: Language): Promise<Day> {
  const { page } = eva;
  await eva.open("/me");
  await page.getByRole("radio", { name: language === "de" ? "Deutsch" : "English" }).click();
  await page.getByRole("navigation", { name: WORDS[language].frame.navigation }).first().waitFor();
  await eva.open("/");
  const hand = new Hand(page);
  return { eva, page, posthorn, hand, t: WORDS[language], language, log: [] };
}

async function part(day: Day, name: string, act: (day: Day) => Promise<void>): Promise<void> {
  const before = day.hand.clicks;
  await act(day);
  const clicks = day.hand.clicks - before;
  (counted[name] ??= {})[day.language] = clicks;
  expect(clicks, name).toBeLessThanOrEqual(BUDGETS[name]?.most ?? 0);
}

async function imports(day: Day): Promise<void> {
  const { page, hand, t, posthorn } = day;
  const words = t.people.import;
  await hand.click(side(day, "people"));
  await hand.click(page.getByRole("link", { name: words.open, exact: true }));
  for (const [at, file] of EXPORTS.entries()) {
    if (at > 0) await hand.click(page.getByRole("button", { name: words.another }).first());
    await hand.chooseFile(page.locator("button", { hasText: words.choose }), file);
    const start = page.getByRole("button", { name: words.action(2, "2") });
    const question = page.getByRole("heading", { name: words.marketing.title });
    await start.waitFor();
    await soon(async () => expect((await start.getAttribute("title")) ?? "").not.toBe(words.looking));
    if (await question.isVisible()) {
      await hand.click(page.getByRole("radio", { name: words.marketing.answers.yes, exact: true }));
      await hand.click(page.getByLabel(words.marketing.consent));
      await hand.type("Sign-up form, 2025");
    }
    await hand.click(page.locator("button:not([aria-disabled])").and(start));
    await settled(posthorn, async () =>
      expect(await page.getByRole("heading", { name: words.done, exact: true }).count()).toBe(1),
    );
  }
  const subscribed = async (email: string) =>
    (await posthorn.call(`GET /contacts/by-email/${encodeURIComponent(email)}`)).body.subscribed;
  expect(
    await Promise.all(
      ["mia@mailer.example", "paul@sender.example", "rita@sender.example", "uta@laden.example"].map(subscribed),
    ),
  ).toEqual([true, true, false, false]);
}

async function segments(day: Day): Promise<void> {
  const { page, hand, t, posthorn } = day;
  const { starters, create } = t.segments;
  const isMade = (name: string) => page.getByRole("heading", { name, exact: true }).waitFor();
  // Who clicked the last campaign, from its results.
  await hand.click(side(day, "campaigns"));
  await hand.click(page.getByRole("link", { name: /March letter/ }));
  await hand.click(page.locator(".fate .line", { hasText: t.account.parts.clicked }));
  await hand.click(page.getByRole("button", { name: t.account.segment.action }));
  await page.getByRole("dialog").waitFor();
  await hand.press("Enter");
  await page.getByText(t.account.segment.done(1, "1")).waitFor();
  await hand.click(side(day, "segments"));
  for (const name of ["bought", "lapsed", "unopened"] as const) {
    await hand.press("n");
    await hand.click(page.getByRole("button", { name: starters.names[name] }));
    await isMade(starters.names[name]);
  }
  const field = async (name: string, value: string) => {
    await page.getByRole("searchbox", { name: t.condition.searchFields }).waitFor();
    await hand.type(name);
    await page.getByRole("option", { name, exact: false }).first().waitFor();
    await hand.press("Enter");
    await page.locator(".say input:focus").waitFor();
    await hand.type(value);
  };
  const begin = async (name: string) => {
    await hand.press("n");
    await page.locator("input[name=name]:focus").waitFor();
    await hand.type(name);
    await hand.press("Enter");
  };
  const make = page.locator("button:not([aria-disabled])").and(page.getByRole("button", { name: create }));
  await begin("Pro in Germany");
  await field("plan", "pro");
  await hand.click(page.getByRole("button", { name: t.condition.addFilterTo }));
  await field("country", "DE");
  await hand.click(make);
  await isMade("Pro in Germany");
  await begin("VIP");
  await field("tags", "VIP");
  await hand.click(make);
  await isMade("VIP");
  const { body } = await posthorn.call("GET /segments");
  expect(Object.fromEntries(body.map(({ name, memberCount }: Record<string, unknown>) => [name, memberCount]))).toEqual(
    {
      [`March letter: ${t.account.parts.clicked}`]: 1,
      [starters.names.bought]: 1,
      [starters.names.lapsed]: 1,
      [starters.names.unopened]: 8,
      "Pro in Germany": 2,
      VIP: 3,
    },
  );
}

async function newsletter(day: Day): Promise<void> {
  const { page, hand, t, posthorn } = day;
  const tab = (name: keyof Words["campaigns"]["tabs"]) =>
    page.getByRole("navigation", { name: t.campaigns.parts }).getByRole("link", { name: t.campaigns.tabs[name] });
  await hand.click(side(day, "campaigns"));
  await hand.press("n");
  await page.locator("input[name=name]:focus").waitFor();
  await hand.type("April letter");
  await hand.press("Enter");
  const subject = page.locator(".meta-field input").first();
  await hand.click(subject);
  await hand.press("Control+a");
  await hand.type("It is spring");
  const sheet = page.getByRole("textbox", { name: t.visual.document, exact: true });
  await hand.click(sheet.locator("p").last());
  await hand.type("The windows are open again.");
  await hand.click(page.getByRole("button", { name: t.visual.blocks.image, exact: true }));
  await hand.chooseFile(page.getByRole("dialog").getByRole("button", { name: t.images.upload }), PICTURE);
  await page.getByRole("dialog").getByLabel(t.visual.fields.alt).waitFor();
  await hand.type("Open windows");
  await hand.press("Enter");
  await sheet.locator("img[src^='/i/']").waitFor();
  await hand.click(page.getByRole("button", { name: t.visual.blocks.button, exact: true }));
  await hand.click(page.getByLabel(t.visual.fields.href));
  await hand.type(APRIL);
  await hand.click(tab("audience"));
  await hand.click(page.getByRole("radio", { name: t.campaigns.audience.types.SEGMENT }));
  await hand.click(page.locator(".field .select"));
  await hand.type("Pro");
  await hand.press("Enter");
  await page.locator(".sum", { hasText: `2${t.campaigns.audience.willReceive}` }).waitFor();
  await hand.click(tab("check"));
  await hand.click(page.locator("button:not([aria-disabled])", { hasText: t.campaigns.send.action(2, "2") }));
  await page.getByRole("dialog").waitFor();
  await hand.press("Enter");
  await page.getByRole("button", { name: t.campaigns.send.undo }).waitFor();
  posthorn.clock.advance(10_000);
  await posthorn.settle();
  const sent = posthorn.transport.sent.filter(({ raw }) => raw.toString().includes("april"));
  expect(sent.map(({ envelope }) => envelope.recipient).toSorted()).toEqual(["ada@example.com", "dora@example.com"]);
  for (const words of ["The windows are open again.", "Open windows", "Ada"])
    expect(sent.map(({ raw }) => raw.toString()).join("")).toContain(words);
}

async function results(day: Day): Promise<void> {
  const { page, hand, t, posthorn } = day;
  const { body } = await posthorn.call("GET /campaigns?search=April");
  const { data } = (await posthorn.call(`GET /campaigns/${body.data[0].id}/recipients?limit=100`)).body;
  for (const { email, emailId } of data) await read(posthorn, emailId, email.split("@")[0], APRIL);
  await posthorn.settle();
  await page.locator(".fate .line", { hasText: t.account.parts.clicked }).filter({ hasText: "1" }).waitFor();
  await hand.click(page.locator(".fate .line", { hasText: t.account.parts.clicked }));
  await page.locator(".account-people .line", { hasText: "dora@example.com" }).waitFor();
}

async function workflows(day: Day): Promise<void> {
  const { page, hand, t, posthorn } = day;
  await hand.click(side(day, "workflows"));
  for (const id of ["cart", "welcome", "optIn", "trial", "winBack", "tickets"] as const) {
    const { name } = t.starters.each[id];
    await hand.press("n");
    await hand.click(page.getByRole("dialog").getByRole("button", { name: t.starters.each[id].text }));
    await page.getByRole("heading", { name, exact: true }).waitFor();
    await hand.click(page.getByRole("button", { name: t.workflows.turnOn }));
    await page.getByText(t.workflows.turnedOn(name)).waitFor();
  }
  const { data } = (await posthorn.call("GET /workflows")).body;
  expect(data.filter(({ enabled }: { enabled: boolean }) => enabled)).toHaveLength(6);
}
