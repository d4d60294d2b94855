// Every screen that pictures are taken of. A screen may be prepared: a mail chosen, a dialog opened; in either
// language.
import type { Page } from "playwright-core";
import type { Posthorn } from "../support/posthorn.ts";
import { providersAskForLess } from "./brakes-scene.ts";
import { FAIR_CSV, MAILCHIMP_FILES, peopleTwice, peopleWithAPast } from "./people-scene.ts";
import { roleByProvider } from "./flows.ts";
import { campaignsOf } from "./campaigns-scene.ts";
import { AUDIENCE } from "./audience-screens.ts";
import { FORMS } from "./form-screens.ts";
import { reportsOfReceivers } from "./report-scene.ts";
import { holdCampaign } from "./scene.ts";
import { SEGMENTS } from "./segment-screens.ts";
import { WRITING } from "./writing-screens.ts";

/** Its token takes the place of `#` in the path. */
export type LinkKind = "invitation" | "recovery" | "welcome";

export type Screen = {
  readonly name: string;
  /** Below /app. */
  readonly path: string;
  /** Nobody is signed in there; there is a link to come in by. */
  readonly open?: true | LinkKind;
  /** The shop with a past, if not said otherwise. */
  readonly house?: "shop" | "new" | "flows";
  /** What the browser may say meanwhile. */
  readonly offends?: RegExp;
  readonly prepare?: (page: Page) => Promise<void>;
  /** What happens before it; the screens after it see that as well. */
  readonly before?: (posthorn: Posthorn) => Promise<void>;
};

/** A mail that shows one has it blocked by the policy of its frame. */
const PICTURE_FROM_ELSEWHERE = /Content Security Policy|^foreign: /;

/** By the name of a workflow: its address is not known before. */
async function openWorkflow(page: Page, search: string): Promise<void> {
  await page.getByRole("link", { name: "After a sign-up" }).click();
  await page.getByRole("heading", { name: "After a sign-up" }).waitFor();
  if (search !== "") await page.goto(`${page.url()}${search}`);
  await page.locator(".react-flow__node, .steps-list li, .executions .one").first().waitFor();
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

/** Opens the form of a step. */
async function chooseStep(page: Page, name: RegExp): Promise<void> {
  await openWorkflow(page, "");
  await page.locator(".face-of, .step-name").filter({ hasText: name }).first().click();
  await page.locator(".flow-split .panel-head").waitFor();
}

/** Tries it with somebody. */
async function tryWith(page: Page, name: RegExp): Promise<void> {
  await openWorkflow(page, "");
  await page.locator(".trybar .select").click();
  await page.keyboard.type("ada@");
  await page.getByRole("menuitem", { name: /Ada/ }).click();
  await page.locator(".step.lit, .in-list.lit").first().waitFor();
  await page.getByRole("radio", { name: /^(too late|zu spät)$/ }).click();
  await page.locator(".face-of, .step-name").filter({ hasText: name }).first().click();
  await page.locator(".mini").waitFor();
}

const WORKFLOWS: readonly Screen[] = [
  { name: "workflows", path: "/workflows", house: "flows" },
  {
    name: "workflow-make",
    path: "/workflows",
    house: "flows",
    prepare: async (page) => {
      await page.getByRole("button", { name: /^(New workflow|Neuer Ablauf)$/ }).click();
      await page.locator(".starters").waitFor();
    },
  },
  { name: "workflow", path: "/workflows", house: "flows", prepare: (page) => openWorkflow(page, "") },
  { name: "workflow-list", path: "/workflows", house: "flows", prepare: (page) => openWorkflow(page, "?view=list") },
  {
    name: "workflow-try",
    path: "/workflows",
    house: "flows",
    prepare: (page) => tryWith(page, /Still there\?/),
  },
  {
    name: "workflow-condition",
    path: "/workflows",
    house: "flows",
    prepare: (page) => chooseStep(page, /Is plan pro\?/),
  },
  {
    name: "workflow-mail",
    path: "/workflows",
    house: "flows",
    prepare: async (page) => {
      await chooseStep(page, /Send “Still there\?”/);
      await page.locator(".filter-field.tags").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "workflow-webhook",
    path: "/workflows",
    house: "flows",
    prepare: (page) => chooseStep(page, /Tell the ledger/),
  },
  {
    name: "workflow-failed",
    path: "/workflows",
    house: "flows",
    prepare: async (page) => {
      await openWorkflow(page, "");
      await page.locator(".here.bad").first().click();
      await page.locator(".executions .one .line").first().click();
      await page.locator(".way .tl").waitFor();
    },
  },
  {
    name: "workflow-people",
    path: "/workflows",
    house: "flows",
    prepare: (page) => openWorkflow(page, "?tab=people"),
  },
  {
    name: "workflow-past",
    path: "/workflows",
    house: "flows",
    prepare: async (page) => {
      await openWorkflow(page, "");
      await page.getByRole("button", { name: /30/ }).filter({ visible: true }).first().click();
      await page.getByRole("dialog").locator(".num").waitFor();
    },
  },
];

/** Before anybody exists, then before anything was done. */
const NEW: readonly Screen[] = [
  { name: "welcome", path: "/welcome#", open: "welcome" },
  { name: "first-code", path: "/welcome", open: true },
  { name: "first-start-address", path: "/first-start" },
  { name: "first-start-way", path: "/first-start?step=way" },
  { name: "first-start-domain", path: "/first-start?step=domain" },
  { name: "first-start-next", path: "/first-start?step=next" },
  { name: "new-overview", path: "/" },
  { name: "new-mail", path: "/mail" },
  { name: "new-people", path: "/people" },
  { name: "new-templates", path: "/templates" },
  { name: "new-domains", path: "/settings/domains" },
  { name: "new-keys", path: "/settings/keys" },
  { name: "new-smtp", path: "/settings/smtp" },
  { name: "new-webhooks", path: "/settings/webhooks" },
  { name: "new-team", path: "/settings/team" },
  { name: "new-audit", path: "/settings/team/audit" },
];

const OVERVIEW: readonly Screen[] = [
  { name: "overview", path: "/" },
  { name: "overview-week", path: "/?days=7" },
  { name: "overview-table", path: "/", prepare: (page) => click(page, ".figures > summary") },
  {
    name: "palette",
    path: "/",
    prepare: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("menuitem").first().waitFor();
    },
  },
  {
    name: "palette-found",
    path: "/mail",
    prepare: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("menuitem").first().waitFor();
      await page.keyboard.type("ada");
      await page.getByRole("menuitem", { name: "ada@example.com" }).first().waitFor();
    },
  },
  {
    name: "account-menu",
    path: "/",
    prepare: async (page) => {
      const own = page.locator(".who, .more").filter({ visible: true });
      await own.click();
      await page.getByRole("menuitem").first().waitFor();
    },
  },
  {
    name: "mail-retrying",
    path: "/mail?status=FAILED,BOUNCED",
    before: (posthorn) => posthorn.settle(),
    prepare: async (page) => {
      await page.getByRole("button", { name: /^Send these again$|^Diese erneut senden$/ }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /^Send again$|^Erneut senden$/ })
        .click();
      await page.locator(".retrying").waitFor();
    },
  },
];

const MAIL: readonly Screen[] = [
  { name: "mail", path: "/mail", prepare: (page) => opened(page, /Your invoice/) },
  { name: "mail-list", path: "/mail" },
  {
    name: "mail-days",
    path: "/mail?since=2026-03-01&until=2026-03-05&search=invoice",
    prepare: async (page) => {
      await page.locator(".filter-field [aria-haspopup]").click();
      await page.getByRole("menuitem").last().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "mail-group",
    path: "/mail?search=Minutes",
    before: async (posthorn) => {
      const group = {
        to: [{ name: "Ada Lovelace", email: "ada@example.com" }, "m.okafor@example.org"],
        cc: ["l.haraldsen@example.net", "priya.n@example.com"],
        bcc: "grace@example.com",
      };
      const from = "hello@lanternfish.example";
      await posthorn.call("POST /v1/send", {
        ...group,
        from,
        subject: "Minutes",
        body: "<p>The minutes of today.</p>",
      });
      await posthorn.settle();
    },
    prepare: (page) => opened(page, /Minutes/),
  },
  { name: "mail-queue", path: "/mail?status=QUEUED,SENDING", prepare: (page) => click(page, ".strip > summary") },
  {
    name: "mail-brakes",
    path: "/mail?status=QUEUED,SENDING",
    before: providersAskForLess,
    prepare: (page) => click(page, ".strip > summary"),
  },
  {
    name: "mail-brakes-question",
    path: "/mail?status=QUEUED,SENDING",
    before: providersAskForLess,
    prepare: async (page) => {
      await click(page, ".strip > summary");
      await click(page, ".brakes .btn >> nth=0");
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "overview-brakes", path: "/", before: providersAskForLess },
  {
    name: "mail-paced",
    path: "/mail?status=QUEUED",
    before: providersAskForLess,
    prepare: (page) => opened(page, /Sale/),
  },
  { name: "mail-received", path: "/mail?status=RECEIVED", prepare: (page) => shown(page, /Re: Your receipt/, 2) },
  { name: "mail-files", path: "/mail?search=invoice", prepare: (page) => shown(page, /Your invoice/, 6) },
  { name: "mail-headers", path: "/mail?search=invoice", prepare: (page) => shown(page, /Your invoice/, 3) },
  { name: "mail-raw", path: "/mail?search=invoice", prepare: (page) => shown(page, /Your invoice/, 4) },
  { name: "mail-data", path: "/mail?search=invoice", prepare: (page) => shown(page, /Your invoice/, 5) },
  {
    name: "mail-images",
    path: "/mail?search=hedy",
    offends: PICTURE_FROM_ELSEWHERE,
    prepare: (page) => opened(page, /What is new/),
  },
  {
    name: "mail-waits",
    path: "/mail?status=QUEUED",
    offends: PICTURE_FROM_ELSEWHERE,
    prepare: (page) => opened(page, /dorothy/),
  },
  {
    name: "mail-later",
    path: "/mail?search=grace@example.com",
    prepare: async (page) => {
      await opened(page, /Your trial ends tomorrow/);
      await click(page, ".msg-head > .inline:last-child > .btn >> nth=0");
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "mail-read", path: "/mail?status=DELIVERED", prepare: (page) => opened(page, /Welcome/) },
  { name: "mail-complained", path: "/mail?status=COMPLAINED", prepare: (page) => opened(page, /k.brandt/) },
  { name: "mail-failed", path: "/mail?status=BOUNCED", prepare: (page) => opened(page, /b.marlow/) },
  { name: "mail-no-match", path: "/mail?search=nobody@nowhere.test" },
  { name: "mail-none-held", path: "/mail?held=true" },
  { name: "mail-gone", path: "/mail/019cd1cc-b5e0-7471-9acc-723c020d0cdc" },
  {
    name: "mail-filters",
    path: "/mail?status=FAILED,BOUNCED&since=7d&domain=lanternfish.example&sourceType=TRANSACTIONAL",
  },
  {
    name: "mail-filter-menu",
    path: "/mail",
    prepare: async (page) => {
      await click(page, ".filter-field > .btn");
      await page.getByRole("menuitem").or(page.getByRole("menuitemradio")).first().waitFor();
    },
  },
  {
    name: "mail-again",
    path: "/mail?status=BOUNCED",
    prepare: async (page) => {
      await opened(page, /b.marlow/);
      await click(page, ".msg-head .actions > .btn >> nth=0");
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "mail-retry",
    path: "/mail?status=FAILED,BOUNCED&since=7d",
    prepare: async (page) => {
      await click(page, ".foot .btn >> nth=0");
      await page.getByRole("dialog").waitFor();
    },
  },
  // Many mails wait from here on.
  {
    name: "mail-held",
    path: "/mail?held=true",
    offends: PICTURE_FROM_ELSEWHERE,
    before: holdCampaign,
    prepare: (page) => opened(page, /held|angehalten/),
  },
];

const SET_UP: readonly Screen[] = [
  { name: "settings-domains", path: "/settings/domains", prepare: (page) => ownDomain(page) },
  { name: "settings-domain-waits", path: "/settings/domains", prepare: (page) => ownDomain(page, /news/) },
  {
    name: "settings-domain-reports",
    path: "/settings/domains",
    before: reportsOfReceivers,
    prepare: async (page) => {
      await ownDomain(page);
      await page.locator(".report-days").waitFor();
      await page.locator(".reports-head").evaluate((head) => head.scrollIntoView({ block: "start" }));
    },
  },
  { name: "settings-add-domain", path: "/settings/domains", prepare: (page) => dialog(page, ".bar .actions > .btn") },
  { name: "settings-keys", path: "/settings/keys" },
  { name: "settings-new-key", path: "/settings/keys", prepare: (page) => dialog(page, ".bar .actions > .btn") },
  {
    name: "settings-revoke",
    path: "/settings/keys",
    prepare: async (page) => {
      await page.locator(".keys-list .line .btn.only").last().click();
      await dialog(page, ".item.risk");
    },
  },
  { name: "settings-smtp", path: "/settings/smtp?for=laravel" },
  { name: "settings-api", path: "/settings/smtp?by=api" },
  { name: "settings-test-mail", path: "/settings/smtp", prepare: (page) => dialog(page, ".bar .actions > .btn") },
  {
    name: "settings-webhooks",
    path: "/settings/webhooks",
    prepare: (page) => click(page, ".attempt > summary >> nth=1"),
  },
  {
    name: "settings-webhook",
    path: "/settings/webhooks",
    prepare: async (page) => {
      await click(page, ".hook-list .line");
      // Attempts of all webhooks were below the list.
      await page.locator(".hook-list").waitFor({ state: "hidden" });
      await click(page, ".attempt > summary >> nth=1");
      await page.locator(".attempt .code").first().waitFor();
    },
  },
  {
    name: "settings-webhook-add",
    path: "/settings/webhooks",
    prepare: async (page) => {
      await click(page, ".bar .actions > .btn:last-child");
      await page.getByRole("dialog").getByRole("radio").last().click();
      await page.locator(".filter-field.tags > input").fill("receipt plan:pro ");
    },
  },
  { name: "settings-server", path: "/settings/server" },
  {
    name: "settings-configuration",
    path: "/settings/server",
    prepare: async (page) => {
      await page.getByRole("button", { name: /^(Show all|Alle .* zeigen)/ }).click();
      await page.locator(".setting-section", { hasText: "[backup]" }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "settings-configuration-form",
    path: "/settings/server",
    prepare: async (page) => {
      await click(page, '[aria-label*="[limits]"]');
      await page.locator(".setting-form input").first().fill("-1");
      await page.locator(".setting-form [type=submit]").click();
      await page.locator(".setting-form .fault").waitFor();
      await page.locator(".setting-form").scrollIntoViewIfNeeded();
    },
    offends: /status of 422/,
  },
  { name: "settings-ways", path: "/settings/ways" },
  { name: "settings-alerts", path: "/settings/alerts" },
  {
    name: "settings-ways-add",
    path: "/settings/ways",
    prepare: (page) => click(page, ".bar .btn.first"),
  },
  { name: "new-workspace", path: "/settings/server?new=true", prepare: (page) => filled(page, "Second shop") },
  {
    name: "settings-workspaces",
    path: "/settings/server",
    prepare: async (page) => {
      await click(page, ".all-workspaces .btn.only");
      await page.getByRole("menuitem").first().waitFor();
    },
  },
  {
    name: "workspace-export",
    path: "/settings/server",
    prepare: async (page) => {
      await click(page, ".all-workspaces .btn.only");
      await page.getByRole("menuitem", { name: /^(Export|Exportieren)/ }).click();
      await page.getByRole("dialog").locator("input").first().waitFor();
    },
  },
  {
    name: "workspace-import",
    path: "/settings/server?import=true",
    prepare: async (page) => {
      const buffer = Buffer.alloc(5_000);
      const file = { name: "shop.tar", mimeType: "application/x-tar", buffer };
      await page.getByRole("dialog").locator("input").first().setInputFiles(file);
      await page.getByRole("dialog").locator(".btn.first").click();
      await page.getByRole("dialog").locator(".fault").waitFor();
    },
    offends: /status of 422/,
  },
  { name: "workspace", path: "/settings/workspace" },
  { name: "link-host", path: "/settings/workspace", prepare: (page) => scrolled(page, ".link-host") },
  { name: "team", path: "/settings/team" },
  { name: "invite", path: "/settings/team", prepare: (page) => dialog(page, ".bar .actions .btn.first") },
  { name: "roles", path: "/settings/team", prepare: (page) => scrolled(page, ".role-table") },
  {
    name: "role-menu",
    path: "/settings/team",
    prepare: async (page) => {
      await click(page, ".people .role[aria-haspopup] >> nth=0");
      await page.getByRole("menuitemradio").first().waitFor();
    },
  },
  { name: "audit", path: "/settings/team/audit" },
  { name: "recipient-pages", path: "/settings/pages?page=unsubscribe" },
  { name: "recipient-footer", path: "/settings/pages?page=footer" },
];

/** Their campaigns come late: other pictures are of the shop without them. */
const CAMPAIGNS: readonly Screen[] = [
  { name: "campaigns", path: "/campaigns" },
  {
    name: "campaign-make",
    path: "/campaigns",
    prepare: async (page) => {
      await dialog(page, ".bar .actions > .btn");
      await page.getByRole("dialog").locator(".segmented").waitFor();
    },
  },
  { name: "campaign-write", path: "/campaigns", prepare: (page) => campaign(page, "May letter", 1) },
  {
    name: "campaign-settings",
    path: "/campaigns",
    prepare: async (page) => {
      await campaign(page, "May letter", 1);
      await page
        .getByRole("button", { name: /^(Change|Ändern)$/ })
        .first()
        .click();
      await page.getByRole("dialog").locator(".filter-field.tags").waitFor();
    },
  },
  {
    name: "campaign-audience",
    path: "/campaigns",
    prepare: async (page) => {
      await campaign(page, "May letter", 2);
      await page.locator(".sum .opens").nth(1).click();
      await page.locator(".audience-people .line").first().waitFor();
    },
  },
  {
    name: "campaign-check",
    path: "/campaigns",
    prepare: async (page) => {
      await campaign(page, "May letter", 3);
      await page.locator(".checks .line .m.ok").first().waitFor();
      await page.locator(".inbox-lines .line b", { hasText: "river" }).first().waitFor();
    },
  },
  {
    name: "campaign-send",
    path: "/campaigns",
    prepare: async (page) => {
      await campaign(page, "June letter", 3);
      await page.locator(".checking .btn.first:not([aria-disabled])").click();
      await page.getByRole("dialog").locator(".sum").waitFor();
    },
  },
  {
    name: "campaign-account",
    path: "/campaigns",
    prepare: async (page) => {
      await campaign(page, "April letter", 4);
      await page.locator('.parts-row .part[href*="part=failed"]').click();
      await page.locator(".account-people .line code").first().waitFor({ state: "attached" });
    },
  },
  {
    name: "campaign-opened",
    path: "/campaigns",
    prepare: async (page) => {
      await campaign(page, "April letter", 4);
      await page
        .locator(".fate .line")
        .filter({ hasText: /opened|geöffnet/ })
        .first()
        .click();
      await page.locator(".account-people.no-why .line").first().waitFor();
    },
  },
  {
    name: "campaign-links",
    path: "/campaigns",
    prepare: async (page) => {
      await campaign(page, "April letter", 4);
      await page.locator(".links .line").first().scrollIntoViewIfNeeded();
      await page.frameLocator(".marked-mail iframe").locator("a + span").first().waitFor();
    },
  },
];

const OTHERS: readonly Screen[] = [
  { name: "me", path: "/me" },
  { name: "me-end", path: "/me", prepare: (page) => scrolled(page, ".own >> nth=-1") },
  { name: "not-found", path: "/nowhere" },
  { name: "sign-in", path: "/sign-in", open: true },
  { name: "sign-in-providers", path: "/sign-in", open: true, house: "flows" },
  { name: "provider-away", path: "/provider/lanternfish", open: true, house: "flows" },
  { name: "me-providers", path: "/me", house: "flows", prepare: (page) => scrolled(page, "text=Partners") },
  { name: "team-providers", path: "/settings/team", house: "flows", before: roleByProvider },
  { name: "link-gone", path: "/welcome#unknown", open: true },
  { name: "invitation", path: "/invitation#", open: "invitation" },
  // Last: each makes somebody who is locked out.
  { name: "recovery", path: "/welcome#", open: "recovery" },
];

const PEOPLE: readonly Screen[] = [
  { name: "people", path: "/people", before: peopleWithAPast },
  {
    name: "people-chosen",
    path: "/people",
    before: peopleWithAPast,
    prepare: async (page) => {
      for (const at of [0, 2, 3]) await page.locator(".persons.virtual .checkbox").nth(at).click();
      await page.locator(".people-bulk").waitFor();
    },
  },
  {
    name: "people-add",
    path: "/people",
    before: peopleWithAPast,
    prepare: (page) => dialog(page, ".bar .btn.first"),
  },
  { name: "person", path: "/people?search=ada@example", before: peopleWithAPast, prepare: openPerson },
  { name: "person-bounced", path: "/people?search=marlow", before: peopleWithAPast, prepare: openPerson },
  {
    name: "person-consent",
    path: "/people?search=ada@example",
    before: peopleWithAPast,
    prepare: async (page) => {
      await openPerson(page);
      await page.locator(".tabs a[href*='kind=CONSENT']").click();
      await page.locator(".consent-proof").waitFor();
    },
  },
  {
    name: "person-send",
    path: "/people?search=ada@example",
    before: peopleWithAPast,
    prepare: async (page) => {
      await openPerson(page);
      await dialog(page, ".bar .btn.first");
    },
  },
  {
    name: "person-erase",
    path: "/people?search=ada@example",
    before: peopleWithAPast,
    prepare: async (page) => {
      await openPerson(page);
      await page.locator(".bar [aria-haspopup]").last().click();
      await page.getByRole("menuitem").last().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "people-duplicates",
    path: "/people/duplicates",
    before: peopleTwice,
    prepare: async (page) => {
      await page.locator(".side-by-side").first().waitFor();
    },
  },
  {
    name: "people-merge-all",
    path: "/people/duplicates",
    before: peopleTwice,
    prepare: async (page) => {
      await page
        .locator(".page .btn")
        .filter({ hasText: /Merge all|Alle mit/ })
        .click();
      await page.locator(".merge-samples").waitFor();
    },
  },
  {
    name: "people-merge",
    path: "/people?search=harbour-books",
    before: peopleTwice,
    prepare: async (page) => {
      for (const at of [0, 1]) await page.locator(".persons.virtual .checkbox").nth(at).click();
      await page
        .locator(".people-bulk .btn")
        .filter({ hasText: /Merge|Zusammenf/ })
        .click();
      await page.getByRole("dialog").locator(".side-by-side").waitFor();
    },
  },
  { name: "person-merged", path: "/people?search=joan@example.net", before: peopleTwice, prepare: openPerson },
  { name: "people-import", path: "/people/import", before: peopleWithAPast },
  {
    name: "people-import-tried",
    path: "/people/import",
    before: peopleWithAPast,
    prepare: async (page) => {
      await page
        .locator("input[type=file]")
        .setInputFiles({ name: "spring-fair.csv", mimeType: "text/csv", buffer: FAIR_CSV });
      await page.locator(".closing").waitFor();
    },
  },
  {
    name: "people-import-from",
    path: "/people/import?from=product",
    prepare: async (page) => {
      await page.route("**/contacts/import-from", (route) => route.fulfill({ json: MOVED }));
      await page.locator("input[name=key]").fill("a-key-us19");
      await page.locator("button[type=submit]").click();
      await page.locator("[aria-label='Result'], [aria-label='Ergebnis']").waitFor();
    },
  },
  {
    name: "people-import-files",
    path: "/people/import",
    before: peopleWithAPast,
    prepare: async (page) => {
      await page.locator("input[type=file]").setInputFiles([...MAILCHIMP_FILES]);
      await page.locator(".closing").waitFor();
    },
  },
];

const came = (read: number, added: number, refused = 0) => ({ read, added, changed: 0, known: 0, refused });

/** What a move from Mailchimp answers at its end, as far as the screen shows it. */
const MOVED = {
  waitSeconds: null,
  report: "# From Mailchimp to Posthorn\n",
  state: {
    counts: {
      people: { ...came(18_412, 18_209, 3), changed: 200 },
      topics: came(4, 4),
      segments: came(2, 2),
      members: came(2_040, 2_040),
      templates: came(7, 0, 7),
      suppressions: came(31, 31),
    },
    gaps: [
      {
        ...{ what: "people", why: "This is not an email address.", count: 3 },
        examples: ["ada@example", "bob at example.com"],
      },
      {
        ...{ what: "templates", why: "Mailchimp's API does not give out the HTML of templates.", count: 7 },
        examples: ["Spring letter", "Autumn letter"],
      },
    ],
  },
};

/** Once, however many pictures are taken. */
async function saveViews(posthorn: Posthorn): Promise<void> {
  if ((await posthorn.call("GET /views?list=events")).body.views?.length > 0) return;
  for (const [name, eventName] of [
    ["Clicks of readers in spring", "email.click"],
    ["Bounces", "email.bounce"],
    ["Sign-ups from the web page and from the shop", "signup"],
  ] as const)
    await posthorn.call("POST /views", { list: "events", name, filter: { name: eventName } });
}

async function openPerson(page: Page): Promise<void> {
  await page.locator(".persons .line a").first().click();
  await page.locator(".person-past .tl").first().waitFor();
}

/** In which the shop has its past. */
const FEBRUARY = "from=2026-02-07T23:00:00.000Z&to=2026-03-11T00:00:00.000Z";

const EVENTS: readonly Screen[] = [
  {
    name: "events",
    path: "/events",
    before: peopleWithAPast,
    prepare: async (page) => {
      await page.locator(".events-list > button", { hasText: "page.turned" }).first().click();
      await page.locator(".event-open").waitFor();
    },
  },
  {
    name: "events-of-a-name",
    path: "/events?name=email.open",
    prepare: (page) => page.locator(".event-shape dl").waitFor(),
  },
  {
    name: "events-of-a-tag",
    path: "/events?tag=invoice",
    prepare: async (page) => {
      await page.locator(".events-list > button").first().click();
      await page.locator(".event-open").waitFor();
    },
  },
  {
    name: "event-views",
    path: "/events?name=email.open",
    before: saveViews,
    prepare: (page) => page.getByRole("link", { name: "Clicks of readers in spring" }).waitFor(),
  },
  {
    name: "event-view-saved",
    path: "/events?name=email.open",
    before: saveViews,
    prepare: async (page) => {
      await page.getByRole("button", { name: /^(Save this view|Ansicht speichern)$/ }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "event-names",
    path: "/events?tab=names",
    before: peopleWithAPast,
    prepare: (page) => page.locator(".event-names > a").first().waitFor(),
  },
  {
    name: "statistics",
    path: `/statistics?${FEBRUARY}`,
    prepare: (page) => page.locator(".groups tbody tr").first().waitFor(),
  },
  {
    name: "mail-opened",
    path: `/mail?happened=opened&since=2026-02-10T00:00:00.000Z`,
    prepare: (page) => page.locator(".mails a.line").first().waitFor(),
  },
  {
    name: "statistics-campaigns",
    path: `/statistics?${FEBRUARY}&group=campaign`,
    prepare: async (page) => {
      await page.locator(".groups tbody tr").first().waitFor();
      await scrolled(page, ".groups");
    },
  },
];

export const SCREENS: readonly Screen[] = [
  ...NEW.map((screen): Screen => ({ ...screen, house: "new" })),
  ...[
    ...OVERVIEW,
    ...PEOPLE,
    ...EVENTS,
    ...MAIL,
    ...WRITING,
    ...WORKFLOWS,
    ...SET_UP,
    ...SEGMENTS,
    ...FORMS,
    ...CAMPAIGNS.map((screen): Screen => ({ ...screen, before: campaignsOf })),
    ...OTHERS,
    ...AUDIENCE,
  ],
];

/** Opens the campaign of this name, and a part of it. */
async function campaign(page: Page, name: string, part: number): Promise<void> {
  await page.locator(".line", { hasText: name }).first().click();
  await page.locator(`.bar .tabs > :nth-child(${part})`).click();
}

function click(page: Page, what: string): Promise<void> {
  return page.locator(what).first().click();
}

async function dialog(page: Page, button: string): Promise<void> {
  await click(page, button);
  await page.getByRole("dialog").waitFor();
}

function filled(page: Page, text: string): Promise<void> {
  return page.getByRole("dialog").getByRole("textbox").fill(text);
}

function scrolled(page: Page, to: string): Promise<void> {
  return page.locator(to).first().scrollIntoViewIfNeeded();
}

async function ownDomain(page: Page, name = /^lanternfish/): Promise<void> {
  const line = page.locator("a.line", { hasText: name }).filter({ visible: true });
  if ((await line.count()) > 0) await line.first().click();
}

/** Opens the first mail of this name, and a part of it. */
async function shown(page: Page, name: RegExp, part: number): Promise<void> {
  await page.locator("a.line", { hasText: name }).first().click();
  await page.locator(`.viewbar .tabs > :nth-child(${part})`).click();
  await page.locator(".well-text").waitFor();
}

/** Opens the first mail of this name, and waits until it is whole. */
async function opened(page: Page, name: RegExp): Promise<void> {
  await page.locator("a.line", { hasText: name }).first().click();
  await page.frameLocator("iframe").locator("body :first-child").first().waitFor();
}
