// A hand that is counted: each click and each key chord is one, typing counts nothing. And the words on the screens, in
// each language.
import type { FileChooser, Locator, Page } from "playwright-core";
import type { Visit } from "../support/browser.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { campaigns as deCampaigns } from "../../web/texts/de/campaigns.ts";
import { account as deAccount } from "../../web/texts/de/campaign-results.ts";
import { condition as deCondition } from "../../web/texts/de/condition.ts";
import { domains as deDomains } from "../../web/texts/de/domains.ts";
import { frame as deFrame } from "../../web/texts/de/frame.ts";
import { images as deImages } from "../../web/texts/de/images.ts";
import { mail as deMail } from "../../web/texts/de/mail.ts";
import { overview as deOverview } from "../../web/texts/de/overview.ts";
import { people as dePeople } from "../../web/texts/de/people.ts";
import { segments as deSegments } from "../../web/texts/de/segments.ts";
import { starters as deStarters } from "../../web/texts/de/starters.ts";
import { visual as deVisual } from "../../web/texts/de/visual.ts";
import { workflows as deWorkflows } from "../../web/texts/de/workflows.ts";
import { campaigns } from "../../web/texts/en/campaigns.ts";
import { account } from "../../web/texts/en/campaign-results.ts";
import { condition } from "../../web/texts/en/condition.ts";
import { domains } from "../../web/texts/en/domains.ts";
import { frame } from "../../web/texts/en/frame.ts";
import { images } from "../../web/texts/en/images.ts";
import { mail } from "../../web/texts/en/mail.ts";
import { overview } from "../../web/texts/en/overview.ts";
import { people } from "../../web/texts/en/people.ts";
import { segments } from "../../web/texts/en/segments.ts";
import { starters } from "../../web/texts/en/starters.ts";
import { visual } from "../../web/texts/en/visual.ts";
import { workflows } from "../../web/texts/en/workflows.ts";

const en = {
  campaigns,
  account,
  condition,
  domains,
  frame,
  images,
  mail,
  overview,
  people,
  segments,
  starters,
  visual,
  workflows,
};
export type Words = typeof en;
export const WORDS: Readonly<Record<"en" | "de", Words>> = {
  en,
  de: {
    ...{
      campaigns: deCampaigns,
      account: deAccount,
      condition: deCondition,
      domains: deDomains,
      frame: deFrame,
      images: deImages,
    },
    ...{ mail: deMail, overview: deOverview, people: dePeople, segments: deSegments, starters: deStarters },
    ...{ visual: deVisual, workflows: deWorkflows },
  },
};
export type Language = keyof typeof WORDS;

type File = Parameters<FileChooser["setFiles"]>[0];

export class Hand {
  clicks = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async click(what: Locator): Promise<void> {
    this.clicks++;
    await what.click();
  }

  /** One key, or some at once. */
  async press(keys: string): Promise<void> {
    this.clicks++;
    await this.#page.keyboard.press(keys);
  }

  /** Into what has the focus. */
  type(letters: string): Promise<void> {
    return this.#page.keyboard.type(letters);
  }

  /** The button, and the file in the dialog of the system. */
  async chooseFile(button: Locator, file: File): Promise<void> {
    const [chooser] = await Promise.all([this.#page.waitForEvent("filechooser"), this.click(button)]);
    this.clicks++;
    await chooser.setFiles(file);
  }
}

export type Day = {
  readonly eva: Visit;
  readonly page: Page;
  readonly posthorn: Posthorn;
  readonly hand: Hand;
  readonly t: Words;
  readonly language: Language;
  readonly log: string[];
};

/** A link of the navigation. */
export const side = ({ page, t }: Day, place: keyof Words["frame"]["places"]): Locator =>
  page.getByRole("navigation", { name: t.frame.navigation }).getByRole("link", { name: t.frame.places[place] });
