// The screens of forms, of a shop whose newsletter has brought people for some days, from two places.
import type { Page } from "playwright-core";
import type { Posthorn } from "../support/posthorn.ts";
import type { Screen } from "./screens.ts";
import { linkTo, send, visit } from "../forms/sending.ts";

const DAY_MS = 86_400_000;
const SITE = "https://www.lanternfish.example";
const NEWSLETTER = {
  name: "Newsletter",
  key: "lanternfish-news",
  title: { en: "News from the harbour", de: "Neues vom Hafen" },
  intro: { en: "Once a month, what is new in the shop.", de: "Einmal im Monat, was es im Laden Neues gibt." },
  fields: [
    { name: "firstName", type: "text", label: { en: "First name", de: "Vorname" } },
    { name: "size", type: "choice", label: { en: "Boat", de: "Boot" }, options: [{ value: "S" }, { value: "L" }] },
  ],
  consent: { wording: { en: "Send me the newsletter.", de: "Schickt mir den Newsletter." } },
  sites: [SITE],
};
const FROM = [{}, { origin: SITE, referer: `${SITE}/shop` }] as const;
const done = new WeakSet<Posthorn>();

/** Once a shop. */
async function formsOf(posthorn: Posthorn): Promise<void> {
  if (done.has(posthorn)) return;
  done.add(posthorn);
  await posthorn.call("POST /forms", { name: "Fair 2026", key: "lanternfish-fair", enabled: false });
  await posthorn.call("POST /forms", NEWSLETTER);
  for (const [day, people] of [4, 2, 6, 3].entries()) {
    for (let at = 0; at < people; at++) await reader(posthorn, `visitor.${day}.${at}@example.com`, at);
    posthorn.clock.advance(DAY_MS);
    await posthorn.settle();
  }
}

async function reader(posthorn: Posthorn, email: string, at: number): Promise<void> {
  const { key } = NEWSLETTER;
  const headers = FROM[at % 2];
  for (let looked = 0; looked < 3; looked++) await visit(posthorn, `GET /f/${key}`, { headers: { ...headers } });
  await send(posthorn, { email, _consent: "true" }, { ...headers }, key);
  if (at % 3 < 2) await visit(posthorn, `POST ${await linkTo(posthorn, email)}`);
}

async function newsletter(page: Page, tab: number): Promise<void> {
  await page.locator(".line", { hasText: "Newsletter" }).click();
  await page.locator(`.bar .tabs > :nth-child(${tab})`).click();
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

const SHOWN: readonly Screen[] = [
  { name: "forms", path: "/forms" },
  {
    name: "form",
    path: "/forms",
    prepare: async (page) => {
      await newsletter(page, 1);
      // On a telephone it is behind a switch.
      const preview = page.getByRole("radio", { name: /^(Preview|Vorschau)$/ });
      if (await preview.isVisible()) await preview.click();
      await page.frameLocator("iframe:not(.coming)").locator("h1").waitFor();
    },
  },
  {
    name: "form-publish",
    path: "/forms",
    prepare: async (page) => {
      await newsletter(page, 2);
      await page.getByText("data-posthorn").first().waitFor();
    },
  },
  {
    name: "form-results",
    path: "/forms",
    prepare: async (page) => {
      await newsletter(page, 3);
      await page.locator(".form-sites .line").first().waitFor();
    },
  },
];

export const FORMS: readonly Screen[] = [
  { name: "new-forms", path: "/forms", house: "new" },
  ...SHOWN.map((screen): Screen => ({ ...screen, before: formsOf })),
];
