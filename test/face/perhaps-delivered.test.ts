// A mail that was perhaps delivered, in a browser: where it is found, what is said of it, and that somebody who knows
// settles it.
import { expect } from "bun:test";
import { journey, soon, visit } from "../support/browser.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { signIn } from "../support/signed-in.ts";

journey("A mail that was perhaps delivered is found, is not sent again, and is settled by who knows", async () => {
  await using posthorn = await startPosthorn();
  posthorn.transport.answer = () => ({ kind: "unanswered", reply: "The relay did not answer" });
  const { body } = await ask(posthorn, "POST /v1/send", { body: letter });
  await posthorn.settle();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "SUPPORT");
  const { page } = eva;
  await eva.open("/mail");
  await page.getByRole("link", { name: /^Perhaps delivered/ }).click();
  await page.locator("a.line", { hasText: letter.to }).click();
  await page.getByText("It may have arrived.").waitFor();
  await page.getByText("Sent, but not confirmed, at attempt 1").waitFor();
  await soon(async () => expect(await page.getByText("Posthorn sends one more copy").count()).toBe(1));
  await eva.check();
  await page.getByRole("button", { name: "It did not arrive" }).click();
  await page.getByText("Noted: it did not arrive. You can send it again.").waitFor();
  const mail = await ask(posthorn, `GET /emails/${body.data.emails[0].email}`);
  expect(mail.body).toMatchObject({ status: "FAILED", scheduledFor: null });
});
