// What a recipient sees: whether marketing mail is on, and the one button that changes it.
import type { ContactOfSomeWorkspace } from "./queries.ts";

/** The page works under /unsubscribe, /subscribe and /manage alike; its form posts to the last. */
export function preferencePage(contact: ContactOfSomeWorkspace, token: string): string {
  const subscribed = contact.subscribed === 1;
  const address = escapeHtml(contact.email);
  const name = escapeHtml(contact.workspace_name);
  const state = subscribed
    ? `<strong>${address}</strong> gets marketing mail from ${name}.`
    : `<strong>${address}</strong> gets no marketing mail from ${name}.`;
  const button = subscribed ? "Unsubscribe" : "Subscribe again";
  return html(
    subscribed ? "You are subscribed" : "You are not subscribed",
    `<p>${state}</p><form method="post" action="/manage/${escapeHtml(token)}">` +
      `<input type="hidden" name="subscribed" value="${!subscribed}"><button>${button}</button></form>`,
  );
}

export function notFoundPage(): string {
  return html("This link is not valid", "<p>Open the link again from the newest mail, in full.</p>");
}

function html(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
body { font: 17px/1.5 system-ui, sans-serif; max-width: 32em; margin: 12vh auto; padding: 0 1.5em; color: #1a1a1a; background: #fff }
h1 { font-size: 1.5em }
button { font: inherit; padding: .6em 1.4em; border: 0; border-radius: .4em; background: #1a4fd6; color: #fff; cursor: pointer }
button:focus-visible { outline: 3px solid #9db7ff }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #161616 } }
</style>
</head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>
`;
}

function escapeHtml(text: string): string {
  return Bun.escapeHTML(text);
}
