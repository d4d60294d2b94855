// What axe cannot see: where the focus goes, in which order keys pass by, how things are named, what forced colours
// keep.
import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { journey, soon, visit } from "../support/browser.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { flowing } from "./flows.ts";

let posthorn: Posthorn;
let workflowId: string;
beforeAll(async () => {
  const flows = await flowing();
  posthorn = flows.posthorn;
  workflowId = flows.workflow.id;
});
afterAll(() => posthorn[Symbol.asyncDispose]());

const focused = (page: Page) =>
  page.evaluate(
    `(({ tagName, textContent, checked }) => tagName + " " + (textContent || checked))(document.activeElement)`,
  );
const isFocused = (page: Page, said: string) => soon(async () => expect(await focused(page)).toBe(said));

journey("A change of page moves the focus to its heading, and leaves it where somebody works", async () => {
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/");
  expect(await focused(page)).toStartWith("BODY");
  await page.getByRole("link", { name: "Contacts" }).first().click();
  await isFocused(page, "H1 Contacts");
  await page.goBack();
  await isFocused(page, "H1 Overview");
  await page.keyboard.press("Control+k");
  await page.getByRole("menuitem").first().waitFor();
  await page.keyboard.type("segments");
  await page.keyboard.press("Enter");
  await isFocused(page, "H1 Segments");
  // So does a link of the page itself, which goes with its page.
  await page.getByRole("link", { name: "Overview" }).first().click();
  await isFocused(page, "H1 Overview");
  await page.locator("main a[href*='/app/mail']").first().click();
  await isFocused(page, "H1 Emails");
  // Beside the list a mail opens; the list keeps the focus, and the title is said.
  await page.locator(".virtual .line").first().waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/mail\/[\w-]+/);
  await soon(async () => expect(await focused(page)).toStartWith("A "));
});

journey("Rows are ticked by keys: the checkbox is before its row, and arrows lead along", async () => {
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/people");
  await page.locator(".persons.virtual .line").nth(1).waitFor();
  await page.keyboard.press("j");
  await soon(async () => expect(await focused(page)).toStartWith("A "));
  await page.keyboard.press("Shift+Tab");
  await isFocused(page, "INPUT false");
  await page.keyboard.press("Space");
  await page.getByText("1 contact selected").waitFor();
  await page.keyboard.press("ArrowDown");
  await isFocused(page, "INPUT false");
  await page.keyboard.press("Space");
  await page.getByText("2 contacts selected").waitFor();
});

journey("The ways of a workflow are named by their steps, and keys pass by them in the order of the flow", async () => {
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open(`/workflows/${workflowId}`);
  await page.locator(".react-flow__edge").first().waitFor();
  const names = (await page.evaluate(
    `[...document.querySelectorAll(".react-flow__edge")].map((way) => way.getAttribute("aria-label"))`,
  )) as string[];
  expect(names[0]).toBe("From signup to Wait for “paid”");
  expect(names).toContain("From Is plan pro? to End");
  expect(names.join()).not.toMatch(/[0-9a-f]{8}-/);
  expect(
    (await page.locator(".edge .add").allTextContents()).map((said) => said.replace("Insert a step after ", "")),
  ).toEqual([
    "signup",
    "Wait for “paid”, in time",
    "Wait for “paid”, too late",
    "Tell the ledger",
    "Set plan to pro",
    "Send “Still there?”",
    "Is plan pro?, yes",
    "Is plan pro?, no",
    "Wait 4 days",
    "Send “Last call”",
  ]);
});

journey("Forced colours keep the open tab, the chosen segment and the squares of sums", async () => {
  await using eva = await visit(posthorn, { forcedColors: "active" });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/people");
  const styleOf = (one: string, property: string) =>
    page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(one)})).${property}`);
  const lineOf = (tab: string) => styleOf(tab, "borderBottomColor");
  expect(await lineOf(".tabs > [aria-current=page]")).not.toBe(await lineOf(".tabs > :not([aria-current])"));
  await eva.open("/");
  await page.locator(".segmented").first().waitFor();
  const groundOf = (choice: string) => styleOf(choice, "backgroundColor");
  expect(await groundOf(".segmented > [aria-checked=true]")).not.toBe(
    await groundOf(".segmented > [aria-checked=false]"),
  );
  const key = await page.evaluate(
    `(() => { const key = document.querySelector("main").appendChild(document.createElement("span")); key.className = "key skipped"; return getComputedStyle(key).forcedColorAdjust; })()`,
  );
  expect(key).toBe("none");
});

journey("A step shows a name of forty characters, and nothing lies under the controls of the canvas", async () => {
  await using eva = await visit(posthorn, { viewport: { width: 1024, height: 768 } });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  const { body } = await posthorn.call("POST /workflows", {
    ...{ name: "Long names", eventName: "signup" },
    steps: ["Tell the ledger about the new subscriber", "Wait until the first invoice is paid up"].map((name) => ({
      ...{ type: "DELAY", name, config: { amount: 4, unit: "days" } },
    })),
  });
  await eva.open(`/workflows/${body.id}`);
  const titles = page.locator(".step-title");
  await titles.nth(2).waitFor();
  const cut = `[...document.querySelectorAll(".step-title")].filter(
    (one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1).length`;
  expect(await page.evaluate(cut)).toBe(0);
  await eva.open(`/workflows/${workflowId}`);
  await page.locator(".react-flow__node-end").first().waitFor();
  const covered = `(() => {
    const boxes = (all) => [...document.querySelectorAll(all)].map((one) => one.getBoundingClientRect());
    const controls = boxes(".canvas-tools, .tally");
    return boxes(".react-flow__node, .edge").filter((one) => controls.some((other) =>
      one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom)).length;
  })()`;
  await soon(async () => expect(await page.evaluate(covered)).toBe(0));
});
