// A mail whose text is older than texts are kept: people read why there is nothing, not a fault.
import { expect } from "bun:test";
import { journey, soon, visit } from "../support/browser.ts";
import { TestClock } from "../support/clock.ts";
import { letter } from "../support/mails.ts";
import { keeping, later } from "../support/retention.ts";
import { ask } from "../support/scenario.ts";
import { signIn } from "../support/signed-in.ts";

const DAYS = 11;

journey("Support opens an old mail, and reads what became of it and that its text is gone", async () => {
  const clock = new TestClock(new Date(Date.now() - DAYS * 86_400_000).toISOString());
  await using posthorn = await keeping({ bodyDays: 10 }, { clock });
  await ask(posthorn, "POST /v1/send", { body: { ...letter, subject: "Long ago" } });
  await later(posthorn, DAYS);
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "SUPPORT");
  await eva.open("/mail");
  await eva.page.locator("a.line").filter({ hasText: "Long ago" }).first().click();
  await eva.page.getByText("was deleted after its retention period").waitFor();
  await soon(async () => expect(await eva.page.getByRole("alert").count()).toBe(0));
  await eva.check();
});
