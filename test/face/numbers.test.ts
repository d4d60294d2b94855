// Every number that is a link or a button opens what it counts: each screen is drawn, each such number followed, and
// what opens compared with it.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { linksFor } from "../../src/content/rendering/links.ts";
import {
  findLeftMail,
  markComplained,
  markDelivered,
  markReturned,
  markUndelivered,
} from "../../src/mail/emails/feedback/feedback.ts";
import { recordVisits } from "../../src/mail/emails/feedback/visits.ts";
import type { Tx } from "../../src/store/store.ts";
import { journey, visit } from "../support/browser.ts";
import { imported } from "../support/files.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import type { RecordingTransport } from "../support/transport.ts";
import { addWorkflow, track } from "../support/workflows.ts";
import { flowing } from "./flows.ts";
import { peopleWithAPast } from "./people-scene.ts";
import { holdCampaign, lanternfish } from "./scene.ts";

/**
 * Links whose text is a number, such as "7" or "7 new", or that hold one number beside words, such as "Failed 3". A row
 * of a list opens its record.
 */
const NUMBERS = `[...document.querySelectorAll("main a[href]:not(.rows:not(.fate) > .line)")].flatMap((link) => {
  const own = (one) => [...one.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data).join("").trim();
  const numbers = [link, ...link.querySelectorAll("*")].map(own).filter((text) => /^\\d[\\d,]*( (new|existed|invalid))?$/.test(text));
  return numbers.length === 1 && link.checkVisibility() ? [[link.href, Number(numbers[0].replace(/\\D/g, ""))]] : [];
})`;

/** By the address that opens: the rows of its list, and where the list says how many it has. */
const LISTS: readonly { readonly at: RegExp; readonly rows: string; readonly total?: string }[] = [
  { at: /\/(mail|people)(\?|$)/, rows: "main .rows.virtual .line", total: "main .foot .stay" },
  { at: /\/campaigns\/[^/]+\?.*tab=audience/, rows: ".audience-people > .line" },
  { at: /\/campaigns\/[^/]+\?.*(part|link)=/, rows: ".account-people > .line" },
  { at: /\/workflows\/[^/]+\?.*(state|tab)=/, rows: ".executions .one" },
  { at: /\/people\/import\?.*#invalid-rows$/, rows: "#invalid-rows .line" },
  { at: /\/segments\/[^/]+\?.*tab=people/, rows: ".members > .line" },
];

/** How many are shown: undefined while they load, or while there are more. */
const SHOWN = ({ rows, total = "none" }: (typeof LISTS)[number]) => `(() => {
  if (document.querySelector("main [aria-busy=true]")) return undefined;
  const more = [...document.querySelectorAll("main .foot button")].find(({ innerText }) => innerText === "More");
  if (more) return void more.click();
  const said = document.querySelector(${JSON.stringify(total)})?.textContent;
  if (!said) return document.querySelectorAll(${JSON.stringify(rows)}).length;
  if (!said.includes("so far")) return Number(said.replace(/\\D/g, ""));
  const scroller = document.querySelector("main .scroll");
  scroller.scrollTop = scroller.scrollHeight;
})()`;

const PATIENCE_MS = 6_000;
const LOOK_AGAIN_MS = 20;

/** What the number opens, once it is the same; what it is in the end otherwise. */
async function opened(page: Page, href: string, count: number): Promise<unknown> {
  await page.evaluate(`history.pushState({}, "", ${JSON.stringify(href)})`);
  const list = LISTS.find(({ at }) => at.test(href));
  if (!list) return "an unknown screen";
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const shown = await page.evaluate(SHOWN(list));
    if (shown === count || performance.now() > deadlineMs) return shown;
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}

/** Each number once, wherever it is shown. */
async function wrongNumbers(posthorn: Posthorn, paths: readonly string[]): Promise<string[]> {
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  const wrong: string[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    await eva.open(path);
    await page.waitForLoadState("networkidle");
    for (const [href, count] of (await page.evaluate(NUMBERS)) as [string, number][]) {
      const sign = `${href.replace(/^.*\/app/, "")} ${count}`;
      if (seen.has(sign)) continue;
      seen.add(sign);
      const shown = await opened(page, href, count);
      if (shown !== count) wrong.push(`${path}: ${count} opens ${shown} at ${sign}`);
    }
  }
  expect(seen.size).toBeGreaterThan(20);
  return wrong;
}

/** Numbers of a condition, which open a dialog. */
async function wrongButtons(posthorn: Posthorn, path: string): Promise<string[]> {
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open(path);
  await page.waitForLoadState("networkidle");
  const buttons = await page.locator("main button.opens").filter({ visible: true }).all();
  const wrong: string[] = [];
  for (const button of buttons) {
    const count = Number(await button.innerText());
    await button.click();
    const dialog = page.getByRole("dialog");
    await dialog.locator(".found-people:not([aria-busy=true])").waitFor();
    while (await dialog.getByRole("button", { name: "Show more" }).isVisible())
      await dialog.getByRole("button", { name: "Show more" }).click();
    const shown = await dialog.locator(".found-people > .line").count();
    if (shown !== count)
      wrong.push(`${count} opens ${shown}: ${await dialog.getByRole("heading").first().innerText()}`);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }
  expect(buttons.length).toBeGreaterThan(8);
  return wrong;
}

async function idOf(posthorn: Posthorn, list: string, name: string): Promise<string> {
  const { body } = await posthorn.call(`GET ${list}`);
  return (body.data ?? body).find((one: Json) => one.name === name).id;
}

type LeftMail = Parameters<typeof markDelivered>[1];
type Ways = Parameters<typeof markReturned>[3];

/** A campaign of which mail goes every way there is, and one that is cancelled on its way. */
async function sendToEveryFate(posthorn: Posthorn): Promise<string> {
  const transport = posthorn.transport as RecordingTransport;
  const before = transport.answer;
  const body = '<p><a href="https://lanternfish.example/list">The list</a> {{ unsubscribeUrl }}</p>';
  const news = { subject: "Fates", body, from: "hello@lanternfish.example", audienceType: "ALL" };
  const send = async (name: string) => {
    const { data } = (await posthorn.call("POST /campaigns", { ...news, name })).body;
    await posthorn.call(`POST /campaigns/${data.id}/send`, {});
    await posthorn.settle();
    return data.id;
  };
  await posthorn.call("POST /contacts", { email: "typo@example.com" });
  transport.answer = (mail) =>
    mail.envelope.recipient === "typo@example.com"
      ? { kind: "bounced", reply: "550 5.1.1 user unknown" }
      : before(mail);
  const id = await send("Fates");
  const recipients: Json[] = (await posthorn.call(`GET /campaigns/${id}/recipients?state=SENT&limit=100`)).body.data;
  const react = (at: number, then: (tx: Tx, mail: LeftMail) => Promise<void>) =>
    posthorn.store.write(async (tx) => {
      const mail = await findLeftMail(tx, recipients[at]?.emailId);
      if (mail && mail !== "early") await then(tx, mail);
    });
  const returned = (at: number, how: Ways, isDelivered = false) =>
    react(at, async (tx, mail) => {
      if (isDelivered) await markDelivered(tx, mail);
      await markReturned(tx, mail, { reason: "550 5.1.1 user unknown", byCarrier: false }, how);
    });
  await returned(0, "Permanent", true);
  await returned(1, "Transient");
  await returned(2, "Unexplained", true);
  await react(3, (tx, mail) => markUndelivered(tx, mail, { reason: "554 5.7.1 refused", byCarrier: false }));
  await react(4, markComplained);
  await returned(5, "Permanent");
  await react(5, markComplained);
  await react(6, markDelivered);
  const { emailId, contactId } = recipients[7] as Json;
  const visits = [null, "https://lanternfish.example/list"].map((link) => ({ emailId, link, isMachine: false }));
  await posthorn.store.write((tx) => recordVisits(tx, visits));
  const { unsubscribeUrl } = linksFor(posthorn.secrets, posthorn.server.url, { contactId, emailId });
  await fetch(unsubscribeUrl, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });
  transport.answer = () => ({ kind: "unreachable", reply: "connect ECONNREFUSED" });
  const late = await send("Too late");
  await posthorn.call(`POST /campaigns/${late}/cancel`, {});
  transport.answer = before;
  await posthorn.settle();
  return id;
}

const filter = (field: string, value: unknown, operator = "equals") => ({ field, operator, value });
/** With people of every standing, and groups inside. */
const NESTED = {
  logic: "OR",
  groups: [
    {
      filters: [filter("email", "example", "contains")],
      conditions: {
        logic: "OR",
        groups: [
          { filters: [filter("data.plan", "pro"), filter("data.country", "DE")] },
          { filters: [filter("subscribed", false)] },
        ],
      },
    },
    { filters: [filter("data.plan", "free")] },
  ],
};

journey("Every number that is a link opens as many as it says", async () => {
  await using posthorn = await lanternfish();
  await peopleWithAPast(posthorn);
  const fates = await sendToEveryFate(posthorn);
  await holdCampaign(posthorn);
  const [late, pro] = [await idOf(posthorn, "/campaigns", "Too late"), await idOf(posthorn, "/segments", "Pro")];
  const { data: draft } = (
    await posthorn.call("POST /campaigns", {
      ...{ name: "Draft", subject: "Draft", body: "<p>Draft</p>", from: "hello@lanternfish.example" },
      audienceType: "ALL",
    })
  ).body;
  const results = [`/campaigns/${fates}?tab=results`, `/campaigns/${late}?tab=results`];
  const people = ["cora", "dora", "ada", "cora"].map((name) => `${name}@example.com\n`);
  const { id: file } = await imported(posthorn, `email\n${people.join("")}nobody\n@@\n`);
  const imports = ["/people/import", `/people/import?job=${file}`];
  const { id: ada } = (await posthorn.call("GET /contacts/by-email/ada@example.com")).body;
  expect(
    await wrongNumbers(posthorn, [
      ...["/", "/mail", "/people", "/people?status=UNSUBSCRIBED", `/people/${ada}`],
      ...["provider", "template", "campaign"].map((group) => `/statistics?group=${group}`),
      ...[...results, `/campaigns/${draft.id}?tab=audience`, ...imports],
      ...["/segments", `/segments/${pro}?tab=people`, "/campaigns", "/templates", "/events"],
      ...["/settings/domains", "/settings/webhooks", "/settings/keys"],
    ]),
  ).toEqual([]);
  const { id: nested } = (await posthorn.call("POST /segments", { name: "Nested", condition: NESTED })).body;
  expect(await wrongButtons(posthorn, `/segments/${nested}`)).toEqual([]);
  // A recipient who is erased is one of the results, without a name; whom an import added is gone once it is undone.
  await posthorn.call(`POST /contacts/import/${file}/undo`, {});
  await posthorn.call(`DELETE /contacts/${ada}`);
  await posthorn.settle();
  expect(await wrongNumbers(posthorn, [...results, ...imports])).toEqual([]);
});

const end = { ref: "end", type: "EXIT", name: "Goodbye", config: {} };
const leaves = { fromStepId: "pro", toStepId: "end", condition: { branch: "no" } };

journey("Every number of a workflow opens as many as it says", async () => {
  const { posthorn, workflow } = await flowing();
  await using _ = posthorn;
  const bye = await addWorkflow(
    posthorn,
    [
      {
        ref: "pro",
        type: "CONDITION",
        name: "Other?",
        config: { field: "data.plan", operator: "notEquals", value: "pro" },
      },
      end,
    ],
    {
      ...{ name: "Goodbyes", eventName: "bye" },
      transitions: [{ fromStepId: "trigger", toStepId: "pro" }, leaves],
    },
  );
  for (const name of ["ada", "mary", "ben", "ines", "zoe"]) await track(posthorn, "bye", {}, `${name}@example.com`);
  await track(posthorn, "bye", {}, "ada@example.com");
  await posthorn.settle();
  const { data } = (await posthorn.call(`GET /workflows/${workflow.id}/executions?status=WAITING`)).body;
  await posthorn.call(`DELETE /workflows/${workflow.id}/executions/${data[0].id}`);
  const paths = [workflow, bye].flatMap(({ id, steps }) => [
    ...[`/workflows/${id}`, `/workflows/${id}?view=list`],
    ...steps.map((step: Json) => `/workflows/${id}?step=${step.id}`),
  ]);
  expect(await wrongNumbers(posthorn, ["/workflows", ...paths])).toEqual([]);
});
