// What a recipient sees, in their language: whether mail is on, and one button to change it. No scripts, nothing
// loaded.
import { directionOf, type Language, type Texts } from "../../languages/language.ts";
import { filledIn, textsIn } from "../../languages/texts.ts";
import type { ContactOfSomeWorkspace } from "../queries.ts";

type Reader = Pick<ContactOfSomeWorkspace, "email" | "workspaceName" | "status" | "subscribed">;

type PageOptions = {
  readonly token: string;
  readonly language: Language;
  /** The reader wants no mail, so a PENDING contact is not invited to confirm. */
  readonly declined: boolean;
  /** The reader has just chosen. */
  readonly saved: boolean;
};

/** The page works under /unsubscribe, /subscribe and /manage alike; its form posts to the last. */
export function preferencePage(contact: Reader, { token, language, declined, saved }: PageOptions): string {
  const texts = textsIn(language);
  const values = { email: `<strong>${isolated(contact.email)}</strong>`, workspace: isolated(contact.workspaceName) };
  const { title, state, button } = saidTo(contact, declined, texts);
  const status = saved ? `<p role="status">${texts.saved}</p>` : "";
  const form =
    `<form method="post" action="/manage/${Bun.escapeHTML(token)}">` +
    `<input type="hidden" name="subscribed" value="${!contact.subscribed}"><button>${button}</button></form>`;
  return html(language, title, `${status}<p>${filledIn(state, values)}</p>${form}`);
}

function saidTo({ status, subscribed }: Reader, declined: boolean, texts: Texts) {
  if (status === "PENDING" && !declined)
    return { title: texts.pendingTitle, state: texts.pendingState, button: texts.confirm };
  return subscribed
    ? { title: texts.subscribedTitle, state: texts.subscribedState, button: texts.unsubscribe }
    : { title: texts.unsubscribedTitle, state: texts.unsubscribedState, button: texts.subscribe };
}

/** For a link that is not ours, or cut off. */
export function brokenPage(language: Language): string {
  const { brokenTitle, brokenText } = textsIn(language);
  return html(language, brokenTitle, `<p>${brokenText}</p>`);
}

/** For a link of ours to a contact that was deleted. */
export function gonePage(language: Language): string {
  const { goneTitle, goneText } = textsIn(language);
  return html(language, goneTitle, `<p>${goneText}</p>`);
}

function html(language: Language, title: Texts[keyof Texts], content: string): string {
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
body { font: 1.0625rem/1.5 system-ui, sans-serif; max-width: 32em; margin: 12vh auto; padding: 0 1.5em; color: #1a1a1a; background: #fff }
h1 { font-size: 1.5em; line-height: 1.25 }
p { overflow-wrap: anywhere }
button { font: inherit; min-height: 2.75em; padding: .5em 1.4em; border: 0; border-radius: .4em; color: #fff; background: #1a4fd6; cursor: pointer }
button:focus-visible { outline: 3px solid; outline-color: #1a1a1a; outline-offset: 3px }
[role=status] { padding: .5em 1em; border-inline-start: .3em solid #1a7f37; background: #eaf6ec }
@media (prefers-color-scheme: dark) {
body { color: #eee; background: #161616 }
button { color: #0b1330; background: #9db7ff }
button:focus-visible { outline-color: #eee }
[role=status] { border-color: #57c26f; background: #17301d }
}
</style>
</head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>
`;
}

/** Text of one direction must not reverse the text around it. */
function isolated(text: string): string {
  return `<bdi>${Bun.escapeHTML(text)}</bdi>`;
}
