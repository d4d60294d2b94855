// The steps and transitions of the six starters.
import type { Starter, StarterStep } from "./starters.ts";

/** The event of a confirmed subscription. */
export const SUBSCRIBED = "contact.subscribed";
const DAY = 86_400;
const HOUR = 3_600;
const QUIET_DAYS = 60;

const mail = (ref: string, name: string, templateId: string): StarterStep => ({
  ref,
  type: "SEND_EMAIL",
  name,
  config: { templateId },
});
const delay = (ref: string, name: string, days: number): StarterStep => ({
  ref,
  type: "DELAY",
  name,
  config: { amount: days, unit: "days" },
});
const wait = (ref: string, name: string, eventName: string, timeout: number): StarterStep => ({
  ref,
  type: "WAIT_FOR_EVENT",
  name,
  config: { eventName, timeout },
});
const end = (ref: string, reason: string): StarterStep => ({ ref, type: "EXIT", name: reason, config: { reason } });
const set = (ref: string, name: string, config: object): StarterStep => ({ ref, type: "UPDATE_CONTACT", name, config });

export const STARTERS: readonly Starter[] = [
  {
    id: "welcome",
    kind: "MARKETING",
    isForSignUps: true,
    build: (templateOf, _, { steps: t }) => ({
      eventName: SUBSCRIBED,
      steps: [
        mail("hello", t.sendWelcome, templateOf("hello")),
        delay("days", t.threeDays, 3),
        mail("tips", t.sendTips, templateOf("tips")),
      ],
      transitions: [
        ["trigger", "hello"],
        ["hello", "days"],
        ["days", "tips"],
      ],
    }),
  },
  {
    id: "optIn",
    kind: "TRANSACTIONAL",
    build: (templateOf, _, { steps: t }) => ({
      eventName: "newsletter.requested",
      reentry: "after-end",
      steps: [
        mail("ask", t.askToConfirm, templateOf("ask")),
        wait("confirmed", t.confirmed, "newsletter.confirmed", 7 * DAY),
        set("subscribe", t.subscribe, { subscribed: true }),
        mail("thanks", t.sendThanks, templateOf("thanks")),
        end("never", t.neverConfirmed),
      ],
      transitions: [
        ["trigger", "ask"],
        ["ask", "confirmed"],
        ["confirmed", "subscribe", "event"],
        ["confirmed", "never", "timeout"],
        ["subscribe", "thanks"],
      ],
    }),
  },
  {
    id: "cart",
    kind: "MARKETING",
    build: (templateOf, _, { steps: t }) => ({
      eventName: "cart.updated",
      reentry: "after-end",
      steps: [
        wait("ordered", t.ordered, "order.placed", 4 * HOUR),
        mail("remind", t.remindOfCart, templateOf("remind")),
        wait("later", t.orderedLater, "order.placed", 2 * DAY),
        mail("last", t.lastCall, templateOf("last")),
        end("bought", t.bought),
      ],
      transitions: [
        ["trigger", "ordered"],
        ["ordered", "bought", "event"],
        ["ordered", "remind", "timeout"],
        ["remind", "later"],
        ["later", "bought", "event"],
        ["later", "last", "timeout"],
      ],
    }),
  },
  {
    id: "trial",
    kind: "TRANSACTIONAL",
    build: (templateOf, _, { steps: t }) => ({
      eventName: "trial.started",
      steps: [
        wait("upgraded", t.upgraded, "plan.upgraded", 11 * DAY),
        mail("ending", t.trialEnds, templateOf("ending")),
        wait("days", t.upgradedLater, "plan.upgraded", 3 * DAY),
        set("over", t.trialOver, { data: { trial: "over" } }),
        mail("ended", t.trialEnded, templateOf("ended")),
        end("paying", t.paying),
      ],
      transitions: [
        ["trigger", "upgraded"],
        ["upgraded", "paying", "event"],
        ["upgraded", "ending", "timeout"],
        ["ending", "days"],
        ["days", "paying", "event"],
        ["days", "over", "timeout"],
        ["over", "ended"],
      ],
    }),
  },
  {
    id: "winBack",
    kind: "MARKETING",
    segment: {
      logic: "AND",
      groups: [
        {
          filters: [
            { field: "event.order.placed", operator: "triggered" },
            { field: "event.order.placed", operator: "notTriggeredWithin", value: QUIET_DAYS, unit: "days" },
          ],
        },
      ],
    },
    build: (templateOf, slug, { steps: t }) => ({
      eventName: `segment.${slug}.entry`,
      reentry: "after-end",
      steps: [
        mail("miss", t.missYou, templateOf("miss")),
        wait("back", t.cameBack, "order.placed", 14 * DAY),
        end("again", t.isBack),
        set("lost", t.stayedAway, { data: { winBack: "stayed away" } }),
      ],
      transitions: [
        ["trigger", "miss"],
        ["miss", "back"],
        ["back", "again", "event"],
        ["back", "lost", "timeout"],
      ],
    }),
  },
  {
    id: "tickets",
    kind: "TRANSACTIONAL",
    build: (templateOf, _, { steps: t }) => ({
      eventName: "email.received",
      reentry: "always",
      steps: [
        {
          ref: "spam",
          type: "CONDITION",
          name: t.isSpam,
          config: { field: "event.spamVerdict", operator: "equals", value: "FAIL" },
        },
        end("junk", t.junk),
        {
          ref: "ticket",
          type: "WEBHOOK",
          name: t.openTicket,
          config: {
            url: "https://tickets.example.com/api/tickets",
            method: "POST",
            headers: { Authorization: "Bearer …" },
            body: {
              from: "{{ event.from }}",
              subject: "{{ event.subject }}",
              body: "{{ event.body }}",
              id: "{{ event.messageId }}",
            },
            onFailure: "stop",
          },
        },
        mail("received", t.weHaveIt, templateOf("received")),
      ],
      transitions: [
        ["trigger", "spam"],
        ["spam", "junk", "yes"],
        ["spam", "ticket", "no"],
        ["ticket", "received"],
      ],
    }),
  },
];
