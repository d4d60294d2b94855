// The year that the demo tells of: made through the API in process, on a clock that goes from scene to scene, so that
// all that holds for a shop's mail holds for this one.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/clock.ts";
import { providerUrl } from "../../mail/providers/place.ts";
import { asVisitor } from "./calls.ts";
import { chance, type Chance } from "./chance.ts";
import type { TakenMail } from "./relay.ts";
import { Shop, type Stage } from "./shop.ts";
import { makeToday } from "./today.ts";
import { CAMPAIGNS, FROM, NEWEST, NEWS_FROM, ORDERED, pageOf, PRODUCTS, type CampaignWords } from "./words.ts";

/** The days of business that are told, by how long ago they were. Mails and events are kept for a year. */
const SCENES = [330, 300, 270, 240, 210, 180, 150, 120, 90, 60, 45, 30, 15, 7];
export const PAST_DAYS = 345;
const ORDERS_A_SCENE = 5;
const NEW_NAMES = ["Anna", "Bo", "Clara", "Dan", "Eva", "Finn"];
/** There are workflows since then. */
const WORKFLOWS_SINCE_DAYS = 90;

export async function makePast(stage: Stage, nowMs: number): Promise<void> {
  const past = new DemoHistory(stage, await Shop.open(stage), nowMs);
  for (const daysAgo of SCENES) await past.scene(daysAgo);
  await past.lastDays();
}

class DemoHistory {
  readonly #chance: Chance = chance(46);
  /** Orders and sign-ups so far. */
  #orders = 0;
  #joined = 0;

  constructor(
    private readonly stage: Stage,
    private readonly shop: Shop,
    private readonly nowMs: number,
  ) {}

  /** A day of business: orders, sign-ups, and a letter if it is time for one. */
  async scene(daysAgo: number): Promise<void> {
    this.#moveTo(daysAgo, 9);
    if (daysAgo === WORKFLOWS_SINCE_DAYS) await this.shop.automate();
    for (let order = 0; order < ORDERS_A_SCENE; order++) await this.#order();
    const letter = CAMPAIGNS.find((one) => one.daysAgo === daysAgo);
    if (letter) await this.#send(letter, FROM);
    const isAutomatic = daysAgo < WORKFLOWS_SINCE_DAYS;
    if (isAutomatic) await this.#signUp(4);
    await this.stage.server.settle();
    if (letter) await this.#pass(MINUTE_MS);
    if (letter === CAMPAIGNS[0]) await this.shop.skipWarmup();
    await this.#react(letter ?? null);
    if (isAutomatic) await this.stage.server.settle();
  }

  async #order(): Promise<void> {
    const { people } = this.stage;
    const { email } = this.#chance.pick(people);
    const [product, total] = this.#chance.pick(PRODUCTS);
    const order = `M-${1_041 + this.#orders++}`;
    const data = { order, product, total };
    await this.shop.program("POST /v1/send", { to: email, template: this.shop.templates.get("order"), data });
    await this.shop.program("POST /v1/track", { email, event: ORDERED, data });
  }

  /** They find the form on the web. */
  async #signUp(count: number): Promise<void> {
    const visitor = asVisitor(this.stage.server);
    for (let at = 0; at < count; at++) {
      const firstName = NEW_NAMES[this.#joined % NEW_NAMES.length] ?? "";
      const email = `${firstName.toLowerCase()}.new${++this.#joined}@example.org`;
      await visitor(`POST ${this.shop.form}`, { email, firstName, garden: "balcony", _consent: true });
    }
  }

  async #send({ name, subject, body, topic, to }: CampaignWords, from: string): Promise<void> {
    const marketer = await this.shop.as("marketer");
    const { data } = await marketer("POST /campaigns", this.shop.campaign({ name, subject, body, topic, to }, from));
    await marketer(`POST /campaigns/${data.id}/send`, {});
  }

  /** Some hours later: the relay's provider reports, and who signed up confirms, but for the last. */
  async #react(letter: CampaignWords | null): Promise<void> {
    const { server, clock, relay } = this.stage;
    clock.moveTo(Math.min(this.nowMs, clock.nowMs() + 3 * HOUR_MS));
    const taken = relay.drain();
    const confirming = taken.filter(({ to, confirms }) => confirms !== null && to.includes(".new"));
    for (const { confirms } of confirming.slice(0, -1)) await asVisitor(server)(`POST ${confirms}`);
    await this.#report(taken, letter);
  }

  async #report(taken: readonly TakenMail[], letter: CampaignWords | null): Promise<void> {
    const { below } = this.#chance;
    const reports = taken.flatMap(({ id: emailId, isMarketing }, at) => {
      if (below(50) === 0) return [];
      const isOpened = below(100) < (isMarketing ? 42 : 70);
      const isClicked = isOpened && isMarketing && letter !== null && below(100) < 30;
      // One person, once in the year, has had enough.
      const hasEnough = letter === CAMPAIGNS[3] && at === 10;
      const leaves = isOpened && isMarketing && below(25) === 0;
      return [
        { type: "delivered", emailId },
        ...(isOpened ? [{ type: "opened", emailId }] : []),
        ...(isClicked ? [{ type: "clicked", emailId, link: pageOf(letter.path) }] : []),
        ...(leaves ? [{ type: "unsubscribed", emailId, reason: "List-Unsubscribe" }] : []),
        ...(hasEnough ? [{ type: "complained", emailId }] : []),
      ];
    });
    if (reports.length === 0) return;
    const { server, secrets } = this.stage;
    await asVisitor(server)(`POST ${providerUrl(secrets, "", "generic")}`, reports);
  }

  /** The newest letter leaves little by little; and what waits for tomorrow. */
  async lastDays(): Promise<void> {
    const { server, clock } = this.stage;
    this.#moveTo(2, 9);
    await this.#send(NEWEST, NEWS_FROM);
    await server.settle();
    await this.#pass(MINUTE_MS);
    await this.#react(NEWEST);
    this.#moveTo(1, 10);
    await server.settle();
    await this.#react(NEWEST);
    clock.moveTo(this.nowMs - 4 * HOUR_MS);
    for (let order = 0; order < ORDERS_A_SCENE; order++) await this.#order();
    await this.#signUp(3);
    await makeToday(this.stage, this.shop, this.nowMs);
    await server.settle();
    await this.#react(NEWEST);
    await server.settle();
    await this.#pass(HOUR_MS);
  }

  async #pass(ms: number): Promise<void> {
    const { server, clock } = this.stage;
    clock.moveTo(Math.min(this.nowMs, clock.nowMs() + ms));
    await server.settle();
  }

  /** At an hour of a day (UTC), and never later than now. */
  #moveTo(daysAgo: number, hour: number): void {
    const today = Math.floor(this.nowMs / DAY_MS) * DAY_MS;
    this.stage.clock.moveTo(Math.min(this.nowMs, today - daysAgo * DAY_MS + hour * HOUR_MS));
  }
}
