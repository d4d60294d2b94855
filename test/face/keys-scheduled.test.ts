// What a key has scheduled, on screen: said before it is revoked, cancelled with it or later, and found from its row.
import { expect } from "bun:test";
import { journey, soon, visit } from "../support/browser.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { signIn } from "../support/signed-in.ts";
import { addKeys } from "../support/workspaces.ts";

const HOUR_MS = 3_600_000;

/** A key of this name that has scheduled so many emails. */
async function busyKey(posthorn: Posthorn, name: string, count: number): Promise<string> {
  const { id, secret } = await addKeys(posthorn, { name });
  const sendAt = new Date(posthorn.clock.nowMs() + 2 * HOUR_MS).toISOString();
  const to = Array.from({ length: count }, (_, number) => `p${number}@example.com`);
  await ask(posthorn, "POST /v1/send", { key: { bearer: secret }, body: { ...letter, to, sendAt } });
  return id;
}

const waiting = async (posthorn: Posthorn, id: string) => (await ask(posthorn, `GET /keys/${id}/scheduled`)).body.total;

journey("Before a key is revoked it says what still waits, and cancels it if one wishes", async () => {
  await using posthorn = await startPosthorn();
  const id = await busyKey(posthorn, "shop", 3);
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn, "DEVELOPER");
  await eva.open("/settings/keys");
  await page.getByRole("button", { name: "Actions for shop" }).click();
  await page.getByRole("menuitem", { name: "Revoke…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("3 emails that were scheduled with this key are still waiting").waitFor();
  const choice = dialog.getByRole("checkbox", { name: "Cancel them as well" });
  expect(await choice.isChecked()).toBe(false);
  await eva.check();
  await dialog.getByText("Cancel them as well").click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("“shop” is revoked. 3 scheduled emails are cancelled.").waitFor();
  expect(await waiting(posthorn, id)).toBe(0);
});

journey("What a revoked key has scheduled is found from its row, and cancelled there", async () => {
  await using posthorn = await startPosthorn();
  const id = await busyKey(posthorn, "shop", 2);
  await busyKey(posthorn, "blog", 1);
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn, "DEVELOPER");
  await eva.open("/settings/keys");
  await page.getByRole("button", { name: "Actions for shop" }).click();
  await page.getByRole("menuitem", { name: "Revoke…" }).click();
  await page.getByRole("dialog").getByText("2 emails").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("“shop” is revoked.").waitFor();
  expect(await waiting(posthorn, id)).toBe(2);
  const revoked = page.getByRole("region", { name: "Revoked keys" });
  const actions = revoked.getByRole("button", { name: "Actions for shop" });
  await eva.check();
  await actions.click();
  await page.getByRole("menuitem", { name: "Show scheduled email" }).click();
  await page.waitForURL(/\/mail/);
  await soon(async () => expect(await page.getByText(/p\d@example\.com/).count()).toBe(2));
  await page.goBack();
  await actions.click();
  await page.getByRole("menuitem", { name: "Cancel scheduled email…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("2 emails that were scheduled").waitFor();
  await eva.check();
  await dialog.getByRole("button", { name: "Cancel the emails" }).click();
  await page.getByText("2 scheduled emails are cancelled.").waitFor();
  expect(await waiting(posthorn, id)).toBe(0);
  await actions.click();
  await page.getByRole("menuitem", { name: "Cancel scheduled email…" }).click();
  await page.getByText("No scheduled email of this key is waiting any more.").first().waitFor();
  expect(await dialog.getByRole("button", { name: "Cancel the emails" }).getAttribute("aria-disabled")).toBe("true");
});
