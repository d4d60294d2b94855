// A page of the guide as HTML: no script, nothing fetched from elsewhere.
import { posix } from "node:path";
import { PAGES } from "./pages.ts";

const STYLE = `
:root { color-scheme: light dark; --line: #ddd; --soft: #f5f5f4; --link: #1a4fd6; --quiet: #666 }
@media (prefers-color-scheme: dark) { :root { --line: #3a3a3a; --soft: #242424; --link: #9db7ff; --quiet: #a3a3a3 } }
body { font: 16px/1.6 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1.5rem; display: grid; gap: 3rem;
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
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; color: var(--quiet) }
:target { scroll-margin-top: 1rem }
@media (max-width: 48rem) { body { display: block } nav { position: static; margin-bottom: 2rem }
  nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem } }
`;
const MARKDOWN = { headings: true, noHtmlBlocks: true, noHtmlSpans: true };

/** What a browser may do on the page: nothing but show it. */
export function guideHeaders(): Record<string, string> {
  const hash = new Bun.CryptoHasher("sha256").update(STYLE).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { "content-type": "text/html; charset=utf-8", "content-security-policy": policy };
}

export function guidePage(name: string): string {
  const text = PAGES.get(name) ?? "";
  const title = Bun.escapeHTML(titleOf(text));
  return `<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${name === "index" ? title : `${title} · Posthorn`}</title>
        <style>${STYLE}</style>
      </head>
      <body>
        <nav aria-label="Guide">
          <ul>
            ${[...PAGES.keys()].map((other) => `<li>${linkTo(other, other === name)}</li>`).join("\n            ")}
            <li><a href="/docs">API reference</a></li>
          </ul>
        </nav>
        <main>${served(Bun.markdown.html(text, MARKDOWN), name)} ${next(name)}</main>
      </body>
    </html>
`;
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? "";
}

function linkTo(name: string, isCurrent = false): string {
  const title = Bun.escapeHTML(titleOf(PAGES.get(name) ?? ""));
  return `<a href="${pathOf(name)}"${isCurrent ? ' aria-current="page"' : ""}>${title}</a>`;
}

export function pathOf(name: string): string {
  return `/docs/guide/${name}`.replace(/\/index$/, "");
}

function next(name: string): string {
  const names = [...PAGES.keys()];
  const following = names[names.indexOf(name) + 1];
  return following === undefined ? "" : `<footer>Next: ${linkTo(following)}</footer>`;
}

/**
 * The pages link to each other as files of the repository, so that the links work there too; pictures are only there.
 */
function served(html: string, name: string): string {
  return html
    .replace(/href="((?:\.\.\/)?[a-z/-]+)\.md(#[\w-]+)?"/g, (_, file: string, anchor = "") => {
      return `href="${pathOf(posix.join(posix.dirname(name), file))}${anchor}"`;
    })
    .replaceAll(/<p><img [^>]+><\/p>/g, "")
    .replaceAll('href="../config.example.toml"', 'href="/docs/guide/config.example.toml"')
    .replaceAll(/href="(grafana\.json|alerts\.yml)"/g, 'href="/docs/guide/operate/$1"');
}
