// The home page: docs/home.md on one screen, in two columns where there is room.
import type { SitePage } from "./frame.ts";
import { pageOfFile } from "./pages.ts";

const STYLE = `
main { max-width: none; columns: 22rem; column-gap: 3rem }
main > * { break-inside: avoid }
h2 { break-after: avoid; margin-top: 1.25rem; padding-top: .75rem }
`;

export function homePage(): SitePage {
  const { main, ...page } = pageOfFile("docs/home.md");
  return {
    ...page,
    path: "index.html",
    main: main.replaceAll(/(href|src)="(?!https?:|#)/g, '$1="docs/'),
    style: STYLE,
  };
}
