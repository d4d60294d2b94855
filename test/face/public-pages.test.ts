// Each page and mail that anybody outside sees, in every language, light and dark, with a brand and without: axe finds
// nothing, and it is set in a sans-serif font that readers have.
import { beforeAll, describe, expect, setDefaultTimeout } from "bun:test";
import { lookOf, type PageLook } from "../../src/content/pages/look.ts";
import { preferencePage, type PageTopic } from "../../src/programs/preferences/page.ts";
import { PREVIEWS, recipientPreview } from "../../src/desk/face/recipient-preview.ts";
import { EMPTY } from "../../src/programs/forms/form.ts";
import type { EntryFault } from "../../src/programs/forms/fields.ts";
import { busyPage, closedPage, elsewherePage, formPage, thanksPage } from "../../src/programs/forms/page.ts";
import { LANGUAGES, type Language } from "../../src/base/languages/language.ts";
import { ownWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import type { Workspace } from "../../src/tenant/workspaces/queries.ts";
import { axeFound, journey, visit, type Visit } from "../support/browser.ts";
import { startPosthorn } from "../support/posthorn.ts";

// Some thousand pages.
setDefaultTimeout(600_000);

const NO_BRAND = { colors: {}, font: null, logoUrl: null, logoAlt: null, pageFooter: null };
const PLAIN = lookOf(NO_BRAND);
/** A language of each script, one from right to left, and one of long words: colours are the same in all. */
const SAMPLE: readonly Language[] = ["en", "de", "ar", "uk", "ja"];
const LOOKS: Readonly<Record<string, PageLook>> = {
  "without a brand": PLAIN,
  // The green that nobody could read in the dark.
  "in one colour": lookOf({
    ...NO_BRAND,
    colors: { accent: "#1f7246" },
    pageFooter: "Tea, https://tea.example/imprint",
  }),
  "on a paper of its own, with a logo": lookOf({
    colors: { accent: "#9a5b12", ground: "#f3e9d2", paper: "#fffaf0", ink: "#c9b79c", onAccent: "#9a6b32" },
    ...{ font: "Söhne Breit", logoUrl: "https://tea.example/logo.png", logoAlt: "Tea", pageFooter: "Tea Ltd" },
  }),
};
const CONSENT = { wording: { en: "I agree: https://tea.example/privacy", ar: "أوافق: https://tea.example/privacy" } };
const field = { label: {}, required: true, options: [], min: null, max: null, maxLength: null, value: null };
const SETTINGS = {
  ...EMPTY.settings,
  title: { en: "News" },
  intro: { en: "Once a month, see https://tea.example/news" },
  fields: (["text", "checkbox", "date", "number", "hidden"] as const).map((type) => ({ ...field, name: type, type })),
  besides: { en: "You also get our offers." },
};
const TOPICS: readonly PageTopic[] = [
  { key: "news", name: "News", description: "Once a month", isIn: true },
  { key: "offers", name: "Offers", description: "", isIn: false },
];
const READER = { email: "ada@example.com", workspaceName: "Tea", status: "ACTIVE", pausedUntil: null } as const;
const NOW = "2026-03-01T09:00:00.000Z";

let workspace: Workspace;
beforeAll(async () => {
  await using posthorn = await startPosthorn();
  const label = { en: "Your plan" };
  await posthorn.call("PATCH /workspace", {
    postalAddress: "1 Quay Street",
    preferencePage: { data: [{ field: "data.plan", label }], asksWhy: true },
  });
  workspace = await posthorn.store.read((reader) => ownWorkspace(reader, 1));
});

type Shown = { readonly language: Language; readonly look: PageLook };

/** As recipient-preview.ts names them, and what nobody needs a preview of. */
function recipientPages(shown: Shown): Readonly<Record<string, string>> {
  const previews = PREVIEWS.map((preview) => [
    preview,
    recipientPreview({ ...shown, preview, workspace, now: NOW, topics: TOPICS }),
  ]);
  const page = { ...shown, token: "token", now: NOW, declined: false, saved: false };
  return {
    ...Object.fromEntries(previews),
    "of a former address": preferencePage({ ...READER, subscribed: true }, { ...page, isFormer: true }),
    "asks who is subscribed": preferencePage({ ...READER, subscribed: true }, { ...page, asks: true }),
    "has been told why": preferencePage({ ...READER, subscribed: false }, { ...page, saved: true, answered: true }),
  };
}

function formPages({ language, look }: Shown): Readonly<Record<string, string>> {
  const topics = ["news", "offers"].map((key) => ({ key, name: { en: key }, description: { en: "Once a month" } }));
  const drawn = { language, otherwise: "en", look, workspaceName: "Tea", action: "#", token: "token" } as const;
  const form = (checkbox: boolean, more: object = {}) =>
    formPage({
      ...drawn,
      settings: { ...SETTINGS, consent: { ...CONSENT, checkbox } },
      topics: topics as never,
      ...more,
    });
  const faults = new Map<string, EntryFault>([
    ["email", "empty"],
    ["text", "wrongValue"],
    ["checkbox", "empty"],
    ["_consent", "empty"],
  ]);
  return {
    "a form": form(true),
    "a form whose consent is a text": form(false),
    "a form with faults": form(true, { faults, entries: () => "?" }),
    thanks: thanksPage(drawn, true),
    "thanks, perhaps": thanksPage(drawn, false),
    "a closed form": closedPage(language),
    "a busy form": busyPage(language),
    "a form elsewhere": elsewherePage(language, "news"),
  };
}

describe.each(["light", "dark"] as const)("in %s,", (colorScheme) => {
  for (const [name, look] of Object.entries(LOOKS))
    journey(`axe finds nothing ${name}`, async () => {
      await using posthorn = await startPosthorn();
      await using ada = await visit(posthorn, { colorScheme, viewport: { width: 390, height: 844 }, offends: /./ });
      await ada.page.route(/tea\.example/, (route) => route.abort());
      for (const language of look === PLAIN ? LANGUAGES : SAMPLE)
        for (const [state, page] of Object.entries({
          ...recipientPages({ language, look }),
          ...formPages({ language, look }),
        }))
          expect([language, state, await faultsOf(ada, page)]).toEqual([language, state, []]);
    });
});

async function faultsOf({ page }: Visit, markup: string): Promise<string[]> {
  await page.setContent(markup);
  const font = await page.evaluate("getComputedStyle(document.body).fontFamily");
  return [...(await axeFound(page)), ...(/sans-serif$/.test(String(font)) ? [] : [`set in ${font}`])];
}
