// Turns each entry of an email's history into a sentence with its evidence.
import type { StatusIconName, Tone } from "../../parts/icons/icon.tsx";
import type { mail as texts } from "../../texts/en/mail.ts";
import type { Moment, WholeMail } from "../calls.ts";

export type HistoryLine = {
  readonly icon: StatusIconName;
  readonly tone?: Tone;
  readonly title: string;
  readonly text?: string;
  /** The evidence, such as a server's reply. */
  readonly reply?: string;
  readonly link?: string;
  /** The other mail of a resend. */
  readonly mailId?: string;
};

/** `times`: how often it happened in a row. */
export type RepeatedMoment = Moment & { readonly times: number };

const REPEATS = ["email.open", "email.click"];

/** Opens and clicks of the same kind in a row are one line. */
export function groupRepeats(timeline: readonly Moment[]): readonly RepeatedMoment[] {
  const lines: RepeatedMoment[] = [];
  for (const moment of timeline) {
    const last = lines.at(-1);
    if (last && REPEATS.includes(moment.what) && nameOf(last) === nameOf(moment))
      lines[lines.length - 1] = { ...last, times: last.times + 1 };
    else lines.push({ ...moment, times: 1 });
  }
  return lines;
}

function nameOf({ what, detail }: Moment): string {
  return [what, detail?.["bot"] === true, detail?.["link"]].join(" ");
}

/** Texts and formats for a line. */
export type Context = {
  readonly t: typeof texts;
  readonly span: (ms: number) => string;
  /** The name of the campaign or workflow that sent the mail; empty = none, or it was deleted. */
  readonly origin: string;
};

export function momentLine(moment: RepeatedMoment, mail: WholeMail, context: Context): HistoryLine {
  const { t, span } = context;
  const detail = moment.detail ?? {};
  const isMachine = detail["bot"] === true;
  const number = Number(detail["number"] ?? mail.attempts);
  const link = typeof detail["link"] === "string" ? { link: detail["link"] } : {};
  const tookMs = Number(detail["durationMs"] ?? 0);
  const answer = typeof detail["reply"] === "string" ? detail["reply"] : "";
  const reply = answer === "" ? {} : { reply: t.past.tried(number, answer, tookMs > 0 ? span(tookMs) : "") };
  // No server was contacted: a report came later, or the email could not be made.
  const unasked = {
    title: mail.sentAt === null ? t.past.notSent : t.past.report,
    ...(answer ? { reply: answer } : {}),
  };
  const host = typeof detail["host"] === "string" ? detail["host"] : "";
  const refused = host === "" ? reply : { ...reply, text: t.past.refusedBy(host, mail.to) };
  const failed = {
    tone: "bad" as const,
    ...(typeof detail["durationMs"] === "number" ? { title: t.past.failed(number), ...refused } : unasked),
  };
  const handedOver = { title: host === "" ? t.past.sent : t.past.sentTo(host), text: t.past.to(mail.to) };
  const lines: Readonly<Record<string, () => HistoryLine>> = {
    queued: () => accepted(detail, mail, context),
    "attempt.later": () => ({ icon: "waiting", tone: "warn", title: t.past.later(number), ...refused }),
    "attempt.unanswered": () => ({ icon: "waiting", tone: "warn", title: t.past.unanswered(number), ...reply }),
    "attempt.delayed": () => ({
      icon: "waiting",
      tone: "warn",
      title: t.past.delayed,
      ...(answer ? { reply: answer } : {}),
    }),
    "attempt.failed": () => ({ icon: "failed", ...failed }),
    "attempt.bounced": () => ({ icon: "bounced", ...failed }),
    "email.sent": () => ({ icon: "sent", ...handedOver, ...reply }),
    "email.delivery": () => ({ icon: "delivered", tone: "ok", title: t.past.delivered, text: t.past.deliveredText }),
    "email.bounce": () => bounced(detail, t),
    "email.complaint": () => ({
      icon: "complained",
      tone: "bad",
      title: t.past.complained,
      text: t.past.complainedText,
    }),
    "email.open": () =>
      isMachine
        ? { icon: "machine", title: t.past.machineOpened, text: t.past.machineOpenedText }
        : { icon: "opened", title: t.past.opened(moment.times) },
    "email.click": () =>
      isMachine
        ? { icon: "machine", title: t.past.machineClicked, text: t.past.machineClickedText, ...link }
        : { icon: "clicked", title: t.past.clicked(moment.times), ...link },
    unsubscribed: () => ({ icon: "unsub", title: t.past.unsubscribed, text: t.past.unsubscribedText }),
    leftTopic: () => ({ icon: "unsub", title: t.past.leftTopic, ...topicIn(detail, t) }),
    skipped: () => ({ icon: "skipped", title: t.past.skipped, text: t.past.skippedText }),
    cancelled: () => ({ icon: "cancelled", title: t.past.cancelled, ...cancelledBy(detail, t) }),
    resent: () => ({ icon: "changed", title: t.past.resent, mailId: String(detail["emailId"]) }),
    "email.received": () => ({
      icon: "received",
      tone: "note",
      title: t.past.received,
      text: t.past.receivedText(mail.from),
    }),
    webhook: () => webhook(detail, t),
  };
  return lines[moment.what]?.() ?? { icon: "info", title: moment.what };
}

type Detail = NonNullable<Moment["detail"]>;

function accepted(detail: Detail, { sourceType }: WholeMail, { t, origin }: Context): HistoryLine {
  const base = { icon: "accepted", title: t.past.accepted } as const;
  const from = detail["resentFrom"];
  if (typeof from === "string") return { ...base, text: t.past.repeats, mailId: from };
  const { acceptedBy } = t.past;
  if (sourceType === "CAMPAIGN" || sourceType === "WORKFLOW") return { ...base, text: acceptedBy[sourceType](origin) };
  const request = detail["requestId"];
  const proof = typeof request === "string" ? { reply: t.past.request(request) } : {};
  return { ...base, text: sourceOf(detail, t) ?? acceptedBy[sourceType], ...proof };
}

function topicIn({ topic }: Detail, t: typeof texts): Pick<HistoryLine, "text"> {
  return typeof topic === "string" ? { text: t.past.leftTopicText(topic) } : {};
}

/** Null for emails that the server generated. */
function sourceOf({ by, via }: Detail, t: typeof texts): string | null {
  if (typeof by !== "object" || by === null || typeof via !== "string") return null;
  const { kind, name } = by as { readonly kind?: string; readonly name?: string | null };
  return kind === "PERSON" ? t.past.byPerson(name ?? "", via) : t.past.withKey(name ?? "", via);
}

function cancelledBy({ by }: Detail, t: typeof texts): Pick<HistoryLine, "text"> {
  if (typeof by !== "object" || by === null) return {};
  const { kind, name } = by as { readonly kind: keyof typeof t.past.cancelledBy; readonly name: string | null };
  return { text: t.past.cancelledBy[kind](name ?? "") };
}

const WEBHOOKS = {
  delivered: { icon: "delivered", tone: "ok" },
  later: { icon: "waiting", tone: "warn" },
  failed: { icon: "failed", tone: "bad" },
  underWay: { icon: "sending", tone: "note" },
} as const;

function webhook(detail: Detail, t: typeof texts): HistoryLine {
  const outcome = String(detail["outcome"] ?? "underWay") as keyof typeof WEBHOOKS;
  const answer = [detail["status"], detail["reply"]].filter((part) => part !== null && part !== "").join(" ");
  return {
    ...WEBHOOKS[outcome],
    title: t.past.webhooks[outcome],
    text: t.past.webhookOf(String(detail["workflowName"]), String(detail["host"])),
    ...(answer === "" ? {} : { reply: answer }),
  };
}

function bounced(detail: Detail, t: typeof texts): HistoryLine {
  const isHard = detail["bounceType"] === "Permanent";
  return {
    icon: "bounced",
    tone: "bad",
    title: isHard ? t.past.hardBounce : t.past.softBounce,
    text: isHard ? t.past.hardBounceText : t.past.softBounceText,
  };
}
