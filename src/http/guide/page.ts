// A page of the guide as HTML: one small script that copies, and no external resources.
import { SANS } from "../../base/fonts.ts";
import { htmlOf, markdownPathOf, pathOf, titleOf } from "./markdown.ts";
import { PAGES } from "./pages.ts";
import { searchGuide, type Hit } from "./search.ts";

const STYLE = `
:root { color-scheme: light dark; background: Canvas; --line: #ddd; --soft: #f5f5f4; --link: #1a4fd6; --quiet: #666 }
@media (prefers-color-scheme: dark) { :root { --line: #3a3a3a; --soft: #242424; --link: #9db7ff; --quiet: #a3a3a3 } }
body { font: 16px/1.6 ${SANS}; margin: 0 auto; max-width: 72rem; padding: 1.5rem; display: grid; gap: 3rem;
  grid-template-columns: 11rem minmax(0, 1fr) }
nav { font-size: .92rem; position: sticky; top: 1.5rem; align-self: start }
nav ul { list-style: none; margin: 0; padding: 0 }
nav li { margin: .15rem 0 }
nav [aria-current] { font-weight: 600; color: inherit; text-decoration: none }
main { max-width: 52rem }
h1 { margin-top: 0; line-height: 1.2 }
h2 { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1.25rem; line-height: 1.3 }
h1 a, h2 a, h3 a { color: inherit; text-decoration: none }
h2 a:hover, h3 a:hover { text-decoration: underline }
a { color: var(--link) }
code, pre { font: .9em/1.55 ui-monospace, monospace }
:not(pre) > code { background: var(--soft); border-radius: .25rem; padding: .1em .3em; overflow-wrap: anywhere }
pre { background: var(--soft); padding: .8rem 1rem; overflow-x: auto; border-radius: .4rem }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { text-align: left; vertical-align: top; padding: .35rem 1rem .35rem 0; border-bottom: 1px solid var(--line) }
form { margin-bottom: 1rem }
input, button { font: inherit; border: 1px solid var(--line); border-radius: .4rem; background: none; color: inherit }
input { box-sizing: border-box; width: 100%; padding: .3rem .5rem }
button { padding: .1rem .6rem; cursor: pointer }
.forms { float: right; font-size: .85rem; color: var(--quiet); display: flex; gap: .75rem; align-items: baseline }
.found { list-style: none; padding: 0 }
.found li { margin: 1.25rem 0 }
.found p { margin: .1rem 0 0; color: var(--quiet) }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; color: var(--quiet) }
:target { scroll-margin-top: 1rem }
@media (max-width: 48rem) { body { display: block } nav { position: static; margin-bottom: 2rem }
  nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem } }
`;

/** Copies the Markdown of the page, from the address in the button. */
const SCRIPT = `
for (const button of document.querySelectorAll("button[data-from]")) {
  button.hidden = false;
  button.onclick = async () => {
    await navigator.clipboard.writeText(await (await fetch(button.dataset.from)).text());
    button.textContent = "Copied";
  };
}
`;

/** The policy of the page: a browser may show it, copy its Markdown, and search. */
export function guideHeaders(): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(STYLE)}`,
    `script-src ${hashOf(SCRIPT)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return { "content-type": "text/html; charset=utf-8", "content-security-policy": policy.join("; ") };
}

function hashOf(text: string): string {
  return `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`;
}

export function guidePage(name: string): string {
  const title = name === "index" ? titleOf(name) : `${titleOf(name)} · Posthorn`;
  const forms = `<div class="forms"><a href="${markdownPathOf(name)}">Markdown</a>
    <button hidden data-from="${markdownPathOf(name)}">Copy as Markdown</button></div>`;
  return whole({ title, name, question: "" }, `${forms} ${htmlOf(name)} ${next(name)}`);
}

/** The results of a search in the guide. */
export function searchPage(question: string): string {
  const { sections, unknown } = searchGuide(question);
  const words = unknown.map((word) => `“${Bun.escapeHTML(word)}”`).join(" or ");
  const missing = unknown.length === 0 ? "" : `<p>No page of the guide has ${words}.</p>`;
  const list = sections.length === 0 ? "" : `<ul class="found">${sections.map(itemOf).join("\n")}</ul>`;
  return whole({ title: "Search · Posthorn", name: null, question }, `<h1>Search</h1> ${missing} ${list}`);
}

function itemOf({ path, title, heading, excerpt }: Hit): string {
  const name = heading === title ? title : `${title}: ${heading}`;
  return `<li><a href="${path}">${Bun.escapeHTML(name)}</a><p>${Bun.escapeHTML(excerpt)}</p></li>`;
}

type PageHead = { readonly title: string; readonly name: string | null; readonly question: string };

function whole({ title, name, question }: PageHead, main: string): string {
  const items = [...PAGES].map((other) => `<li>${linkTo(other, other === name)}</li>`);
  const navigation = `${searchForm("/docs/guide/search", question)}
          <ul>
            ${items.join("\n            ")}
            <li><a href="/docs">API reference</a></li>
          </ul>`;
  return framed({ title, navigation, main, script: SCRIPT });
}

export function searchForm(action: string, question: string): string {
  return `<form role="search" action="${action}">
            <input type="search" name="q" placeholder="Search" aria-label="Search the guide" maxlength="100"
              value="${Bun.escapeHTML(question)}" />
          </form>`;
}

/** `head`: more of it than a page of the guide has. */
type PageFrame = {
  readonly title: string;
  readonly head?: string;
  readonly navigation: string;
  readonly main: string;
  readonly script: string;
};

/** The frame of a page; the site (build/site.ts) puts its pages into it too. All but the title is HTML or a script. */
export function framed({ title, head = "", navigation, main, script }: PageFrame): string {
  return `<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${Bun.escapeHTML(title)}</title>
        <style>${STYLE}</style>${head}
      </head>
      <body>
        <nav aria-label="Pages">
          ${navigation}
        </nav>
        <main>${main}</main>
        <script>${script}</script>
      </body>
    </html>
`;
}

function linkTo(name: string, isCurrent = false): string {
  return `<a href="${pathOf(name)}"${isCurrent ? ' aria-current="page"' : ""}>${Bun.escapeHTML(titleOf(name))}</a>`;
}

function next(name: string): string {
  const names = [...PAGES];
  const following = names[names.indexOf(name) + 1];
  return following === undefined ? "" : `<footer>Next: ${linkTo(following)}</footer>`;
}
