// The set-up in a browser: a domain that is proven while somebody watches, keys, lines to copy.
import { expect } from "bun:test";
import { journey, visit } from "../support/browser.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask } from "../support/scenario.ts";
import { signIn } from "../support/signed-in.ts";

const LOOK_MS = 5_000;

journey("A new owner adds a domain, publishes its record, and sees it turn green", async () => {
  const zones: Record<string, Zone> = {
    "news.example": { TXT: ["v=spf1 include:_spf.office.example ?all", "v=spf1 mx -all"] },
    "_dmarc.news.example": "silence",
  };
  await using posthorn = await startPosthorn({ resolver: new TableResolver(zones) });
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/set-up");
  await page.getByRole("button", { name: "Add a domain" }).click();
  await page.getByRole("textbox", { name: "Domain" }).fill("not a domain");
  await page.getByRole("dialog").getByRole("button", { name: "Add a domain" }).click();
  await page.locator(".fault").waitFor();
  await page.getByRole("textbox", { name: "Domain" }).fill("news.example");
  await page.getByRole("dialog").getByRole("button", { name: "Add a domain" }).click();
  await page.getByRole("heading", { name: "news.example" }).waitFor();
  await page.getByText("Last look", { exact: false }).waitFor();
  await eva.check();
  expect(await page.getByRole("region", { name: /^DMARC/ }).textContent()).toContain("Nothing is wrong");
  const { data } = (await ask(posthorn, "GET /domains")).body;
  const dkim = data.find(({ domain }: { domain: string }) => domain === "news.example").records[0];
  zones[dkim.name] = { TXT: [dkim.value] };
  posthorn.clock.advance(LOOK_MS);
  await page.getByText("news.example is verified. Mail may leave from it.").waitFor();
  await eva.check();
});
