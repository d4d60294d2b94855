// Clicks per link of a campaign: whose links begin alike, as those of one shop do, is told apart at every width.
import { expect } from "bun:test";
import { journey, visit } from "../support/browser.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { addVerifiedDomain } from "../support/workspaces.ts";
import { campaignsOf } from "./campaigns-scene.ts";

journey("Links of one shop are shown whole beside the email", async () => {
  await using posthorn = await startPosthorn();
  await addVerifiedDomain(posthorn, "lanternfish.example");
  await campaignsOf(posthorn);
  const { data } = (await posthorn.call("GET /campaigns?search=April")).body;
  await using eva = await visit(posthorn, { viewport: { width: 900, height: 900 } });
  await signIn(eva.context, posthorn);
  await eva.open(`/campaigns/${data[0].id}`);
  const names = eva.page.locator(".links > .line > :first-child");
  await names.first().waitFor();
  expect(await names.allTextContents()).toEqual(["lanternfish.example/spring", "lanternfish.example/evenings"]);
  for (const name of await names.all())
    expect(await name.evaluate((cell) => cell.scrollWidth <= cell.clientWidth || cell.clientWidth === 0)).toBe(true);
});
