// The guide at /docs/guide: how to use and run Posthorn, for people. It is not part of the interface.
import { Elysia } from "elysia";
import { AppError } from "../../base/errors.ts";
import { unchanging } from "../unchanging.ts";
import { guideFile } from "./files.ts";
import { allForPrograms, listForPrograms } from "./for-programs.ts";
import { markdownPathOf, pathOf, guideText } from "./markdown.ts";
import { guideHeaders, guidePage, searchPage } from "./page.ts";
import { PAGES } from "./pages.ts";

const HIDDEN = { detail: { hide: true } };
const PLAIN = { "content-type": "text/plain; charset=utf-8" };
const MARKDOWN = { "content-type": "text/markdown; charset=utf-8" };
const MOST_QUESTION_CHARS = 100;

export function guideRoutes() {
  const pages = new Map(
    [...PAGES].flatMap((name) => [
      [pathOf(name), unchanging(() => htmlPage(guidePage(name)))],
      [markdownPathOf(name), unchanging(() => new Response(guideText(name), { headers: MARKDOWN }))],
    ]),
  );
  const list = unchanging(() => new Response(listForPrograms(), { headers: PLAIN }));
  const all = unchanging(() => new Response(allForPrograms(), { headers: PLAIN }));
  const configuration = unchanging(() => plain("config.example.toml"));
  const board = unchanging(() => plain("docs/operate/grafana.json"));
  const rules = unchanging(() => plain("docs/operate/alerts.yml"));
  const answer = (path: string, request: Request) => {
    const page = pages.get(path);
    if (!page) throw new AppError("ROUTE_NOT_FOUND", "The guide has no such page.");
    return page(request);
  };
  return new Elysia()
    .get("/docs/guide", ({ request }) => answer("/docs/guide", request), HIDDEN)
    .get("/docs/guide/config.example.toml", ({ request }) => configuration(request), HIDDEN)
    .get("/docs/guide/operate/grafana.json", ({ request }) => board(request), HIDDEN)
    .get("/docs/guide/operate/alerts.yml", ({ request }) => rules(request), HIDDEN)
    .get("/llms.txt", ({ request }) => list(request), HIDDEN)
    .get("/llms-full.txt", ({ request }) => all(request), HIDDEN)
    .get(
      "/docs/guide/search",
      ({ query }) => htmlPage(searchPage((query["q"] ?? "").slice(0, MOST_QUESTION_CHARS))),
      HIDDEN,
    )
    .get("/docs/guide/*", ({ request, params }) => answer(`/docs/guide/${params["*"]}`, request), HIDDEN);
}

function plain(path: string): Response {
  return new Response(guideFile(path), { headers: PLAIN });
}

function htmlPage(html: string): Response {
  return new Response(html, { headers: guideHeaders() });
}
