// The mails of a step in the face: those that wait and those that failed, and a step that could make none tried again.
import { expect } from "bun:test";
import { journey, soon, visit } from "../support/browser.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { addTemplate, addWorkflow, track } from "../support/workflows.ts";

const OUTCOMES = { bob: "later", cyd: "failed" } as const;

/** Ada has her mail, Bob's is tried again, Cyd's failed; Dan and Eve came while the domain was not verified. */
async function mailing(posthorn: Posthorn): Promise<Json> {
  const config = { templateId: await addTemplate(posthorn) };
  const workflow = await addWorkflow(posthorn, [{ type: "SEND_EMAIL", name: "Say hello", config }]);
  posthorn.transport.answer = ({ envelope: { recipient } }) => {
    const kind = OUTCOMES[recipient.split("@")[0] as keyof typeof OUTCOMES];
    return { kind: kind ?? "accepted", reply: kind ? "451 4.7.1 not now" : "250 Ok" };
  };
  for (const name of ["ada", "bob", "cyd"]) await track(posthorn, "signup", {}, `${name}@example.com`);
  await posthorn.settle();
  await posthorn.store.write((tx) => tx.run`update domains set verified_at = null`);
  for (const name of ["dan", "eve"]) await track(posthorn, "signup", {}, `${name}@example.com`);
  await posthorn.settle();
  await posthorn.store.write((tx) => tx.run`update domains set verified_at = created_at`);
  return workflow;
}

journey(
  "Mails of a step that wait or failed are numbers that open; who could not be mailed is tried again",
  async () => {
    await using posthorn = await startPosthorn();
    const { id } = await mailing(posthorn);
    await using eva = await visit(posthorn);
    const { page } = eva;
    await signIn(eva.context, posthorn);
    await eva.open(`/workflows/${id}`);
    await page.getByRole("link", { name: "1 email failed" }).waitFor();
    await page.getByRole("link", { name: "1 email is tried again" }).click();
    await page.getByText("bob@example.com").first().waitFor();
    await soon(async () => expect(await page.getByText("cyd@example.com").count()).toBe(0));
    await eva.check();

    // As a list, with the form of the step beside it.
    await eva.open(`/workflows/${id}?view=list`);
    await page.getByRole("link", { name: "1 email failed" }).waitFor();
    await page.locator(".step-name", { hasText: "Say hello" }).click();
    const mails = page.getByRole("region", { name: "Emails sent by this step" });
    await mails.getByText("are tried again").waitFor();
    await eva.check();
    const people = page.getByRole("region", { name: "People at this step" });
    await people.getByRole("button", { name: "Retry all" }).click();
    await page.getByText("The step is tried again for 2.").waitFor();
    await posthorn.settle();
    expect(posthorn.transport.sent.map(({ envelope }) => envelope.recipient).sort()).toEqual([
      ...["ada", "bob", "cyd", "dan", "eve"].map((name) => `${name}@example.com`),
    ]);
    await eva.open(`/workflows/${id}?view=list`);
    await page.getByText("5 started = 0 inside + 5 ended + 0 failed").waitFor();
    await page.getByRole("link", { name: "1 email failed" }).click();
    await page.getByText("cyd@example.com").first().waitFor();

    // Tags and metadata of a step stay when something else of it changes.
    await eva.open(`/workflows/${id}?view=list`);
    await page.locator(".step-name", { hasText: "Say hello" }).click();
    await page.getByLabel("Tags").pressSequentially("hello plan:pro ");
    await page.getByRole("button", { name: "Metadata" }).click();
    await page.getByLabel("Key 1").fill("campaign");
    await page.getByLabel("Value of campaign").fill("spring");
    await page.getByRole("radio", { name: "another email address" }).click();
    await page.getByRole("radio", { name: "the contact" }).click();
    await page.getByRole("button", { name: "Remove the tag plan:pro" }).click();
    await eva.check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText(/Saved as version/).waitFor();
    const { steps } = (await posthorn.call(`GET /workflows/${id}`)).body;
    const { config } = steps.find(({ name }: Json) => name === "Say hello");
    expect(config).toMatchObject({ tags: ["hello"], metadata: { campaign: "spring" } });

    // Where they can only be read, nothing looks as if it took one away.
    await page.setViewportSize({ width: 390, height: 844 });
    const tag = page.locator(".tags .tok:disabled", { hasText: "hello" });
    await tag.waitFor();
    expect([await tag.getAttribute("aria-label"), await tag.locator("svg").count()]).toEqual([null, 0]);
  },
);

journey("Die Mails eines Schritts stehen auf der Zeichenfläche", async () => {
  await using posthorn = await startPosthorn();
  const { id } = await mailing(posthorn);
  await using eva = await visit(posthorn, { locale: "de-DE" });
  const { page } = eva;
  await signIn(eva.context, posthorn, "SUPPORT");
  await eva.open(`/workflows/${id}`);
  await page.getByRole("link", { name: "1 Mail wird erneut versucht" }).waitFor();
  await page.locator(".face-of", { hasText: "Say hello" }).click();
  const again = page.getByRole("button", { name: "Alle erneut versuchen" });
  await again.waitFor();
  await soon(async () => expect(await again.getAttribute("aria-disabled")).toBe("true"));
  await eva.check();
});

journey(
  "A step names the template that it sends, also the oldest of more than a hundred, and another one can be chosen",
  async () => {
    await using posthorn = await startPosthorn();
    const config = { templateId: await addTemplate(posthorn, { name: "The oldest" }) };
    for (let n = 1; n <= 101; n++) await addTemplate(posthorn, { name: `Letter ${n}` });
    const { id } = await addWorkflow(posthorn, [{ type: "SEND_EMAIL", name: "Say hello", config }]);
    await using eva = await visit(posthorn);
    const { page } = eva;
    await signIn(eva.context, posthorn);
    await eva.open(`/workflows/${id}?view=list`);
    await page.locator(".in-list", { hasText: "Say hello" }).getByText("The oldest").waitFor();
    await page.locator(".step-name", { hasText: "Say hello" }).click();
    await page.getByRole("button", { name: /^The oldest/ }).click();
    await page.getByRole("option", { name: /^Letter 1\D/ }).waitFor();
  },
);
