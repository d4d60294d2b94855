// What people ask support in a day, and how each is answered on screen.
import { expect } from "bun:test";
import { soon } from "../support/browser.ts";
import { side, type Day } from "./day-hand.ts";

type Answer = (day: Day) => Promise<void>;

/** Finds by name, with the keys alone. */
async function find({ page, hand }: Day, words: string): Promise<void> {
  await hand.press("Control+k");
  await page.getByRole("menuitem").first().waitFor();
  await hand.type(words);
  await page.getByRole("menuitem", { name: words }).first().waitFor();
  await hand.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

const person = (name: string) => `${name}@example.com`;
const sees = ({ page }: Day, text: string | RegExp) => page.locator("main").getByText(text).first().waitFor();

export const QUESTIONS: readonly (readonly [question: string, answer: Answer])[] = [
  [
    "Did Ada get her receipt?",
    async (day) => {
      await find(day, person("ada"));
      await sees(day, "Your receipt from the shop");
      await sees(day, day.t.frame.states.DELIVERED);
    },
  ],
  [
    "Why did Ben get no newsletter?",
    async (day) => {
      await find(day, person("ben"));
      await sees(day, day.t.people.mayWrite.why.bounce);
    },
  ],
  [
    "Who unsubscribed Cyd, and when?",
    async (day) => {
      await find(day, person("cyd"));
      await sees(day, /Mara Lind/);
    },
  ],
  [
    "Which link did Dora click?",
    async (day) => {
      await find(day, person("dora"));
      await sees(day, /shop\.example\/spring/);
    },
  ],
  [
    "Did Gus open the newsletter?",
    async (day) => {
      await find(day, person("gus"));
      await soon(async () =>
        expect(await day.page.locator(".counts").innerText()).toMatch(new RegExp(`1\\s*${day.t.people.counts.opened}`)),
      );
    },
  ],
  [
    "Why does Hana get nothing any more?",
    async (day) => {
      await find(day, person("hana"));
      await sees(day, day.t.people.mayWrite.why.complaint);
    },
  ],
  [
    "Which plan does Ivo have?",
    async (day) => {
      await find(day, person("ivo"));
      await sees(day, "team");
    },
  ],
  [
    "Was a file attached to Ivo’s invoice?",
    async (day) => {
      await find(day, person("ivo"));
      await day.hand.click(
        day.page
          .locator("main")
          .getByRole("link", { name: /Your invoice/ })
          .first(),
      );
      await day.hand.click(
        day.page.getByRole("navigation", { name: day.t.mail.parts }).getByText(day.t.mail.tabs.files),
      );
      await sees(day, "invoice.pdf");
    },
  ],
  [
    "Is Kim still in the first week, and until when?",
    async (day) => {
      await find(day, person("kim"));
      await sees(day, "First week");
      await sees(day, /order\.placed/);
    },
  ],
  [
    "In which segments is Ada?",
    async (day) => {
      await find(day, person("ada"));
      await sees(day, "Pro customers");
    },
  ],
  [
    "When does Gus’s reminder leave?",
    async (day) => {
      await find(day, person("gus"));
      await sees(day, "Your trial ends tomorrow");
    },
  ],
  [
    "Has the domain been verified?",
    async (day) => {
      await day.hand.click(side(day, "setUp"));
      await day.hand.click(day.page.getByRole("link", { name: "Domains", exact: true }));
      await sees(day, "example.test");
      await sees(day, day.t.domains.conditions.forced);
    },
  ],
  [
    "What bounced today, and why?",
    async (day) => {
      await day.hand.click(side(day, "mail"));
      await day.hand.click(day.page.locator(".views").getByRole("link", { name: day.t.mail.viewNames.bounced }));
      await day.hand.click(day.page.locator("a.line").filter({ hasText: person("ben") }));
      await sees(day, /550 5\.1\.1/);
    },
  ],
  [
    "Resend Eve’s invoice",
    async (day) => {
      await find(day, person("eve"));
      await day.hand.click(
        day.page
          .locator("main")
          .getByRole("link", { name: /Your invoice/ })
          .first(),
      );
      await day.page.getByRole("button", { name: day.t.mail.again.name }).first().waitFor();
      await day.hand.press("r");
      await day.page.getByRole("dialog").waitFor();
      await day.hand.press("Enter");
      await day.page.getByText(day.t.mail.again.done).waitFor();
    },
  ],
  [
    "Which emails wait, and for what?",
    async (day) => {
      await day.hand.click(side(day, "mail"));
      await day.hand.click(day.page.locator(".strip summary"));
      await sees(day, day.t.mail.queue.reasons.RETRY);
    },
  ],
  [
    "Who changed the receipt?",
    async (day) => {
      await find(day, "Receipt");
      await sees(day, /Mara Lind/);
    },
  ],
  [
    "How many opened the letter of March?",
    async (day) => {
      await find(day, "March letter");
      await day.page
        .locator(".fate .line")
        .filter({ hasText: day.t.account.parts.opened })
        .filter({ hasText: "2" })
        .waitFor();
    },
  ],
  [
    "Is the server healthy?",
    async (day) => {
      await day.hand.click(side(day, "overview"));
      await sees(day, new RegExp(`^${day.t.overview.queue.relays.ANSWERING}`));
    },
  ],
  [
    "Take Kim off the list",
    async (day) => {
      await find(day, person("kim"));
      await day.hand.click(day.page.getByRole("button", { name: day.t.people.unsubscribe }));
      await day.page.getByText(day.t.people.unsubscribed).first().waitFor();
      await soon(async () =>
        expect((await day.posthorn.call("GET /contacts/by-email/kim@example.com")).body.subscribed).toBe(false),
      );
    },
  ],
];
