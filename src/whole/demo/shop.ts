// The shop of the demo: how it opens on its first day, and what its people set up later.
import type { StillClock } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import type { Secrets } from "../../base/secrets.ts";
import { giveMembership } from "../../operator/team/member.ts";
import { setProven } from "../../operator/team/queries.ts";
import { createUser } from "../../operator/team/user.ts";
import { createKeySet } from "../../tenant/access/key-set.ts";
import { makeDkimKey } from "../../tenant/domains/dkim-key.ts";
import { addDomain } from "../../tenant/domains/domain.ts";
import { createWorkspace } from "../../tenant/workspaces/workspace.ts";
import type { Server } from "../server.ts";
import { asMember, asProgram, type DemoCall } from "./calls.ts";
import type { DemoNames } from "./outside.ts";
import { asFile, TEAM, type Person, type TeamRole } from "./people.ts";
import type { DemoRelay } from "./relay.ts";
import { FORM, FROM, JOINED, ORDERED, SEGMENTS, SHOP, TEMPLATES, TOPICS, type CampaignWords } from "./words.ts";

/** The server and the people that the shop's past is made with. */
export type Stage = {
  readonly server: Server;
  readonly clock: StillClock;
  readonly config: Config;
  readonly secrets: Secrets;
  readonly relay: DemoRelay;
  readonly names: DemoNames;
  readonly people: readonly Person[];
};

export class Shop {
  /** Ids by the names that words.ts gives. */
  readonly templates = new Map<string, string>();
  readonly #segments = new Map<string, string>();
  /** Its page. */
  form = "";

  private constructor(
    private readonly stage: Stage,
    private readonly workspace: string,
    /** With the key of the shop's own programs. */
    readonly program: DemoCall,
  ) {}

  /** The first day: it comes with the customers that it had elsewhere. */
  static async open(stage: Stage): Promise<Shop> {
    const { server, secrets } = stage;
    const keyPair = await makeDkimKey();
    const { workspace, key } = await server.store.write(async (tx) => {
      const made = await createWorkspace(tx, secrets, SHOP.name);
      for (const { name, email, role } of Object.values(TEAM)) {
        const user = await createUser(tx, { name, email, isOwner: role === "OWNER" });
        await setProven(tx, user.seq, true);
        if (role !== "OWNER") await giveMembership(tx, { person: user.seq, workspace: made.seq }, role);
      }
      for (const domain of [SHOP.domain, SHOP.letters]) await addDomain(tx, secrets, made.seq, { domain, keyPair });
      return { workspace: made.id, key: (await createKeySet(tx, made.seq, { name: "The shop" })).secret };
    });
    const shop = new Shop(stage, workspace, asProgram(server, key));
    await shop.#furnish();
    return shop;
  }

  async #furnish(): Promise<void> {
    const { server, people } = this.stage;
    await this.#verifyDomains();
    const owner = await this.as("owner");
    await owner("PATCH /workspace", {
      postalAddress: "Marrowfield, The Old Barn, 4 Orchard Lane",
      fromAddress: FROM,
    });
    await owner("PUT /workspace/brand", { colors: { primary: "#24382b" }, from: FROM, fromName: SHOP.name });
    await owner("PUT /installation/way-rules", {
      rules: [{ name: "Letters", kind: "MARKETING", ways: [{ name: "letters" }] }],
    });
    for (const [key, name, description, choice] of TOPICS)
      await owner("POST /topics", { key, name: { en: name }, description: { en: description }, default: choice });
    for (const [name, template] of Object.entries(TEMPLATES))
      this.templates.set(name, (await owner("POST /templates", { ...template, from: FROM })).id);
    await owner("POST /blocks", {
      name: "Opening hours",
      body: "<p>Our barn is open from nine to five, Tuesday to Saturday.</p>",
    });
    for (const [name, segment] of Object.entries(SEGMENTS))
      this.#segments.set(name, (await owner("POST /segments", segment)).id);
    const form = new FormData();
    form.set("marketing", "yes");
    form.set("consent", "Checkout of the shop before this one");
    form.set("file", new File([asFile(people)], "customers.csv", { type: "text/csv" }));
    await owner("POST /contacts/import", form);
    await server.settle();
    const segmentId = this.#segments.get("greenhouse");
    await owner("POST /contacts/bulk-topics", { filter: { segmentId }, topics: { workshops: "in" } });
  }

  /** The name servers have what each domain asks for. */
  async #verifyDomains(): Promise<void> {
    for (const { id, records } of (await this.program("GET /domains")).data) {
      for (const record of records) this.stage.names.publish(record);
      await this.program(`POST /domains/${id}/verify`, {});
    }
  }

  /** A form, and two workflows. */
  async automate(): Promise<void> {
    const marketer = await this.as("marketer");
    this.form = `/f/${(await marketer("POST /forms", FORM)).key}`;
    const mail = (ref: string, name: string, template: keyof typeof TEMPLATES) => ({
      ...{ ref, type: "SEND_EMAIL", name, config: { templateId: this.templates.get(template) } },
    });
    const wait = (amount: number) => ({ type: "DELAY", name: `${amount} days`, config: { amount, unit: "days" } });
    const common = { enabled: true, reentry: "after-end" };
    await marketer("POST /workflows", {
      ...{ ...common, name: "A new gardener", eventName: JOINED, description: "From the form to the first order." },
      steps: [
        mail("hello", "Welcome", "welcome"),
        { ...wait(3), ref: "days" },
        mail("tips", "Three plants", "firstSteps"),
        {
          ref: "first",
          type: "WAIT_FOR_EVENT",
          name: "A first order?",
          config: { eventName: ORDERED, timeout: 60 * 86_400 },
        },
        { ref: "done", type: "EXIT", name: "They have found us", config: { reason: "They have ordered." } },
      ],
    });
    await marketer("POST /workflows", {
      ...{ ...common, name: "After an order", eventName: ORDERED },
      steps: [{ ...wait(14), ref: "days" }, mail("ask", "How is it growing?", "review")],
    });
  }

  /** The shop has written from its domain for years, by another service. */
  async skipWarmup(): Promise<void> {
    const [owner, { data }] = [await this.as("owner"), await this.program("GET /domains")];
    const { id } = data.find(({ domain }: { readonly domain: string }) => domain === SHOP.domain);
    await owner(`POST /domains/${id}/warmup/skip`, { reason: "2,000 a month by our last service" });
    await this.stage.server.settle();
  }

  /** The body of a campaign, as a marketer sends it. */
  campaign({ to, ...words }: Pick<CampaignWords, "name" | "subject" | "body" | "topic" | "to">, from: string): object {
    const audience = { audienceType: "SEGMENT", segmentId: this.#segments.get(to), fromName: SHOP.name };
    return { ...words, ...audience, from, tags: ["letter"] };
  }

  /** A member of the team, with a new session. */
  as(role: TeamRole): Promise<DemoCall> {
    const { server, config } = this.stage;
    return asMember(server, config.http.baseUrl, this.workspace, role);
  }
}
