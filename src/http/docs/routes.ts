// The interface described by itself: /openapi.json for programs, /docs for people.
import { Elysia, t } from "elysia";
import { version } from "../../../package.json";
import { answers, content, type Route } from "../answers.ts";
import { docsHeaders, docsPage } from "./page.ts";
import { openApi } from "./openapi.ts";

type App = { readonly routes: readonly Route[] };

const OPEN = { key: "none" } as const;
const DOCUMENT = t.Record(t.String(), t.Unknown());

/** Describes the routes of `app`, these among them. Each text is made when it is first asked for. */
export function documentRoutes(app: App, baseUrl: string) {
  const document = () => openApi(app.routes, { version, baseUrl });
  const json = once(() => JSON.stringify(document()));
  const page = once(() => docsPage(document()));
  return new Elysia()
    .get("/openapi.json", () => new Response(json(), { headers: { "content-type": "application/json" } }), {
      detail: answers("This interface as an OpenAPI document", { 200: DOCUMENT }, OPEN),
    })
    .get("/docs", () => new Response(page(), { headers: docsHeaders() }), {
      detail: answers("This interface as a page", { 200: content("text/html") }, OPEN),
    });
}

function once(make: () => string): () => string {
  let made: string | undefined;
  return () => (made ??= make());
}
