// One person writes alone, on a network that is not always there: nothing typed is lost, and nobody is asked whose
// version stays.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { journey, soon, visit, type Visit } from "../support/browser.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

const LETTER = { name: "April", subject: "First", body: "<p>Hello</p>", from: "a@example.test", audienceType: "ALL" };
const SAVED = /^saved \d/;

async function draft(posthorn: Posthorn): Promise<string> {
  return (await posthorn.call("POST /campaigns", LETTER)).body.data.id;
}

async function writer(posthorn: Posthorn): Promise<Visit> {
  const eva = await visit(posthorn, { offends: /status of 409|ERR_FAILED/ });
  await signIn(eva.context, posthorn);
  return eva;
}

const subjectOf = (page: Page) => page.getByRole("textbox", { name: "Subject" });
const now = async (posthorn: Posthorn, id: string) => (await posthorn.call(`GET /campaigns/${id}`)).body.data;

/** Whether somebody is asked whose version stays. */
const choices = (page: Page) =>
  page.getByRole("button", { name: "Use theirs" }).or(page.getByRole("dialog", { name: "Changed by somebody else" }));

journey("What was saved without an answer is nobody else’s, and writing goes on", async () => {
  await using posthorn = await startPosthorn();
  const id = await draft(posthorn);
  await using eva = await writer(posthorn);
  const { page } = eva;
  await eva.open(`/campaigns/${id}`);
  let isLost = true;
  await page.route(`**/campaigns/${id}`, async (route) => {
    if (route.request().method() !== "PUT" || !isLost) return route.continue();
    isLost = false;
    await posthorn.call(`PUT /campaigns/${id}`, route.request().postDataJSON());
    await route.abort();
  });
  await subjectOf(page).fill("Second");
  await soon(async () => expect((await now(posthorn, id)).subject).toBe("Second"));
  await subjectOf(page).fill("Third");
  await page.getByText(SAVED).waitFor();
  expect(await choices(page).count()).toBe(0);
  expect((await now(posthorn, id)).subject).toBe("Third");
});

journey("Settings that change while the text is being written are no question", async () => {
  await using posthorn = await startPosthorn();
  const id = await draft(posthorn);
  await using eva = await writer(posthorn);
  const { page } = eva;
  await eva.open(`/campaigns/${id}`);
  const behind = [{ name: "May" }];
  await page.route(`**/campaigns/${id}`, async (route) => {
    const change = route.request().method() === "PUT" ? behind.pop() : undefined;
    if (change) await posthorn.call(`PUT /campaigns/${id}`, change);
    await route.continue();
  });
  await subjectOf(page).fill("Second");
  await page.getByText(SAVED).waitFor();
  expect(await choices(page).count()).toBe(0);
  expect(await now(posthorn, id)).toMatchObject({ name: "May", subject: "Second" });
});

journey("Two quick choices of an audience are saved in their order, and are no question", async () => {
  await using posthorn = await startPosthorn();
  const filters = [{ field: "data.plan", operator: "equals", value: "pro" }];
  for (const name of ["Readers", "Writers"])
    await posthorn.call("POST /segments", { name, condition: { logic: "AND", groups: [{ filters }] } });
  const id = await draft(posthorn);
  await using eva = await writer(posthorn);
  const { page } = eva;
  await eva.open(`/campaigns/${id}?tab=audience`);
  await page.getByRole("radio", { name: "Segment" }).click();
  const segment = page.locator(".field .select");
  await segment.waitFor();
  await soon(async () => expect((await now(posthorn, id)).audienceType).toBe("SEGMENT"));
  const { promise: bothChosen, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/campaigns/${id}`, async (route) => {
    if (route.request().method() === "PUT") await bothChosen;
    await route.continue();
  });
  for (const name of ["Readers", "Writers"]) {
    await segment.click();
    await page.getByRole("option", { name }).click();
  }
  release();
  const { body: segments } = await posthorn.call("GET /segments");
  const writers = segments.find(({ name }: { name: string }) => name === "Writers").id;
  await soon(async () => expect((await now(posthorn, id)).segmentId).toBe(writers));
  expect(await choices(page).count()).toBe(0);
});

journey("Who leaves while the server does not answer is asked, and what was typed is saved in the end", async () => {
  await using posthorn = await startPosthorn();
  const id = await draft(posthorn);
  await using eva = await writer(posthorn);
  const { page } = eva;
  await eva.open(`/campaigns/${id}`);
  const { promise: answering, resolve: answer } = Promise.withResolvers<void>();
  await page.route(`**/campaigns/${id}`, async (route) => {
    if (route.request().method() === "PUT") await answering;
    await route.continue();
  });
  await subjectOf(page).fill("Second");
  await page.getByText("saving …").waitFor();
  await page.getByRole("link", { name: "Topics" }).click();
  await page.getByText("Leave without saving?").waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Stay on this page" }).click();
  answer();
  await page.getByText(SAVED).waitFor();
  await subjectOf(page).fill("Third");
  await page.getByRole("link", { name: "Topics" }).click();
  await page.getByRole("heading", { level: 1, name: "Topics" }).waitFor();
  expect((await now(posthorn, id)).subject).toBe("Third");
});

journey(
  "On a phone it is seen that a letter is saved, that it takes long and that it was not, and it is tried again",
  async () => {
    await using posthorn = await startPosthorn();
    const id = await draft(posthorn);
    await using eva = await visit(posthorn, {
      viewport: { width: 390, height: 844 },
      offends: /ERR_FAILED|status of 503/,
    });
    await signIn(eva.context, posthorn);
    const { page } = eva;
    await eva.open(`/campaigns/${id}`);
    const state = page.locator("header.bar").getByRole("status");
    await state.getByRole("img", { name: "saved" }).waitFor();
    let server: "hangs" | "fails" | "answers" = "hangs";
    await page.route(`**/campaigns/${id}`, (route) => {
      if (route.request().method() !== "PUT" || server === "answers") return route.continue();
      return server === "fails" ? route.fulfill({ status: 503, body: "" }) : undefined;
    });
    await subjectOf(page).fill("Second");
    await state.getByRole("img", { name: "saving …" }).waitFor();
    await state.getByText("saving takes long").waitFor();
    await eva.check();
    // What is typed meanwhile waits for the same answer.
    await subjectOf(page).fill("Third");
    await state.getByText("saving takes long").waitFor();
    server = "answers";
    await state.getByRole("button", { name: "Try again" }).click();
    await state.getByRole("img", { name: SAVED }).waitFor();
    expect((await now(posthorn, id)).subject).toBe("Third");
    server = "fails";
    await subjectOf(page).fill("Fourth");
    await state.getByText("not saved").waitFor();
    await eva.check();
    server = "answers";
    await state.getByRole("img", { name: SAVED }).waitFor();
    expect(await choices(page).count()).toBe(0);
  },
);
