// The routes of recipient pages in the API description.
import { t } from "elysia";
import { oneOf } from "../../http/answer-shapes.ts";
import { content } from "../../http/answers.ts";
import { LANGUAGES } from "../../base/languages/language.ts";
import { LEAVING_REASONS } from "../../base/languages/questions.ts";
import { PAUSE_DAYS } from "../../audience/contacts/pause.ts";

const PAGE = content("text/html");
const FORM = {
  type: "application/x-www-form-urlencoded",
  schema: t.Object(
    {
      subscribed: t.Optional(oneOf("true", "false")),
      listed: t.Optional(t.Array(t.String(), { description: "The keys of the topics that the page showed." })),
      topic: t.Optional(t.Array(t.String(), { description: "Of these, the keys of those that the person wants." })),
      pause: t.Optional({
        ...oneOf("0", ...PAUSE_DAYS.map(String)),
        description: "For how many days marketing email waits; 0 ends the pause.",
      }),
      language: t.Optional(oneOf(...LANGUAGES)),
      why: t.Optional({ ...oneOf(...LEAVING_REASONS), description: "Why the person has just left." }),
      words: t.Optional(t.String({ description: "The same in their own words: up to 500 characters." })),
      left: t.Optional(t.String({ description: "The key of the topic that they left." })),
    },
    { examples: [{ subscribed: "false" }] },
  ),
};
export const pageDetail = (name: string, summary: string) => ({
  detail: { name, summary, answers: { 200: PAGE, 404: PAGE }, key: "none", description: "Opening it changes nothing." },
});
export const CHOSEN = {
  detail: {
    name: "setSubscription",
    summary: "Subscribe, unsubscribe or choose",
    answers: { 200: PAGE, 303: null, 404: PAGE },
    description: "If nothing of this is said, or not in these words, nothing changes and the page is shown as by GET.",
    key: "none",
    refuses: ["PAYLOAD_TOO_LARGE", "SERVER_BUSY", "RATE_LIMIT_EXCEEDED"],
    takes: FORM,
  },
};
export const UNSUBSCRIBED = {
  detail: {
    name: "unsubscribe",
    summary: "Unsubscribe with one click",
    answers: { 200: PAGE },
    key: "none",
    description: "From an email of a topic the person leaves that topic, and stays subscribed.",
  },
};
export const SUBSCRIBED = {
  detail: {
    name: "subscribe",
    summary: "Subscribe",
    answers: { 200: PAGE, 303: null },
    key: "none",
    refuses: ["RATE_LIMIT_EXCEEDED"],
  },
};
