// The thirteen lists are one: the same head, search, tabs, rows and footer, and the same words and places where there
// is nothing, where nothing matches, while it loads and when it fails.
import { afterAll, beforeAll, expect } from "bun:test";
import type { Page, Route } from "playwright-core";
import { focusSearch, journey, soon, visit, whole } from "../support/browser.ts";
import { imported } from "../support/files.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { OFFENDS } from "./broken-calls.ts";

type Listed = {
  readonly path: string;
  /** What answers it. */
  readonly call: string;
  /** The filled button; null: nobody makes one. */
  readonly make: string | null;
  readonly count: RegExp;
  readonly search?: string;
  readonly hasTabs?: true;
  /** There is always something in it. */
  readonly isNeverEmpty?: true;
};

const LISTS: readonly Listed[] = [
  {
    ...{ path: "/people", call: "/contacts", make: "Add a contact", count: /^1 contact$/ },
    ...{ search: "Search contacts", hasTabs: true },
  },
  { path: "/topics", call: "/topics", make: "New topic", count: /^1 topic$/, search: "Find a topic" },
  {
    ...{ path: "/suppressions", call: "/suppressions", make: "Add suppression", count: /^1 suppression$/ },
    ...{ search: "Find an address or a domain", hasTabs: true },
  },
  { path: "/people/import", call: "/contacts/import", make: "Choose a file", count: /^1 import$/ },
  { path: "/segments", call: "/segments", make: "New segment", count: /^1 segment$/, search: "Find a segment" },
  {
    ...{ path: "/campaigns", call: "/campaigns", make: "New campaign", count: /^1 campaign$/ },
    ...{ search: "Find a campaign", hasTabs: true },
  },
  { path: "/forms", call: "/forms", make: "New form", count: /^1 form$/, search: "Find a form" },
  {
    ...{ path: "/templates", call: "/templates", make: "New template", count: /^1 template$/ },
    ...{ search: "Name, subject or description", hasTabs: true },
  },
  {
    ...{ path: "/workflows", call: "/workflows", make: "New workflow", count: /^1 workflow$/ },
    search: "Name or description",
  },
  { path: "/settings/webhooks", call: "/webhooks", make: "Add a webhook", count: /^1 webhook$/ },
  { path: "/settings/keys", call: "/keys", make: "Create a key", count: /^\d+ keys?$/, isNeverEmpty: true },
  {
    ...{ path: "/settings/ways", call: "/installation/ways", make: "Add a route", count: /^1 route$/ },
    isNeverEmpty: true,
  },
  {
    ...{ path: "/settings/team/audit", call: "/audit", make: null, count: /^\d+ changes?$/ },
    ...{ search: "Name of what was changed", hasTabs: true, isNeverEmpty: true },
  },
];
const SEARCHED = LISTS.filter(({ search }) => search !== undefined);

let posthorn: Posthorn;
beforeAll(async () => {
  posthorn = await startPosthorn();
  await oneOfEach(posthorn);
});
afterAll(() => posthorn[Symbol.asyncDispose]());

async function oneOfEach(posthorn: Posthorn): Promise<void> {
  const letter = { subject: "Hello", body: "<p>Hello</p>", from: "hello@example.test" };
  const steps = [{ type: "DELAY", name: "Wait", config: { amount: 3, unit: "days" } }];
  await imported(posthorn, "email\nada@example.com\n");
  await posthorn.call("POST /topics", { key: "news", name: { en: "News" } });
  await posthorn.call("POST /suppressions", { address: "ada@example.com" });
  await posthorn.call("POST /segments", { name: "Friends", type: "STATIC" });
  await posthorn.call("POST /campaigns", { ...letter, name: "Spring", audienceType: "ALL" });
  await posthorn.call("POST /forms", { name: "Sign up", consent: { wording: { en: "Yes." } } });
  await posthorn.call("POST /templates", { ...letter, name: "Receipt", type: "TRANSACTIONAL" });
  await posthorn.call("POST /workflows", { name: "Welcome", eventName: "signup", steps });
  await posthorn.call("POST /webhooks", { url: "https://shop.example.com/hook", events: ["email.*"] });
}

/** How a list looks, as far as lists do not differ. */
const LOOK = `(() => {
  const of = (selector, ...names) => {
    const one = document.querySelector(selector);
    if (!one) return selector + " is missing";
    const style = getComputedStyle(one);
    return names.map((name) => style[name]).join(" ");
  };
  const box = (selector) => document.querySelector(selector)?.getBoundingClientRect();
  const make = box(".bar .btn.first");
  return {
    make: make ? [make.right, make.top, make.height, of(".bar .btn.first", "backgroundColor")].join(" ") : null,
    name: of(".list .rows > .line .name", "color", "fontSize", "fontWeight", "textDecorationLine"),
    head: of(".list .rows > .head", "fontSize", "color", "minHeight"),
    row: of(".list .rows > .line", "minHeight", "display", "borderBottomWidth", "fontSize"),
    search: document.querySelector(".list [role=searchbox]")
      ? [box(".list .filter-field").height, of(".list .filter-field", "borderRadius", "backgroundColor")].join(" ")
      : null,
    tabs: document.querySelector(".list-tabs .tabs") ? of(".list-tabs .tabs > *", "fontSize", "paddingTop") : null,
  };
})()`;

type Look = Readonly<Record<"make" | "name" | "head" | "row" | "search" | "tabs", string | null>>;

journey("Lists look and work alike: head, filled button, search, tabs, rows, footer", async () => {
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  const looks: Look[] = [];
  for (const { path, make, count, search, hasTabs } of LISTS) {
    await eva.open(path);
    const list = page.locator("section.list").first();
    await list.locator(".rows > .line .name").first().waitFor();
    await list.locator("> .foot").getByText(count).waitFor();
    expect([path, await list.locator("> .foot .hints").innerText()]).toEqual([
      path,
      expect.stringMatching(/move\s.*open/s),
    ]);
    expect(await page.locator(".btn.first").allInnerTexts()).toEqual(make === null ? [] : [make]);
    const look = (await page.evaluate(LOOK)) as Look;
    expect([path, look.make !== null, look.search !== null, look.tabs !== null]).toEqual([
      ...[path, make !== null, search !== undefined, hasTabs ?? false],
    ]);
    if (search) await list.getByRole("searchbox", { name: search }).waitFor();
    looks.push(look);
  }
  for (const part of ["make", "name", "head", "row", "search", "tabs"] as const) {
    const kinds = new Set(looks.map((look) => look[part]).filter((look) => look !== null));
    expect([part, [...kinds]]).toEqual([part, [expect.any(String)]]);
  }
});

journey("Where nothing matches, each list says so, and shows all again", async () => {
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  for (const { path, search } of SEARCHED) {
    await eva.open(path);
    await page.locator(".list .rows > .line .name").first().waitFor();
    await focusSearch(page);
    await page.keyboard.type("zzzz");
    await page.waitForURL(/search=zzzz/);
    const blank = page.locator(".list > .blank > .empty");
    await blank.getByRole("heading", { name: "Nothing matches" }).waitFor();
    expect([path, await blank.locator("p").innerText()]).toEqual([path, expect.stringMatching(/\w+/)]);
    await page.keyboard.press("Escape");
    await blank.getByRole("button", { name: "Show all" }).click();
    await page.locator(".list .rows > .line .name").first().waitFor();
    await soon(async () => expect(await page.getByRole("searchbox", { name: search ?? "" }).inputValue()).toBe(""));
    // Keys move along the rows.
    await page.keyboard.press("j");
    await soon(async () => expect(await page.locator(".line:focus-within").count()).toBe(1));
  }
});

journey("An empty list teaches: a sentence, and for who may, a button", async () => {
  await using fresh = await startPosthorn();
  await using eva = await visit(fresh);
  const { page } = eva;
  await signIn(eva.context, fresh);
  for (const { path, make, isNeverEmpty } of LISTS) {
    if (isNeverEmpty) continue;
    await eva.open(path);
    const empty = page.locator(".list > .blank > .empty");
    await empty.locator("h2 + p").waitFor();
    expect([path, await page.locator(".list > .foot, .list-ask").count()]).toEqual([path, 0]);
    expect(await page.locator(".btn.first").allInnerTexts()).toEqual([make ?? ""]);
  }
});

journey(
  "A list that is slow shows grey bars in its rows; one that fails says why, and can be tried again",
  async () => {
    await using eva = await visit(posthorn, { offends: OFFENDS });
    const { page } = eva;
    await signIn(eva.context, posthorn);
    for (const { path, call, make } of LISTS) {
      const { fail, mend } = await held(page, call);
      await page.goto(`${posthorn.server.url}/app${path}`);
      await page.locator(".list .rows[aria-busy=true] > .line > .skeleton").first().waitFor();
      if (make) await page.locator(".bar .btn.first", { hasText: make }).waitFor();
      fail();
      const failed = page.locator(".list .not-loaded").first();
      await failed.getByText("The server had an error.").waitFor();
      await mend();
      await failed.getByRole("button", { name: "Try again" }).click();
      await page.locator(".list .rows > .line .name").first().waitFor();
      await whole(page);
    }
  },
);

/** Holds the calls of a list, and then refuses them. */
async function held(page: Page, call: string) {
  const failing = Promise.withResolvers<void>();
  const matches = ({ pathname }: URL) => pathname === call;
  const answer = async (route: Route) => {
    await failing.promise;
    await route
      .fulfill({ status: 500, json: { error: { code: "INTERNAL_ERROR", message: "Wrong.", requestId: "0192" } } })
      .catch(() => undefined);
  };
  await page.route(matches, answer);
  return { fail: failing.resolve, mend: () => page.unroute(matches, answer) };
}
