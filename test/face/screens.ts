// Every screen that pictures are taken of. A screen may be prepared: a mail chosen, a dialog opened.
import type { Page } from "playwright-core";

export type Screen = {
  readonly name: string;
  /** Below /app. */
  readonly path: string;
  /** Nobody is signed in there. */
  readonly open?: true;
  readonly prepare?: (page: Page) => Promise<void>;
};

export const SCREENS: readonly Screen[] = [
  { name: "overview", path: "/" },
  { name: "sign-in", path: "/sign-in", open: true },
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
