// The hosted page of a form, and the notices for its visitors. No scripts, nothing loaded but the logo.
import { html, logoIn } from "../../content/pages/frame.ts";
import { PLAIN_LOOK, type PageLook } from "../../content/pages/look.ts";
import type { Language } from "../../base/languages/language.ts";
import { formTextsIn } from "../../base/languages/forms.ts";
import { TOPICS } from "./fields.ts";
import { formHtml, linked, type FormView } from "./html.ts";
import { textIn } from "./text.ts";

const STYLE = `
label { display: block; font-weight: 600; margin-block-end: .25em }
label:has([type=checkbox]) { font-weight: inherit; padding-inline-start: 2em; text-indent: -2em }
label small { font-weight: 400; text-indent: 0 }
label[for] small { display: inline }
input, select { font: inherit; box-sizing: border-box; inline-size: 100%; min-height: 2.75em; padding: .4em .7em; border: 1px solid var(--edge); border-radius: .4em; color: var(--ink); background: var(--paper); color-scheme: light dark }
[type=checkbox] { inline-size: 1.25em; min-height: 1.25em; margin: 0; margin-inline-end: .45em; vertical-align: -.2em; accent-color: var(--accent) }
:is(input, select):focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
fieldset { margin: 1em 0; padding: 0; border: 0 }
legend { padding: 0; font-weight: 600 }
fieldset p { margin: .5em 0 }
[aria-invalid] { border-width: 2px; border-inline-start-width: .4em }
p > strong { display: block; margin-block-start: .25em }
[role=alert] { padding: .25em 1em; border: 2px solid var(--edge); border-radius: .4em }
[role=alert] a { color: inherit }`;

type FormPageView = Omit<FormView, "action" | "token"> & {
  readonly look: PageLook;
  readonly workspaceName: string;
};

export function formPage(shown: FormPageView & Pick<FormView, "action" | "token">): string {
  const { settings, language, otherwise, look, workspaceName } = shown;
  const title = Bun.escapeHTML(textIn(settings.title, language, otherwise) || workspaceName);
  const intro = linked(textIn(settings.intro, language, otherwise)).replaceAll(/\r?\n/g, "<br>");
  const head = `${logoIn(look, workspaceName)}<h1>${title}</h1>${intro && `<p>${intro}</p>`}`;
  const content = head + faultsIn(shown) + formHtml(shown);
  return html({ language, title, look, content, style: STYLE });
}

/** All faults at the top, each with a link to its field. */
function faultsIn({ faults = new Map(), settings, language, otherwise }: FormPageView): string {
  const said = formTextsIn(language);
  const labels = new Map(settings.fields.map(({ name, label }) => [name, textIn(label, language, otherwise) || name]));
  labels.set("email", said.email).set(TOPICS, said.topics);
  const items = [...faults].map(([name, fault]) => {
    const label = labels.get(name) ?? null;
    const words = label === null ? said[fault] : `${label}: ${said[fault]}`;
    return `<li><a href="#f-${name}">${Bun.escapeHTML(words)}</a></li>`;
  });
  return items.length === 0 ? "" : `<div role="alert"><h2>${said.faults}</h2><ul>${items.join("")}</ul></div>`;
}

type ThanksView = Pick<FormPageView, "language" | "look" | "workspaceName">;

/** The same for every address, known or not. */
export function thanksPage({ language, look, workspaceName }: ThanksView, asksEverybody: boolean): string {
  const { thanks, asked, perhapsAsked } = formTextsIn(language);
  const content = `${logoIn(look, workspaceName)}<h1>${thanks}</h1><p>${asksEverybody ? asked : perhapsAsked}</p>`;
  return html({ language, title: thanks, look, content });
}

/** For a form that is off or does not exist. */
export function closedPage(language: Language): string {
  const { closedTitle, closedText } = formTextsIn(language);
  return notice(language, closedTitle, closedText);
}

export function busyPage(language: Language): string {
  const { faults, busy } = formTextsIn(language);
  return notice(language, faults, busy);
}

/** For visitors of a website that may not send the form: the place where they can. */
export function elsewherePage(language: Language, key: string): string {
  const { elsewhereTitle, elsewhereText, ownPage } = formTextsIn(language);
  const link = `<a href="/f/${key}?language=${language}">${ownPage}</a>`;
  return notice(language, elsewhereTitle, elsewhereText, `<p>${link}</p>`);
}

function notice(language: Language, title: string, text: string, more = ""): string {
  return html({ language, title, look: PLAIN_LOOK, content: `<h1>${title}</h1><p>${text}</p>${more}` });
}
