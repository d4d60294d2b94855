// The interface as a page for people, made from the OpenAPI document: no script, nothing from elsewhere.
import { STATUS_OF, type ErrorCode } from "../../errors.ts";
import { callSection, type Call } from "./call.ts";
import { fieldRows, fieldTable } from "./fields.ts";
import { Html, markup, prose } from "../markup.ts";
import type { OpenApiDocument } from "./document.ts";
import { suggestionFor } from "../replies.ts";

const STYLE = `
:root { color-scheme: light dark; --line: #ccc; --code: #f3f3f3; --link: #1a4fd6 }
@media (prefers-color-scheme: dark) { :root { --line: #444; --code: #262626; --link: #9db7ff } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
section { border-top: 1px solid var(--line); margin-top: 2rem }
h4 { margin: 1rem 0 .25rem }
a { color: var(--link) }
code, pre { font: .9em/1.5 ui-monospace, monospace }
pre { background: var(--code); padding: .75rem 1rem; overflow-x: auto; border-radius: .4rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line) }
td ul { margin: 0; padding-left: 1.2rem }
:target { scroll-margin-top: 1rem }
`;

/** What a browser may do on the page: nothing but show it. */
export function docsHeaders(): Record<string, string> {
  const hash = new Bun.CryptoHasher("sha256").update(STYLE).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { "content-type": "text/html; charset=utf-8", "content-security-policy": policy };
}

export function docsPage(document: OpenApiDocument): string {
  const groups = Map.groupBy(callsOf(document), ({ operation }) => operation.tags[0] ?? "");
  const { title, version, description } = document.info;
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}: the interface</title>
        <style>${new Html(STYLE)}</style>
      </head>
      <body>
        <a href="#calls">Skip to the calls</a>
<header>
          <h1>${title} ${version}</h1>
          ${description.split("\n\n").map((text) => markup`<p>${prose(text)}</p>`)}
          <p>For programs: <a href="/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
        </header>
        <nav aria-label="Contents">
          ${[...groups].map(contents)}
          <p><a href="#records">Records</a> · <a href="#errors">Errors</a></p>
        </nav>
        <main id="calls">
          ${[...groups].map(
            ([name, calls]) =>
              markup`<h2>${name}</h2>
                ${calls.map((call) => callSection(document, call))}`,
          )}
          ${records(document)} ${errors()}
        </main>
      </body>
    </html> `.text;
}

function callsOf({ paths }: OpenApiDocument): Call[] {
  return Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ method: verb.toUpperCase(), path, operation })),
  );
}

function contents([name, calls]: [string, readonly Call[]]): Html {
  const items = calls.map(
    ({ method, path, operation }) =>
      markup`<li>
        <a href="#${operation.operationId}"><code>${method} ${path}</code></a> ${operation.summary}
      </li> `,
  );
  return markup`<h2>${name}</h2>
    <ul>
      ${items}
    </ul>`;
}

function records({ components }: OpenApiDocument): Html {
  const sections = Object.entries(components.schemas).map(
    ([name, schema]) =>
      markup`<section id="record-${name}">
        <h3>${name}</h3>
        ${fieldTable(fieldRows(schema))}
      </section> `,
  );
  return markup`<h2 id="records">Records</h2>
    ${sections}`;
}

function errors(): Html {
  const rows = (Object.keys(STATUS_OF) as ErrorCode[]).map(
    (code) =>
      markup`<tr id="error-${code}">
        <td>${STATUS_OF[code]}</td>
        <td><code>${code}</code></td>
        <td>${suggestionFor(code)}</td>
      </tr> `,
  );
  return markup`<h2 id="errors">Errors</h2>
    <p>
      Every error has the shape of <a href="#record-Error">Error</a>; <code>errors</code> names the fields at fault.
    </p>
    <div class="wide" tabindex="0" role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Code</th>
            <th scope="col">What to do</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>`;
}
