// The screens of segments, of a shop with many readers: who is quiet, who leads a group, who has just come.
import type { Page } from "playwright-core";
import type { Posthorn } from "../support/posthorn.ts";
import type { Screen } from "./screens.ts";

const DAY_MS = 86_400_000;
const filter = (field: string, operator: string, value?: unknown, unit?: string) => ({ field, operator, value, unit });

const QUIET = {
  groups: [
    {
      filters: [filter("data.plan", "equals", "pro"), filter("email.opened", "notTriggeredWithin", 30, "days")],
      conditions: {
        logic: "OR",
        groups: [
          { filters: [filter("data.country", "equals", "DE")] },
          { filters: [filter("event.group.joined", "triggeredWithin", 365, "days")] },
        ],
      },
    },
  ],
};
const FIRST_NAMES = [
  "greta",
  "luca",
  "wilma",
  "jonas",
  "amira",
  "noel",
  "sofia",
  "emil",
  "clara",
  "matteo",
  "lea",
  "anton",
];
const LAST_NAMES = ["sorensen", "berg", "novak", "rossi", "keller", "martin", "lind"];
const COUNTRIES = ["DE", "FR", "DE", "AT", "GB"];
const DAYS = 12;
const done = new WeakSet<Posthorn>();

/** Once a shop: readers come day by day. */
async function readersOf(posthorn: Posthorn): Promise<void> {
  if (done.has(posthorn)) return;
  done.add(posthorn);
  const names = LAST_NAMES.flatMap((last) => FIRST_NAMES.map((first) => `${first}.${last}`));
  await segmentsOf(posthorn);
  await topicsOf(posthorn);
  await suppressionsOf(posthorn);
  for (let day = 0; day < DAYS; day++) {
    for (const [at, name] of names.entries()) if (at % DAYS === day) await reader(posthorn, name, at);
    await posthorn.settle();
    posthorn.clock.advance(DAY_MS);
    await posthorn.settle();
  }
}

async function reader(posthorn: Posthorn, name: string, at: number): Promise<void> {
  const email = `${name}@example.${["com", "net", "org"][at % 3]}`;
  const data = { firstName: name.split(".")[0], plan: at % 3 === 0 ? "free" : "pro", country: COUNTRIES[at % 5] };
  await posthorn.call("POST /contacts", { email, subscribed: at % 5 !== 2, data });
  if (at % 4 === 0) await posthorn.call("POST /v1/track", { email, event: "group.joined" });
}

async function segmentsOf(posthorn: Posthorn): Promise<void> {
  const make = async (body: object) => (await posthorn.call("POST /segments", body)).body;
  const quiet = await make({ name: "Pro, quiet for a month", condition: QUIET, trackMembership: true });
  const recent = { groups: [{ filters: [filter("createdAt", "within", 7, "days")] }] };
  await make({ name: "New this week", description: "For the first steps", condition: recent });
  const friends = await make({ name: "Invited to the river evening", type: "STATIC" });
  const emails = ["ada@example.com", "grace@example.com", "hedy@example.com"];
  await posthorn.call(`POST /segments/${friends.id}/members`, { emails });
  const others = {
    groups: [{ filters: [filter("data.plan", "equals", "pro"), filter(`segment.${quiet.id}`, "notMemberOf")] }],
  };
  await make({ name: "Pro, and reading", condition: others });
}

async function topicsOf(posthorn: Posthorn): Promise<void> {
  const news = { en: "News from the river", de: "Neues vom Fluss" };
  const about = { en: "What is new in the shop, once a month.", de: "Was im Laden neu ist, einmal im Monat." };
  await posthorn.call("POST /topics", { key: "news", name: news, description: about });
  const tips = { en: "Care for your lanterns", de: "Laternen pflegen" };
  await posthorn.call("POST /topics", { key: "care", name: tips, default: "out" });
  await posthorn.call("POST /topics", { key: "trade", name: { en: "For dealers", de: "Für Händler" }, visible: false });
}

async function suppressionsOf(posthorn: Posthorn): Promise<void> {
  const suppress = (body: object) => posthorn.call("POST /suppressions", body);
  await suppress({ domain: "mailinator.example", note: "Addresses that nobody reads" });
  await suppress({ address: "grace.hopper@example.org", scope: "marketing", until: "2031-01-01", note: "On leave" });
  await suppress({ address: "gone@example.net", reason: "bounce" });
  await suppress({ address: "an.unusually.long.local.part.of.an.address@mail.example.net", reason: "import" });
  await suppress({
    address: "angry@example.com",
    reason: "complaint",
    scope: "marketing",
    note: "Wrote to the owner, who answered",
  });
}

const SHOWN: readonly Screen[] = [
  { name: "segments", path: "/segments" },
  {
    name: "segment",
    path: "/segments",
    prepare: async (page) => {
      await quiet(page);
      await page.locator(".why input").fill("b.marlow@example.org");
      await page.locator(".why input").press("Enter");
      await page.locator(".why .tl").first().waitFor();
    },
  },
  {
    name: "segment-field",
    path: "/segments/new",
    prepare: async (page) => {
      await page.locator(".condition .adders > button").first().click();
      await page.locator(".menu.pick [role=option]").first().waitFor();
    },
  },
  {
    name: "segment-found",
    path: "/segments",
    prepare: async (page) => {
      await quiet(page);
      await page.locator(".sum .opens").nth(2).click();
      await page.getByRole("dialog").locator(".line").first().waitFor();
    },
  },
  {
    name: "segment-add-from",
    path: "/segments",
    prepare: async (page) => {
      await page.getByRole("link", { name: "Invited to the river evening" }).click();
      await page.locator("section.panel > header .btn").first().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "suppression-lift",
    path: "/suppressions",
    prepare: async (page) => {
      await page.locator(".suppressions .line .btn.only").first().click();
      await page.getByRole("menuitem").first().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "suppression-add",
    path: "/suppressions",
    prepare: (page) => asked(page, /^(Add suppression|Sperre hinzufügen)$/),
  },
  {
    name: "topic-form",
    path: "/topics",
    prepare: async (page) => {
      await page.locator(".topics .line .btn.only").first().click();
      await page.getByRole("menuitem").first().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "segment-new", path: "/segments/new" },
  { name: "segment-people", path: "/segments", prepare: (page) => part(page, "river", 1) },
  { name: "segment-history", path: "/segments", prepare: (page) => part(page, "quiet", 3) },
];

async function asked(page: Page, button: RegExp): Promise<void> {
  await page.getByRole("button", { name: button }).first().click();
  await page.getByRole("dialog").waitFor();
}

async function quiet(page: Page): Promise<void> {
  await page.locator(".line", { hasText: "quiet" }).click();
  await page.locator(".fall-row").nth(3).waitFor();
}

async function part(page: Page, name: string, at: number): Promise<void> {
  await page.locator(".line", { hasText: name }).click();
  await page.locator(`.bar .tabs > :nth-child(${at})`).click();
  await page.locator(".page .panel").first().waitFor();
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

export const SEGMENTS: readonly Screen[] = [
  { name: "new-segments", path: "/segments", house: "new" },
  ...SHOWN.map((screen): Screen => ({ ...screen, before: readersOf })),
];
