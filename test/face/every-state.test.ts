// Every screen with each of its calls broken, one way or another: nothing loads for ever, nothing is blank, what failed
// is said, and trying again works.
import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { journey, visit } from "../support/browser.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { breakCalls, FAULTS, impatient, nameOf, OFFENDS, saysWhatFailed, triesAgain } from "./broken-calls.ts";
import type { FaultKind } from "./broken-calls.ts";
import { isToShow } from "./since.ts";

const FIXED = [
  ...[
    "",
    "/mail",
    "/people",
    "/people/import",
    "/people/import?from=product",
    "/segments",
    "/segments/new",
    "/forms",
    "/campaigns",
    "/templates",
  ],
  ...["/workflows", "/events", "/events?tab=names", "/statistics", "/settings/domains", "/settings/keys"],
  ...[
    "/settings/smtp",
    "/settings/webhooks",
    "/settings/server",
    "/settings/ways",
    "/settings/workspace",
    "/settings/brand",
  ],
  ...["/settings/team", "/settings/team/audit", "/settings/pages", "/me"],
];
/** Pages at once: most of the time is spent waiting for what is tried again. */
const PAGES = 3;

let posthorn: Posthorn;
let paths: readonly string[];
beforeAll(async () => {
  posthorn = await startPosthorn();
  paths = [...FIXED, ...(await opened(posthorn))].filter(isToShow);
});
afterAll(() => posthorn[Symbol.asyncDispose]());

/** One of each thing, opened. */
async function opened(posthorn: Posthorn): Promise<readonly string[]> {
  const letter = { subject: "Hello", body: "<p>Hello {{ name }}</p>", from: "hello@example.test" };
  const made = async (route: string, body: object) => {
    const { body: answer } = await posthorn.call(route, body);
    return (answer.data ?? answer).id as string;
  };
  const filters = [{ field: "data.plan", operator: "equals", value: "pro" }];
  await posthorn.call("POST /contacts", { email: "ada@example.com", data: { plan: "pro" } });
  const contact = (await posthorn.call("GET /contacts?limit=1")).body.data[0].id;
  const segment = await made("POST /segments", { name: "Pro", condition: { groups: [{ filters }] } });
  const form = await made("POST /forms", { name: "News", consent: { wording: { en: "Yes." } } });
  const template = await made("POST /templates", { ...letter, name: "Hello", type: "TRANSACTIONAL" });
  const campaign = await made("POST /campaigns", { ...letter, name: "News", audienceType: "ALL" });
  const steps = [{ type: "DELAY", name: "Wait", config: { amount: 3, unit: "days" } }];
  const workflow = await made("POST /workflows", { name: "Welcome", eventName: "signup", steps });
  await posthorn.call("POST /v1/send", { to: "ada@example.com", ...letter });
  await posthorn.settle();
  const { data } = (await posthorn.call("GET /emails?limit=1")).body;
  return [
    ...[`/people/${contact}`, `/segments/${segment}`, `/segments/${segment}?tab=history`, `/templates/${template}`],
    ...[`/forms/${form}`, `/forms/${form}?tab=embed`, `/forms/${form}?tab=results`],
    ...[`/campaigns/${campaign}`, `/campaigns/${campaign}?tab=audience`, `/campaigns/${campaign}?tab=check`],
    ...[`/workflows/${workflow}`, `/workflows/${workflow}?tab=people`, `/mail/${data[0].id}`],
  ];
}

type Work = (page: Page, path: string) => Promise<void>;

/** What went wrong on which screen. */
async function onEach(screens: readonly string[], work: Work): Promise<readonly string[]> {
  const left = [...screens];
  const faults: string[] = [];
  const one = async () => {
    await using eva = await visit(posthorn, { offends: OFFENDS });
    await signIn(eva.context, posthorn);
    await impatient(eva);
    for (let path = left.shift(); path !== undefined; path = left.shift())
      await work(eva.page, path).catch((error: Error) => faults.push(`${path}: ${error.message}`));
  };
  await Promise.all(Array.from({ length: PAGES }, one));
  return faults;
}

const open = (page: Page, path: string) => page.goto(`${posthorn.server.url}/app${path}`);

async function broken(page: Page, path: string, kind: FaultKind, only?: string): Promise<void> {
  const { mend, broken: calls } = await breakCalls(page, posthorn.server.url, kind, only);
  try {
    await open(page, path);
    await saysWhatFailed(page, kind);
  } catch (error) {
    throw new Error(`${kind} of ${[...calls].join(", ") || `no call, not even ${only}`}: ${(error as Error).message}`);
  } finally {
    await mend();
  }
  await triesAgain(page);
}

/** With POSTHORN_FAULTS=all each screen meets each fault; else they take turns. */
const rounds = process.env["POSTHORN_FAULTS"] === "all" ? FAULTS.map((_, at) => at) : [0];

journey.each(rounds)("All calls of a screen fail, round %d", async (round) => {
  const kindOf = (path: string) => FAULTS[(paths.indexOf(path) + round) % FAULTS.length] ?? "error";
  expect(await onEach(paths, (page, path) => broken(page, path, kindOf(path)))).toEqual([]);
});

/** A text is whatever comes: no page can tell that it is malformed. */
const isText = (call: string) => /\/html(\?|$)/.test(call);

/** Together they would take as long as a test may. */
const PARTS = [1, 2, 3, 4];

journey.each(PARTS)("One call of a screen fails, screens of part %d", async (part) => {
  const each: Work = async (page, path) => {
    const { mend, broken: calls } = await watched(page, path);
    await mend();
    for (const [at, call] of [...calls].toSorted().entries()) {
      const kind = FAULTS[(paths.indexOf(path) + at) % FAULTS.length] ?? "error";
      await broken(page, path, kind === "malformed" && isText(call) ? "error" : kind, call);
    }
  };
  const screens = paths.filter((_, at) => at % PARTS.length === part - 1);
  expect(await onEach(screens, each)).toEqual([]);
});

/** The calls that a screen makes when nothing is wrong. */
async function watched(page: Page, path: string) {
  const calls = new Set<string>();
  const note = (request: Parameters<typeof nameOf>[0]) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith("/app") && !["/me", "/session"].includes(pathname)) calls.add(nameOf(request));
  };
  // What the screen before still fetches is none of this screen's.
  await page.goto("about:blank");
  page.on("request", note);
  await open(page, path);
  await page.locator("h1").first().waitFor();
  await page.waitForLoadState("networkidle");
  return { broken: calls, mend: async () => void page.off("request", note) };
}
