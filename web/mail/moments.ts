// One moment of a mail as a sentence with its proof.
import type { MarkName, Tone } from "../parts/icon.tsx";
import type { mail as texts } from "../texts/en/mail.ts";
import type { Moment, WholeMail } from "./mails.ts";

export type Told = {
  readonly mark: MarkName;
  readonly tone?: Tone;
  readonly title: string;
  readonly text?: string;
  /** The server's own words. */
  readonly reply?: string;
  readonly link?: string;
  /** Another mail that it is about. */
  readonly mailId?: string;
};

/** `times`: as often in a row. */
export type Repeated = Moment & { readonly times: number };

const REPEATS = ["email.open", "email.click"];

/** Opens and clicks of the same kind in a row are one line. */
export function together(timeline: readonly Moment[]): readonly Repeated[] {
  const lines: Repeated[] = [];
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

/** How a line is told: the texts, and how long something took in words. */
export type Telling = { readonly t: typeof texts; readonly span: (ms: number) => string };

export function momentLine(moment: Repeated, mail: WholeMail, { t, span }: Telling): Told {
  const detail = moment.detail ?? {};
  const isMachine = detail["bot"] === true;
  const number = Number(detail["number"] ?? mail.attempts);
  const link = typeof detail["link"] === "string" ? { link: detail["link"] } : {};
  const tookMs = Number(detail["durationMs"] ?? 0);
  const said = typeof detail["reply"] === "string" ? detail["reply"] : "";
  const reply = said === "" ? {} : { reply: t.past.tried(number, said, tookMs > 0 ? span(tookMs) : "") };
  const lines: Readonly<Record<string, () => Told>> = {
    queued: () => accepted(detail, mail, t),
    "attempt.later": () => ({ mark: "waiting", tone: "warn", title: t.past.later(number), ...reply }),
    "attempt.failed": () => ({ mark: "failed", tone: "bad", title: t.past.failed(number), ...reply }),
    "attempt.bounced": () => ({ mark: "bounced", tone: "bad", title: t.past.failed(number), ...reply }),
    "email.sent": () => ({ mark: "sent", title: t.past.sent, ...reply }),
    "email.delivery": () => ({ mark: "delivered", tone: "ok", title: t.past.delivered, text: t.past.deliveredText }),
    "email.bounce": () => bounced(detail, t),
    "email.complaint": () => ({
      mark: "complained",
      tone: "bad",
      title: t.past.complained,
      text: t.past.complainedText,
    }),
    "email.open": () =>
      isMachine
        ? { mark: "machine", title: t.past.machineOpened, text: t.past.machineOpenedText }
        : { mark: "opened", title: t.past.opened(moment.times) },
    "email.click": () =>
      isMachine
        ? { mark: "machine", title: t.past.machineClicked, text: t.past.machineClickedText, ...link }
        : { mark: "clicked", title: t.past.clicked(moment.times), ...link },
    unsubscribed: () => ({ mark: "unsub", title: t.past.unsubscribed, text: t.past.unsubscribedText }),
    resent: () => ({ mark: "changed", title: t.past.resent, mailId: String(detail["emailId"]) }),
    "email.received": () => ({
      mark: "received",
      tone: "note",
      title: t.past.received,
      text: t.past.receivedText(mail.from),
    }),
  };
  return lines[moment.what]?.() ?? { mark: "info", title: moment.what };
}

function accepted(detail: NonNullable<Moment["detail"]>, { sourceType }: WholeMail, t: typeof texts): Told {
  const from = detail["resentFrom"];
  if (typeof from === "string") return { mark: "accepted", title: t.past.accepted, text: t.past.repeats, mailId: from };
  return { mark: "accepted", title: t.past.accepted, text: t.past.acceptedBy[sourceType] };
}

function bounced(detail: NonNullable<Moment["detail"]>, t: typeof texts): Told {
  const isHard = detail["bounceType"] === "Permanent";
  return {
    mark: "bounced",
    tone: "bad",
    title: isHard ? t.past.hardBounce : t.past.softBounce,
    text: isHard ? t.past.hardBounceText : t.past.softBounceText,
  };
}
