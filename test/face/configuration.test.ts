// Settings of the server in a browser: found, changed, refused at their field, and confirmed before they go back.
import { expect } from "bun:test";
import { journey, soon, visit } from "../support/browser.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

journey("An owner finds a setting, changes it, and puts it back to its default", async () => {
  await using posthorn = await startPosthorn({
    origins: new Map([["retention.body_days", { source: "FILE", place: "/etc/posthorn/config.toml" }]]),
  });
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/server");
  const retention = page.locator(".setting-section", { hasText: "[retention]" });
  await retention.waitFor();
  await page.getByLabel("Find a setting").fill("mail days");
  await soon(async () => expect(await page.locator(".setting-row").count()).toBe(1));
  await page.getByLabel("Find a setting").fill("");
  await retention.getByText("in /etc/posthorn/config.toml").waitFor();
  const change = async (value: string) => {
    await retention.getByRole("button", { name: "Change" }).click();
    // The file wins.
    expect(await retention.getByRole("textbox", { name: /^body_days/ }).count()).toBe(0);
    await retention.getByRole("textbox", { name: /^mail_days/ }).fill(value);
    await retention.getByRole("button", { name: "Save" }).click();
  };
  await change("3");
  await retention.getByText("must be 0, or must be a whole number from 31").waitFor();
  await eva.check();
  await retention.getByRole("textbox", { name: /^mail_days/ }).fill("180");
  await retention.getByRole("button", { name: "Save" }).click();
  await retention.getByText("180", { exact: true }).waitFor();
  await retention.getByText("set here").waitFor();
  await change("");
  await soon(async () => expect(await retention.getByText("set here").count()).toBe(0));
});

journey("Switches, times, lists and secrets have their controls", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/server");
  const sectionOf = (name: string) => page.locator(".setting-section", { hasText: `[${name}]` });
  const watch = sectionOf("watch");
  await watch.getByRole("button", { name: "Change" }).click();
  await watch.getByRole("button", { name: /blocklists/ }).click();
  await page.getByRole("option", { name: "off", exact: true }).click();
  await watch.getByLabel("addresses").fill("192.0.2.1\n2001:db8::1");
  await watch.getByLabel("spamhaus_key").fill("abcdefghijklmnop");
  await eva.check();
  await watch.getByRole("button", { name: "Save" }).click();
  await watch.getByText("192.0.2.1, 2001:db8::1").waitFor();
  await watch.getByText("••••••").waitFor();
  await watch.getByText("false", { exact: true }).waitFor();
  // The secret stays while the switch goes back to its default.
  await watch.getByRole("button", { name: "Change" }).click();
  await watch.getByRole("button", { name: /blocklists/ }).click();
  await page.getByRole("option", { name: "default: on" }).click();
  await watch.getByRole("button", { name: "Save" }).click();
  await watch.getByText("true", { exact: true }).waitFor();
  expect(await watch.getByText("••••••").count()).toBe(1);
  const delivery = sectionOf("delivery");
  await delivery.getByRole("button", { name: "Change" }).click();
  await delivery.getByLabel("retry_schedule").fill("1m\n1h");
  await delivery.getByLabel("domain_grace").fill("2d");
  await delivery.getByRole("button", { name: "Save" }).click();
  await delivery.getByText("1m, 1h").waitFor();
  await delivery.getByText("2d", { exact: true }).waitFor();
});

journey("A way out is set section by section, and a section says what is missing in another", async () => {
  await using posthorn = await startPosthorn({ config: { http: { baseUrl: "http://mail.example.com" } } });
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/server");
  const sectionOf = (name: string) => page.locator(".setting-section", { hasText: `[${name}]` });
  const [delivery, relay] = [sectionOf("delivery"), sectionOf("relay")];
  const leave = async () => {
    await delivery.getByRole("button", { name: "Change" }).click();
    await delivery.getByRole("button", { name: /transport/ }).click();
    await page.getByRole("option", { name: "smtp", exact: true }).click();
    await delivery.getByRole("button", { name: "Save" }).click();
  };
  await leave();
  await delivery.getByText('relay.host must be set when delivery.transport is "smtp"').waitFor();
  await eva.check();
  await delivery.getByRole("button", { name: "Cancel" }).click();
  await relay.getByRole("button", { name: "Change" }).click();
  expect(await relay.getByRole("textbox", { name: "ca_file" }).count()).toBe(0);
  await relay.getByRole("textbox", { name: "host" }).fill("smtp.example.com");
  await relay.getByRole("textbox", { name: "user" }).fill("posthorn");
  await relay.getByLabel("password", { exact: true }).fill("correct horse");
  await relay.getByRole("button", { name: "Save" }).click();
  await relay.getByText("smtp.example.com").waitFor();
  await relay.getByText("••••••").waitFor();
  await leave();
  await delivery.getByRole("button", { name: "Change" }).waitFor();
  await delivery.getByText("smtp", { exact: true }).waitFor();
  // The password stays here.
  await relay.getByRole("button", { name: "Change" }).click();
  await relay.getByRole("textbox", { name: "host" }).fill("elsewhere.example");
  await relay.getByRole("button", { name: "Save" }).click();
  await relay.getByText("has to be entered again: it would go to another place").waitFor();
});

journey("What could lock an owner out says when it goes back, and is kept or undone", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/server");
  const http = page.locator(".setting-section", { hasText: "[http]" });
  const move = async () => {
    await http.getByRole("button", { name: "Change" }).click();
    await http.getByRole("textbox", { name: "base_url" }).fill("http://mail.example.com");
    await http.getByRole("button", { name: "Save" }).click();
    await page.getByText("http.base_url: goes back in 60 s.").waitFor();
  };
  await move();
  await page.getByRole("link", { name: "Open http://mail.example.com" }).waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Undo" }).click();
  await soon(async () => expect(await http.getByText("set here").count()).toBe(0));
  await move();
  await page.getByRole("button", { name: "Keep" }).click();
  await http.getByText("set here").waitFor();
  await soon(async () => expect(await page.getByText("goes back in").count()).toBe(0));
});
