// Planning when a campaign leaves: in the zone of the workspace, wherever the browser is.
import { expect } from "bun:test";
import { journey, soon, visit } from "../support/browser.ts";
import { addReaders, look, write } from "../support/campaigns.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

journey("A workspace has a time zone, in which its campaigns are planned and shown", async () => {
  await using posthorn = await startPosthorn();
  await addReaders(posthorn, 2);
  const id = await write(posthorn);
  await posthorn.call("POST /v1/send", { ...letter, to: "reader1@example.com" });
  await posthorn.settle();
  await using eva = await visit(posthorn, { timezoneId: "America/New_York" });
  const { page } = eva;
  await signIn(eva.context, posthorn, "ADMIN");

  await eva.open("/settings/workspace");
  const zone = page.getByRole("combobox", { name: "Time zone" });
  await page.getByText("here America/New_York").waitFor();
  await zone.fill("Berlin");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("This is not the name of a time zone, such as Europe/Berlin.").waitFor();
  await eva.check();
  await zone.fill("Europe/Berlin");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Settings saved.").waitFor();

  await eva.open(`/campaigns/${id}?tab=check`);
  await page.getByRole("radio", { name: /in Europe\/Berlin$/ }).click();
  const time = page.getByLabel("Time", { exact: true });
  const schedule = page.getByRole("button", { name: /^Schedule for 2 people/ });
  const off = page.locator(".disabled-reason");
  await off.getByText("Choose a time.").waitFor();
  // The clocks go forward over the one, and show the other twice.
  await time.fill("2026-03-29T02:30");
  await off.getByText("This time does not exist in Europe/Berlin").waitFor();
  await soon(async () => expect(await schedule.getAttribute("aria-disabled")).toBe("true"));
  await eva.check();
  await time.fill("2026-10-25T02:30");
  await page.getByText("The clocks in Europe/Berlin go back, so this time occurs twice").waitFor();
  await page.getByText("By this computer’s clock, that is 20:30.").waitFor();
  await eva.check();
  await schedule.click();
  await page.getByRole("dialog", { name: "Send to 2 people on Sun 25 Oct, 02:30 Europe/Berlin?" }).waitFor();
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await page.getByText("It will be sent on Sun 25 Oct, 02:30 Europe/Berlin.").waitFor();
  await eva.check();
  expect(await look(posthorn, id)).toMatchObject({ status: "SCHEDULED", scheduledFor: "2026-10-25T00:30:00.000Z" });
  for (const path of ["/campaigns", "/"]) {
    await eva.open(path);
    await page.locator("time", { hasText: "Sun 25 Oct, 02:30 Europe/Berlin" }).waitFor();
  }
  // Where it is moved, its time is chosen already: nobody sends it at once by mistake.
  await eva.open(`/campaigns/${id}?tab=check`);
  expect(await page.getByRole("radio", { name: /in Europe\/Berlin$/ }).isChecked()).toBe(true);
  expect(await time.inputValue()).toBe("2026-10-25T02:30");
  await time.fill("2026-10-26T09:00");
  await schedule.click();
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await page.getByText("It will be sent on Mon 26 Oct, 09:00 Europe/Berlin.").waitFor();
});

journey("Ohne Zeitzone des Arbeitsbereichs gilt die des Browsers", async () => {
  await using posthorn = await startPosthorn();
  await addReaders(posthorn, 1);
  const id = await write(posthorn);
  await using eva = await visit(posthorn, { locale: "de-DE", timezoneId: "Europe/Vienna" });
  const { page } = eva;
  await signIn(eva.context, posthorn, "MARKETER");
  await eva.open(`/campaigns/${id}?tab=check`);
  await page.getByRole("radio", { name: /in Europe\/Vienna$/ }).click();
  await page.getByLabel("Zeit", { exact: true }).fill("2026-07-24T09:00");
  await page.getByRole("button", { name: /^Für 1 Person planen/ }).click();
  await page.getByRole("button", { name: "Planen", exact: true }).click();
  await page.getByText("Wird am Fr., 24. Juli, 09:00 Europe/Vienna gesendet.").waitFor();
  expect((await look(posthorn, id)).scheduledFor).toBe("2026-07-24T07:00:00.000Z");
  // Who may not change the settings sees them all the same.
  await eva.open("/settings/workspace");
  expect(await page.getByRole("combobox", { name: "Zeitzone" }).getAttribute("readonly")).not.toBeNull();
});
