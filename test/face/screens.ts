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
  readonly prepare?: (page: Page) => Promise<void>;
};

export const SCREENS: readonly Screen[] = [
  // Before anybody exists.
  { name: "welcome", path: "/welcome#", open: "welcome" },
  { name: "overview", path: "/" },
  { name: "mail", path: "/mail", prepare: (page) => opened(page, /ada@example.com/) },
  { name: "mail-list", path: "/mail" },
  { name: "mail-failed", path: "/mail?status=BOUNCED", prepare: (page) => opened(page, /b.marlow/) },
  { name: "sign-in", path: "/sign-in", open: true },
  { name: "recovery", path: "/welcome#", open: "recovery" },
  { name: "invitation", path: "/invitation#", open: "invitation" },
  { name: "link-gone", path: "/welcome#unknown", open: true },
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

/** Opens the first mail of this name, and waits until it is whole. */
async function opened(page: Page, name: RegExp): Promise<void> {
  await page.locator("a.line", { hasText: name }).first().click();
  await page.frameLocator("iframe").locator("body :first-child").first().waitFor();
}
