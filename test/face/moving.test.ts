// Copying an account of another product on the screen of imports.
import { expect } from "bun:test";
import { journey, settled, visit } from "../support/browser.ts";
import { OldProduct, peopleHere } from "../support/moving.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

const person = (name: string, subscribed = true) => ({
  ...{ id: name, email: `${name}@example.com`, subscribed, data: { plan: "pro" }, createdAt: "2025-01-02T10:00:00Z" },
});

journey("An account of another product is tried, copied and reported", async () => {
  await using posthorn = await startPosthorn({ config: { webhooks: { allow: ["127.0.0.1"] } } });
  const plunk = new OldProduct({
    "/segments": () => [{ id: "s1", name: "By hand", type: "STATIC" }],
    "/contacts": () => ({ data: [person("ann"), person("bo", false), { ...person("x"), email: "" }], hasMore: false }),
    "/segments/s1/contacts": () => ({ data: [person("ann")], total: 1 }),
    "/templates": () => ({ data: [], total: 0 }),
  });
  using _ = plunk;
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "ADMIN");
  const { page } = eva;
  await eva.open("/people/import");
  await page.getByRole("link", { name: "From another product" }).click();
  await page.getByRole("button", { name: /Product/ }).click();
  await page.getByRole("option", { name: "Plunk" }).click();
  await page.getByLabel("API key").fill("sk_wrong");
  await page.getByLabel(/^URL/).fill(plunk.url);
  plunk.fault = () => Response.json({ error: "No such key" }, { status: 401 });
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByText("Plunk refuses the key").waitFor();
  await eva.check();
  plunk.fault = () => null;
  await page.getByLabel("API key").fill("sk_right");
  await page.getByRole("button", { name: "Start" }).click();
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("Preview: nothing was written").waitFor();
  await result.getByText("3 found, 2 would be new, 1 left out").waitFor();
  expect(await peopleHere(posthorn)).toEqual({});
  await page.getByText("Preview: report what would be copied").click();
  await page.getByRole("button", { name: "Start" }).click();
  await settled(posthorn, async () => expect(await result.getByRole("status").innerText()).toBe("Copied"));
  await result.getByText("3 found, 2 new, 1 left out").waitFor();
  await result.getByText("Contacts, 1: They have no address.").waitFor();
  expect(await peopleHere(posthorn)).toMatchObject({
    "ann@example.com": { subscribed: true },
    "bo@example.com": { subscribed: false },
  });
  for (const width of [390, 900, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await eva.check();
  }
});
