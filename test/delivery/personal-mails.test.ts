// Personalised mails: random templates and recipients. Every mail has the same bytes as if it had been composed alone.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Entities } from "../../src/delivery/carrier/entities.ts";
import { rendered } from "../../src/rendering/draft.ts";
import { Budget } from "../../src/templates/budget.ts";
import { anyPeople, mailTo } from "../support/personal-mails.ts";
import { anyContent } from "../support/personal-templates.ts";

/** After some mails their entities are shared. */
const MAILS = 10;
const CAMPAIGNS = 80;

test("a mail of any campaign is the same as alone", () => {
  fc.assert(
    fc.property(anyContent, anyPeople(MAILS), (content, people) => {
      const entities = new Entities();
      for (const [index, person] of people.entries()) {
        const mail = mailTo(person, index + 1, content);
        const texts = rendered(mail, { budget: new Budget(60_000) });
        const alone = new Entities().of(mail, texts);
        expect(entities.of(mail, texts).toString("latin1")).toBe(alone.toString("latin1"));
      }
    }),
    { numRuns: CAMPAIGNS },
  );
}, 60_000);
