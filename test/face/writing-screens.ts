// The screens on which mails are written: code, a fault, blocks, versions; the list of templates and what belongs to
// one.
import type { Page } from "playwright-core";
import type { Posthorn } from "../support/posthorn.ts";
import type { Screen } from "./screens.ts";

const text = (said: string) => ({ type: "text", text: said });
const name = { type: "variable", attrs: { path: "firstName", fallback: "Hello" } };
const SPRING = {
  type: "doc",
  content: [
    { type: "heading", attrs: { level: 1 }, content: [name, text(", it is spring")] },
    {
      type: "paragraph",
      content: [
        text(
          "The windows are open again and the new list is here: eleven books, chosen by people who read them on trains.",
        ),
      ],
    },
    {
      type: "condition",
      attrs: { path: "plan", comparison: "is", value: "pro" },
      content: [
        {
          type: "paragraph",
          content: [text("Thank you for going Pro. Your two free seats for the river evenings are kept until Friday.")],
        },
      ],
    },
    {
      type: "button",
      attrs: { href: "https://lanternfish.example/spring", align: "left" },
      content: [text("See the spring list")],
    },
    { type: "paragraph" },
  ],
};

async function writeNews(posthorn: Posthorn): Promise<void> {
  const { data } = (await posthorn.call("GET /templates?search=Spring")).body;
  if (data.length > 0) return;
  await posthorn.call("POST /templates", {
    ...{ name: "Spring news", type: "MARKETING", from: "Lanternfish <hello@lanternfish.example>" },
    subject: '{{ firstName ?? "Hello" }}, it is spring',
    preheader: "Eleven new books, and two evenings by the river",
    body: "<p>…</p>",
    design: { kind: "visual", source: SPRING },
  });
}

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async function addBrand(posthorn: Posthorn): Promise<void> {
  await posthorn.call("POST /images", { name: "logo.png", content: PNG });
  await posthorn.call("PUT /workspace/brand", {
    colors: { accent: "#22423d", ground: "#e8efe9" },
    from: "Lanternfish <hello@lanternfish.example>",
    footer: "<p>Lanternfish, 4 Quay Street, Bristol</p>",
  });
}

async function sampled(page: Page): Promise<void> {
  await page.frameLocator(".sample iframe").last().getByText("4 Quay Street").waitFor();
}

async function openedTemplate(page: Page, template: string): Promise<void> {
  await page.locator(".line", { hasText: template }).first().click();
  await page.locator(".meta-field").first().waitFor();
}

/** As Ada, once the preview is there. */
async function asAda(page: Page, said: string): Promise<void> {
  const look = page.getByRole("radio", { name: /^(Preview|Vorschau)$/ });
  if (await look.isVisible()) await look.click();
  await page.locator(".writing .viewbar > .select").click();
  await page.locator(".people-menu input").fill("ada@example.com");
  await page.getByRole("menuitem", { name: "ada@example.com" }).click();
  await page.frameLocator("iframe[sandbox='allow-same-origin']").last().getByText(said).first().waitFor();
}

/** A change makes the HTML anew. */
async function visual(page: Page): Promise<void> {
  await openedTemplate(page, "Spring news");
  await page.locator(".doc h1").click();
  await page.keyboard.press("End");
  await page.keyboard.type("!");
  await page.keyboard.press("Backspace");
  await page.getByText(/^(saved|gespeichert) \d/).waitFor({ state: "attached" });
}

async function tab(page: Page, number: number): Promise<void> {
  await openedTemplate(page, "Invoice");
  await page.locator(`.bar .tabs > :nth-child(${number})`).click();
  await page.locator(".page.narrow").waitFor();
}

export const WRITING: readonly Screen[] = [
  { name: "templates", path: "/templates", before: writeNews },
  { name: "templates-none", path: "/templates?search=nothing" },
  {
    name: "template-new",
    path: "/templates",
    prepare: async (page) => {
      await page.locator(".bar .actions > .btn").last().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "template-code",
    path: "/templates",
    prepare: async (page) => {
      await openedTemplate(page, "Invoice");
      await page.locator(".cm-content").waitFor();
      await asAda(page, "Thank you, Ada.");
    },
  },
  {
    name: "template-fault",
    path: "/templates",
    prepare: async (page) => {
      await openedTemplate(page, "Invoice");
      await page.locator(".cm-line").nth(1).click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.insertText("{% if plan %}");
      await page.locator(".cm-fault").waitFor({ state: "attached" });
    },
  },
  {
    name: "template-visual",
    path: "/templates",
    before: writeNews,
    prepare: async (page) => {
      await visual(page);
      await asAda(page, "Thank you for going Pro");
    },
  },
  {
    name: "template-block",
    path: "/templates",
    before: writeNews,
    prepare: async (page) => {
      await visual(page);
      await page.locator(".doc .cta").click();
      await page.locator(".block-settings").waitFor();
    },
  },
  {
    name: "template-versions",
    path: "/templates",
    before: writeNews,
    prepare: async (page) => {
      await visual(page);
      await page.keyboard.type("!");
      await page.getByText(/^(saved|gespeichert) \d/).waitFor({ state: "attached" });
      await page.locator(".first .text-btn").click();
      await page.locator(".versions .diff").waitFor();
    },
  },
  {
    name: "template-image",
    path: "/templates",
    before: writeNews,
    prepare: async (page) => {
      await visual(page);
      await page.getByRole("button", { name: /^(Image|Bild)$/ }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "brand", path: "/settings/brand", before: addBrand, prepare: sampled },
  { name: "template-settings", path: "/templates", prepare: (page) => tab(page, 2) },
  { name: "template-used", path: "/templates", prepare: (page) => tab(page, 3) },
  { name: "template-call", path: "/templates", prepare: (page) => tab(page, 4) },
];
