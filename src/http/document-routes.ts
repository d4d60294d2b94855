// The interface described by itself: /openapi.json for programs.
import { Elysia, t } from "elysia";
import { version } from "../../package.json";
import { answers, type Route } from "./answers.ts";
import { openApi } from "./openapi.ts";

type App = { readonly routes: readonly Route[] };

/** Describes the routes of `app`, its own among them. Everything is made at the first request. */
export function documentRoutes(app: App, baseUrl: string) {
  let json: string | undefined;
  const document = () => (json ??= JSON.stringify(openApi(app.routes, version, baseUrl)));
  return new Elysia().get(
    "/openapi.json",
    () => new Response(document(), { headers: { "content-type": "application/json" } }),
    {
      detail: answers(
        "This interface as an OpenAPI document",
        { 200: t.Record(t.String(), t.Unknown()) },
        { key: "none" },
      ),
    },
  );
}
