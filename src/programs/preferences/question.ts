// The optional question about the reason, for a person who has just unsubscribed or left a topic.
import { LEAVING_REASONS, questionTextsIn } from "../../base/languages/questions.ts";
import type { Language } from "../../base/languages/language.ts";
import { MAX_WORDS_CHARS } from "./leaving.ts";
import { formOf } from "./choices.ts";

type LeavingQuestion = {
  readonly token: string;
  readonly language: Language;
  /** The key of the topic that the person left; null = all marketing mail. */
  readonly left: string | null;
};

/** HTML. */
export function questionForm({ token, language, left }: LeavingQuestion): string {
  const texts = questionTextsIn(language);
  const reasons = LEAVING_REASONS.map(
    (reason) => `<label><input type="radio" name="why" value="${reason}"><span>${texts[reason]}</span></label>`,
  );
  const words = `<label for="words">${texts.words}</label><input id="words" name="words" maxlength="${MAX_WORDS_CHARS}" autocomplete="off">`;
  const topic = left === null ? "" : `<input type="hidden" name="left" value="${Bun.escapeHTML(left)}">`;
  const asked = `<legend>${texts.whyTitle}</legend><p>${texts.whyText}</p>${reasons.join("")}`;
  return formOf(token, `${topic}<fieldset>${asked}${words}</fieldset><button>${texts.send}</button>`);
}
