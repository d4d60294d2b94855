// The work that the demo's team has to do today.
import { DAY_MS, HOUR_MS, iso } from "../../base/clock.ts";
import { recordSettings } from "../../tenant/domains/dns-records.ts";
import { takeReceiverReports } from "./reports.ts";
import { TEAM, type Person } from "./people.ts";
import type { Shop, Stage } from "./shop.ts";
import { DRAFT, FROM, PLANNED, PRODUCTS, SHOP } from "./words.ts";

export async function makeToday({ server, config, people }: Stage, shop: Shop, nowMs: number): Promise<void> {
  const [marketer, support, owner] = [await shop.as("marketer"), await shop.as("support"), await shop.as("owner")];
  await marketer("POST /campaigns", shop.campaign(DRAFT, FROM));
  const { data: planned } = await marketer("POST /campaigns", shop.campaign(PLANNED, FROM));
  await marketer(`POST /campaigns/${planned.id}/send`, { scheduledFor: iso(nowMs + 4 * DAY_MS) });
  await marketer("POST /views", {
    list: "people",
    name: "Confirmed lately",
    filter: { status: "SUBSCRIBED" },
    shared: true,
  });
  const [writer] = people as [Person];
  const contact = await support(`GET /contacts/by-email/${encodeURIComponent(writer.email)}`);
  const members = (await owner("GET /members")).data;
  const to = members.find(({ email }: { readonly email: string }) => email === TEAM.marketer.email).id;
  await support(`POST /contacts/${contact.id}/notes`, { to, text: "Would like a call before the next parcel." });
  await support("POST /suppressions", {
    address: "press@example.org",
    reason: "manual",
    note: "Asked by telephone.",
  });
  await support("POST /v1/send", {
    ...{ to: writer.email, template: shop.templates.get("order"), sendAt: iso(nowMs + 20 * HOUR_MS) },
    data: { order: "M-1002", product: PRODUCTS[0][0], total: PRODUCTS[0][1] },
  });
  await owner("POST /invitations", { email: "jonas@marrowfield.example", role: "EDITOR", mail: false });
  const hook = {
    url: `https://stock.${SHOP.domain}/hooks`,
    events: ["email.bounce", "event.tracked"],
    enabled: false,
  };
  await owner("POST /webhooks", { ...hook, description: "The stock of the barn" });
  for (const { domain, selector } of (await shop.program("GET /domains")).data)
    await takeReceiverReports(server.store, { domain, selector }, recordSettings(config, server.ways.used));
}
