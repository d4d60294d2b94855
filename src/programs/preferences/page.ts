// The page that a recipient sees, in their language and the look of the workspace: whether mail is on, and one button
// to change it. It has no scripts and loads only the logo.
import { choiceTextsIn } from "../../base/languages/choices.ts";
import { questionTextsIn } from "../../base/languages/questions.ts";
import type { Language, RecipientTexts } from "../../base/languages/language.ts";
import { filledIn, textsIn } from "../../base/languages/texts.ts";
import { isPaused } from "../../audience/contacts/pause.ts";
import type { ContactOfSomeWorkspace } from "../../audience/contacts/queries.ts";
import { questionForm } from "./question.ts";
import { dayIn, formOf, languageForm, pauseForm, resumeForm } from "./choices.ts";
import { dataSection, type DataEntry } from "./data.ts";
import { html, logoIn } from "../../content/pages/frame.ts";
import { PLAIN_LOOK, type PageLook } from "../../content/pages/look.ts";

type PreferenceReader = Pick<
  ContactOfSomeWorkspace,
  "email" | "workspaceName" | "status" | "subscribed" | "pausedUntil"
>;

/** A topic in the reader's language, and whether its mail is on. */
export type PageTopic = {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly isIn: boolean;
};

type PageOptions = {
  readonly token: string;
  readonly language: Language;
  readonly look: PageLook;
  /** The current moment: a pause that ended before it has no effect. */
  readonly now: string;
  /** The reader declined mail, so a PENDING contact is not invited to confirm. */
  readonly declined: boolean;
  /** The reader has just chosen. */
  readonly saved: boolean;
  /** The topics for the reader to choose from. */
  readonly topics?: readonly PageTopic[];
  /** The reader's own data, as far as the workspace shows it. */
  readonly data?: readonly DataEntry[];
  /** The name of the topic that the reader has just left by one click. */
  readonly left?: string | null;
  /** The reader has just left and is asked for the reason: `left` is the key of a topic; null = all marketing mail. */
  readonly question?: { readonly left: string | null } | null;
  /** The reader has just answered that question. */
  readonly answered?: boolean;
  /** The mail asks for a confirmation from a contact who may already be subscribed. */
  readonly asks?: boolean;
  /** The link came to a former address: the page only offers to unsubscribe. */
  readonly isFormer?: boolean;
};

/** The page is the same under /unsubscribe, /subscribe and /manage; its form posts to /manage. */
export function preferencePage(contact: PreferenceReader, options: PageOptions): string {
  const { language, look, saved, left = null, answered = false } = options;
  const texts = textsIn(language);
  const values = { email: `<strong>${isolated(contact.email)}</strong>`, workspace: isolated(contact.workspaceName) };
  const said = saidTo(contact, options, texts);
  const { title, state } = said;
  const notice = answered
    ? questionTextsIn(language).thanks
    : left
      ? texts.topicLeft.replace("{topic}", () => isolated(left))
      : texts.saved;
  const status = saved ? `<p role="status">${notice}</p>` : "";
  const forms = formsFor(contact, options, said).join("");
  const data = contact.status === "ACTIVE" ? dataSection(language, options.data ?? []) : "";
  const content = `<h1>${title}</h1>${status}<p>${filledIn(state, values)}</p>${forms}${data}`;
  return html({ language, title, look, content: logoIn(look, contact.workspaceName) + content });
}

/** The first form is the most likely purpose of the visit. */
function formsFor(contact: PreferenceReader, options: PageOptions, said: SubscriptionTexts): readonly string[] {
  const { token, language, question } = options;
  const asked = question ? [questionForm({ token, language, ...question })] : [];
  return [...asked, ...choicesFor(contact, options, said)];
}

function choicesFor(
  contact: PreferenceReader,
  options: PageOptions,
  { button, wanted }: SubscriptionTexts,
): readonly string[] {
  const { token, language, topics = [], now, isFormer } = options;
  if (isFormer && wanted) return [];
  const texts = textsIn(language);
  const form = formOf(
    token,
    `${wanted || topics.length === 0 ? "" : nothingAtAll(language)}<input type="hidden" name="subscribed" value="${wanted}"><button>${button}</button>`,
  );
  if (contact.status !== "ACTIVE" || isFormer) return [form];
  const last = languageForm(token, language, texts);
  if (wanted) return [form, last];
  const choices = topicsForm(token, topics, texts);
  if (isPaused(contact, now)) return [resumeForm(token, language), choices, form, last];
  const pauses = pauseForm(token, language);
  return topics.length === 0 ? [form, pauses, last] : [choices, pauses, form, last];
}

/** Above the button that also ends mail outside the topics. */
function nothingAtAll(language: Language): string {
  const { nothing, nothingText } = choiceTextsIn(language);
  return `<h2>${nothing}</h2><p>${nothingText}</p>`;
}

/** Each topic with its box; the form also names the shown topics, since an unchecked box sends nothing. */
function topicsForm(token: string, topics: readonly PageTopic[], texts: RecipientTexts): string {
  if (topics.length === 0) return "";
  const boxes = topics.map(({ key, name, description, isIn }) => {
    const about = description === "" ? "" : `<small dir="auto">${Bun.escapeHTML(description)}</small>`;
    return (
      `<input type="hidden" name="listed" value="${key}">` +
      `<label><input type="checkbox" name="topic" value="${key}"${isIn ? " checked" : ""}>` +
      `<span><bdi>${Bun.escapeHTML(name)}</bdi>${about}</span></label>`
    );
  });
  const fields = `<fieldset><legend>${texts.topicsTitle}</legend>${boxes.join("")}</fieldset>`;
  return formOf(token, `${fields}<button>${texts.save}</button>`);
}

type SubscriptionTexts = {
  readonly title: string;
  readonly state: string;
  readonly button: string;
  /** True for a button that subscribes. */
  readonly wanted: boolean;
};

function saidTo(
  contact: PreferenceReader,
  { language, declined, asks = false, now }: PageOptions,
  texts: RecipientTexts,
): SubscriptionTexts {
  const { status, subscribed, pausedUntil } = contact;
  if ((status === "PENDING" || asks) && !declined)
    return { title: texts.pendingTitle, state: texts.pendingState, button: texts.confirm, wanted: true };
  if (subscribed && isPaused(contact, now)) {
    const { pausedTitle: title, pausedState } = choiceTextsIn(language);
    const state = pausedState.replace("{date}", dayIn(language, pausedUntil ?? now));
    return { title, state, button: texts.unsubscribe, wanted: false };
  }
  return subscribed
    ? { title: texts.subscribedTitle, state: texts.subscribedState, button: texts.unsubscribe, wanted: false }
    : { title: texts.unsubscribedTitle, state: texts.unsubscribedState, button: texts.subscribe, wanted: true };
}

/** For a link without our signature, such as one that was cut off. */
export function brokenPage(language: Language): string {
  const { brokenTitle, brokenText } = textsIn(language);
  return plainPage(language, brokenTitle, brokenText);
}

/** For a signed link to a deleted contact. */
export function gonePage(language: Language): string {
  const { goneTitle, goneText } = textsIn(language);
  return plainPage(language, goneTitle, goneText);
}

/** Has no brand, since the workspace is not known. */
function plainPage(language: Language, title: string, text: string): string {
  return html({ language, title, look: PLAIN_LOOK, content: `<h1>${title}</h1><p>${text}</p>` });
}

/** Text of one direction must not reverse the text around it. */
function isolated(text: string): string {
  return `<bdi>${Bun.escapeHTML(text)}</bdi>`;
}
