// The text of an alert: as an email, and as JSON for a webhook.
import { build } from "../../base/version.ts";
import type { Trouble } from "./queries.ts";

export type AlertNews = {
  /** The name of this server. */
  readonly server: string;
  readonly at: string;
  readonly begun: readonly Trouble[];
  readonly over: readonly Trouble[];
  /** `posthorn alerts test` made it. */
  readonly isTest?: true;
};

type AlertLetter = { readonly subject: string; readonly text: string };

/** The first line of a text is enough on the screen of a telephone. */
export function letterOf(news: AlertNews): AlertLetter {
  const { server, begun, over, isTest } = news;
  const text = [
    ...(isTest ? ["This is a test of [alerts]. Nothing is wrong."] : []),
    ...begun.map(({ text, since }) => `${text}\nSince ${minuteOf(since)}.`),
    ...over.map(({ text, since }) => `Over: ${text}\nIt began at ${minuteOf(since)}.`),
    ...(begun.length === 0 ? [] : ["What to do: posthorn status, posthorn doctor, and docs/operate/troubles.md."]),
    `Posthorn ${build().version} at ${server}`,
  ].join("\n\n");
  return { subject: `${server}: ${subjectOf(news)}`, text: `${text}\n` };
}

function subjectOf({ begun, over, isTest }: AlertNews): string {
  if (isTest) return "a test of the alerts";
  const [first] = begun;
  if (first) return begun.length === 1 ? withoutStop(first.text) : `${begun.length} things need you`;
  return over.length === 1 ? `over: ${withoutStop(over[0]?.text ?? "")}` : `${over.length} things are over`;
}

const MOST_SUBJECT_CHARS = 120;

function withoutStop(text: string): string {
  const [line = ""] = text.split("\n");
  const whole = line.replace(/\.$/, "");
  return whole.length > MOST_SUBJECT_CHARS ? `${whole.slice(0, MOST_SUBJECT_CHARS)}…` : whole;
}

/** `text` is what chat programs show (Slack, Mattermost, Rocket.Chat, Google Chat). */
export function callOf(news: AlertNews): Record<string, unknown> {
  const { server, at, begun, over, isTest } = news;
  const { subject, text } = letterOf(news);
  return { type: isTest ? "alert.test" : "alert", text: `${subject}\n\n${text}`.trim(), server, at, begun, over };
}

/** `2026-11-27 18:03 UTC` */
function minuteOf(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}
