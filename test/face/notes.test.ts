// "Ask Olga" is a note about a contact: from whom may not do something, to whom may.
import { expect } from "bun:test";
import { journey, soon, visit, type Visit } from "../support/browser.ts";
import { layoutFaults } from "../support/layout.ts";
import { letter } from "../support/mails.ts";
import { somebody, type Somebody } from "../support/people.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { signIn } from "../support/signed-in.ts";

async function olgas(posthorn: Posthorn): Promise<Somebody> {
  const olga = await somebody(posthorn, "ADMIN");
  await posthorn.store.write((tx) => tx.run`update users set name = 'Olga' where email = 'admin@example.com'`);
  return olga;
}

async function enter({ context }: Visit, { posthorn, cookie }: Somebody): Promise<void> {
  const value = cookie.replace("posthorn=", "");
  await context.addCookies([{ name: "posthorn", value, url: posthorn.server.url, httpOnly: true, sameSite: "Lax" }]);
}

journey(
  "Support asks Olga on a contact's page, and she finds it in the overview, does it and is rid of it",
  async () => {
    await using posthorn = await startPosthorn();
    const { id } = (await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com" } })).body;
    await ask(posthorn, "POST /v1/send", { body: { ...letter, to: "ada@example.com" } });
    await posthorn.settle();
    const olga = await olgas(posthorn);
    await using sue = await visit(posthorn, { viewport: { width: 390, height: 844 } });
    await signIn(sue.context, posthorn, "SUPPORT");
    await sue.open(`/people/${id}`);
    await sue.page.getByRole("button", { name: "More", exact: true }).first().click();
    await sue.page.getByRole("menuitem", { name: "Ask Olga…" }).click();
    const dialog = sue.page.getByRole("dialog");
    await dialog.getByRole("button", { name: /^Olga/ }).waitFor();
    await sue.check();
    // Nothing was written: it says so at the field.
    await sue.page.keyboard.type(" ");
    await dialog.getByRole("button", { name: "Leave the note" }).click();
    await dialog.locator("[aria-invalid=true]").waitFor();
    await dialog.getByLabel("Note").fill("She asks to be erased.\nPlease do.");
    await dialog.getByRole("button", { name: "Leave the note" }).click();
    await sue.page.getByText("Olga finds your note in the overview.").waitFor();
    await sue.page.getByText("Eva Moser for Olga").waitFor();
    await sue.check();

    await using her = await visit(posthorn);
    await enter(her, olga);
    await her.open("/");
    const need = her.page.getByRole("link", { name: /Eva Moser wrote to you about ada@example.com/ });
    await need.waitFor();
    await soon(async () => expect(await her.page.getByTitle("1 thing needs attention").count()).toBe(1));
    await her.check();
    await need.click();
    await her.page.getByText("She asks to be erased.").waitFor();
    // Only who wrote it may delete it.
    expect(await her.page.getByRole("button", { name: "Delete the note" }).count()).toBe(0);
    await her.page.getByRole("button", { name: "Done", exact: true }).focus();
    await her.page.keyboard.press("Enter");
    await her.page.getByText("1 done").click();
    await her.page.getByText(/done by Olga/).waitFor();
    await her.check();
    await her.open("/");
    await her.page.getByText("All clear.").waitFor();

    await sue.open(`/people/${id}`);
    await sue.page.getByText("1 done").click();
    await sue.page.getByRole("button", { name: "Delete the note" }).click();
    await sue.page.getByText("The note is deleted.").waitFor();
  },
);

journey("Who may not send an email again asks Olga about it on the email's page", async () => {
  await using posthorn = await startPosthorn();
  const { data } = (await ask(posthorn, "POST /v1/send", { body: { ...letter, to: "ada@example.com" } })).body;
  await posthorn.settle();
  await olgas(posthorn);
  await using bob = await visit(posthorn);
  await signIn(bob.context, posthorn, "EDITOR");
  await bob.open(`/mail/${data.emails[0].email}`);
  for (const width of [390, 900, 1440]) {
    await bob.page.setViewportSize({ width, height: 844 });
    await soon(async () => expect(await layoutFaults(bob.page)).toEqual([]));
  }
  await bob.page.getByRole("button", { name: "Ask Olga…" }).click();
  const dialog = bob.page.getByRole("dialog");
  expect(await dialog.getByLabel("Note").inputValue()).toBe(`About the email “${letter.subject}”: `);
  await bob.check();
  await dialog.getByRole("button", { name: "Leave the note" }).click();
  await bob.page.getByText("Olga finds your note in the overview.").waitFor();
  const notes = (await ask(posthorn, `GET /contacts/${data.emails[0].contact.id}/notes`)).body.data;
  expect(notes).toMatchObject([{ from: { name: "Eva Moser" }, to: { name: "Olga" } }]);
});
