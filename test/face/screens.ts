// Every screen that pictures are taken of. A screen may be prepared: a mail chosen, a dialog opened.
import type { Page } from "playwright-core";

/** Its token takes the place of `#` in the path. */
export type LinkKind = "invitation" | "recovery" | "welcome";

export type Screen = {
  readonly name: string;
  /** Below /app. */
  readonly path: string;
  /** Nobody is signed in there; there is a link to come in by. */
  readonly open?: true | LinkKind;
  /** What the browser may say meanwhile. */
  readonly offends?: RegExp;
  readonly prepare?: (page: Page) => Promise<void>;
};

export const SCREENS: readonly Screen[] = [
  // Before anybody exists.
  { name: "welcome", path: "/welcome#", open: "welcome" },
  { name: "overview", path: "/" },
  { name: "overview-week", path: "/?days=7" },
  {
    name: "set-up-domains",
    path: "/set-up/domains",
    prepare: async (page) => {
      const own = page.getByRole("link", { name: /lanternfish.example verified/ });
      if (await own.isVisible()) await own.click();
    },
  },
  { name: "set-up-keys", path: "/set-up/keys" },
  {
    name: "set-up-new-key",
    path: "/set-up/keys",
    prepare: async (page) => {
      await page.getByRole("button", { name: "Make a key" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "set-up-smtp", path: "/set-up/smtp?for=laravel" },
  { name: "set-up-api", path: "/set-up/smtp?by=api" },
  { name: "set-up-webhooks", path: "/set-up/webhooks" },
  { name: "set-up-server", path: "/set-up/server" },
  {
    name: "new-workspace",
    path: "/set-up/server?new=true",
    prepare: async (page) => {
      await page.getByRole("dialog").getByRole("textbox").fill("Second shop");
    },
  },
  {
    name: "set-up-workspaces",
    path: "/set-up/server",
    prepare: async (page) => {
      await page
        .getByRole("button", { name: /^What to do with/ })
        .first()
        .click();
      await page.getByRole("menuitem").first().waitFor();
    },
  },
  { name: "mail", path: "/mail", prepare: (page) => opened(page, /ada@example.com/) },
  { name: "mail-list", path: "/mail" },
  { name: "mail-queue", path: "/mail?status=QUEUED", prepare: (page) => page.locator(".strip summary").click() },
  { name: "mail-received", path: "/mail?status=RECEIVED", prepare: (page) => shown(page, /Re: Your receipt/, "Text") },
  { name: "mail-files", path: "/mail?search=invoice", prepare: (page) => shown(page, /Your invoice/, "Files") },
  { name: "mail-headers", path: "/mail?search=invoice", prepare: (page) => shown(page, /Your invoice/, "Headers") },
  { name: "mail-raw", path: "/mail?search=invoice", prepare: (page) => shown(page, /Your invoice/, "Raw") },
  {
    name: "mail-images",
    path: "/mail?search=hedy",
    offends: /Content Security Policy|^foreign: /,
    prepare: (page) => opened(page, /What is new/),
  },
  { name: "mail-waits", path: "/mail?status=QUEUED", prepare: (page) => opened(page, /dorothy/) },
  { name: "mail-no-match", path: "/mail?search=nobody@nowhere.test" },
  {
    name: "mail-retry",
    path: "/mail?status=FAILED,BOUNCED&since=7d",
    prepare: async (page) => {
      await page
        .getByRole("button", { name: "Send these again" })
        .click({ timeout: 2_000 })
        .catch(() => undefined);
    },
  },
  { name: "mail-failed", path: "/mail?status=BOUNCED", prepare: (page) => opened(page, /b.marlow/) },
  { name: "sign-in", path: "/sign-in", open: true },
  { name: "recovery", path: "/welcome#", open: "recovery" },
  { name: "invitation", path: "/invitation#", open: "invitation" },
  { name: "link-gone", path: "/welcome#unknown", open: true },
  { name: "workspace", path: "/set-up/workspace" },
  { name: "team", path: "/set-up/team" },
  {
    name: "invite",
    path: "/set-up/team",
    prepare: async (page) => {
      await page.getByRole("button", { name: "Invite", exact: true }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "audit", path: "/set-up/team/audit" },
  { name: "recipient-pages", path: "/set-up/pages?page=unsubscribe" },
  { name: "me", path: "/me" },
  { name: "not-found", path: "/nowhere" },
  {
    name: "palette",
    path: "/",
    prepare: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("menuitem").first().waitFor();
    },
  },
  {
    name: "account-menu",
    path: "/",
    prepare: async (page) => {
      const own = page.getByRole("button", { name: "Eva Moser" });
      if (!(await own.isVisible())) return;
      await own.click();
      await page.getByRole("menuitem").first().waitFor();
    },
  },
];

/** Opens the first mail of this name, and a part of it. */
async function shown(page: Page, name: RegExp, part: string): Promise<void> {
  await page.locator("a.line", { hasText: name }).first().click();
  await page.getByRole("link", { name: part }).click();
  await page.locator(".well-text").waitFor();
}

/** Opens the first mail of this name, and waits until it is whole. */
async function opened(page: Page, name: RegExp): Promise<void> {
  await page.locator("a.line", { hasText: name }).first().click();
  await page.frameLocator("iframe").locator("body :first-child").first().waitFor();
}
