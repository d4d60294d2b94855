// /llms.txt and /llms-full.txt (llmstxt.org): the guide for programs that read, as a list of pages and whole.
import { markdownPathOf, guideText, titleOf } from "./markdown.ts";
import { PAGES } from "./pages.ts";

const HEAD = `# Posthorn

> A self-hosted email platform in one executable: a send API and SMTP submission, contacts, events, campaigns, templates, segments,
> workflows with webhooks, address verification, bounces and inbound email.

The API is described by [/openapi.json](/openapi.json) (OpenAPI 3.1). All pages in one file: [/llms-full.txt](/llms-full.txt).
`;

/** Each page with the summary in its first paragraph. */
export function listForPrograms(): string {
  const lines = [...PAGES].map(
    (name) => `- [${titleOf(name)}](${markdownPathOf(name)}): ${beginningOf(guideText(name))}`,
  );
  return `${HEAD}\n## Guide\n\n${lines.join("\n")}\n`;
}

export function allForPrograms(): string {
  return [HEAD, ...[...PAGES].map((name) => `<!-- ${markdownPathOf(name)} -->\n\n${guideText(name)}`)].join("\n");
}

/** A heading, picture, table, list or block of code. */
const NO_PROSE = /^([#!|>]|```|[-*] |\d+\. )/;
/** A colon or full stop in code does not end it. */
const SENTENCE = /^(`[^`]*`|[^`])*?[.:](?= |$)/;

/** The first sentence of a page. */
export function beginningOf(text: string): string {
  const paragraph = text.split(/\n{2,}/).find((one) => !NO_PROSE.test(one));
  const line = (paragraph ?? "").replace(/\s+/g, " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return SENTENCE.exec(line)?.[0].replace(/:$/, ".") ?? line;
}
