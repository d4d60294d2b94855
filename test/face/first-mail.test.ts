// A developer, from the first start to the first mail seen. A minute is what it takes at a person's pace: about ten
// actions.
import { expect } from "bun:test";
import type { Locator } from "playwright-core";
import { welcomeToken } from "../../src/operator/team/invitations/link.ts";
import { journey, visit } from "../support/browser.ts";
import { PASSWORD } from "../support/people.ts";
import { startPosthorn } from "../support/posthorn.ts";

const MOST_ACTIONS = 10;

journey("A developer follows the printed link, pastes one line, and reads the first mail, in ten actions", async () => {
  await using posthorn = await startPosthorn();
  const token = await posthorn.store.write(welcomeToken);
  await using ada = await visit(posthorn);
  const { page } = ada;
  let actions = 0;
  const act = async (what: Promise<unknown>) => (actions++, what);
  const fill = (field: Locator, text: string) => act(field.fill(text));

  await act(ada.open(`/welcome#${token}`));
  await fill(page.getByLabel("Email address", { exact: true }), "ada@example.com");
  await fill(page.getByLabel("Name", { exact: true }), "Ada Lovelace");
  await fill(page.getByLabel("Password", { exact: true }).last(), PASSWORD);
  await act(page.getByRole("button", { name: "Continue" }).click());
  await act(page.getByRole("link", { name: "To the overview" }).click());
  await act(page.getByRole("button", { name: "Insert an API key" }).click());
  await page.getByText("The call now contains the key.").waitFor();
  const line = (await page.locator(".firsts pre").textContent()) ?? "";
  const pasted = Bun.spawn(["sh", "-c", line.replace(/^curl/, "curl -sS")]);
  expect(await act(new Response(pasted.stdout).json())).toMatchObject({ success: true });
  await posthorn.settle();
  await act(page.getByRole("navigation", { name: "Posthorn" }).getByRole("link", { name: "Emails" }).click());
  await act(page.locator("a.line", { hasText: "ada@example.com" }).first().click());
  await page.frameLocator("iframe").locator("body").getByText(/\w/).first().waitFor();
  expect(actions).toBeLessThanOrEqual(MOST_ACTIONS);
});
