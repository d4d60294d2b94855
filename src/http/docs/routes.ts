// The interface describes itself: /openapi.json for programs, and /docs for people, where Swagger UI shows it and tries
// calls.
import { openapi } from "@elysiajs/openapi";
import { Elysia, t } from "elysia";
import type { Config } from "../../base/config.ts";
import { version } from "../../../package.json";
import { content, type Route, type Declaration } from "../answers.ts";
import { guideRoutes } from "../guide/routes.ts";
import { openApi } from "./openapi.ts";
import { fileOfSwagger } from "./swagger-file.ts";
import { unchanging } from "../unchanging.ts";

type App = { readonly routes: readonly Route[] };

const OPEN = { key: "none" } as const;
const DOCUMENT = t.Record(t.String(), t.Unknown());
/** Parts of the page, and no part of the interface. */
const PART = { detail: { hide: true } };

/**
 * Describes the routes of `app`, these among them. Each answer is made at its first request, and again at another
 * address.
 */
export function documentRoutes(app: App, http: Pick<Config["http"], "baseUrl">) {
  let made: ReturnType<typeof documentsAt> | undefined;
  const documents = () => (made?.baseUrl === http.baseUrl ? made : (made = documentsAt(app, http.baseUrl)));
  const scripts = unchanging(() => fileOfSwagger("swagger-ui-bundle.js"));
  const styles = unchanging(() => fileOfSwagger("swagger-ui.css"));
  const document: Declaration = {
    name: "getOpenApi",
    summary: "Get this interface as an OpenAPI document",
    answers: { 200: DOCUMENT },
    ...OPEN,
  };
  const documentPage: Declaration = {
    name: "getDocs",
    summary: "Get this interface as a page",
    answers: { 200: content("text/html") },
    ...OPEN,
  };
  return new Elysia()
    .get("/openapi.json", ({ request }) => documents().json(request), { detail: document })
    .get("/docs", ({ request }) => documents().page(request), { detail: documentPage })
    .get("/docs/swagger-ui.js", ({ request }) => scripts(request), PART)
    .get("/docs/swagger-ui.css", ({ request }) => styles(request), PART)
    .use(guideRoutes());
}

function documentsAt(app: App, baseUrl: string) {
  let plugin: ReturnType<typeof described> | undefined;
  const answerOf = async (path: string) => {
    plugin ??= described(app, baseUrl);
    return plugin.handle(new Request(new URL(path, baseUrl).href));
  };
  return {
    baseUrl,
    json: unchanging(() => answerOf("/openapi.json")),
    page: unchanging(async () => withPolicy(await answerOf("/docs"), baseUrl)),
  };
}

/** The plugin's own description of the routes is left out: it knows neither their shapes nor their refusals. */
function described({ routes }: App, baseUrl: string) {
  return openapi({
    path: "/docs",
    specPath: "/openapi.json",
    provider: "swagger-ui",
    openapiVersion: "3.1.0",
    documentation: openApi(routes, { version, baseUrl }) as never,
    exclude: { paths: [/.*/] },
    swagger: { cdn: "/docs/swagger-ui.js", theme: "/docs/swagger-ui.css", validatorUrl: "none" },
  });
}

/** The page may run and show its own content, and call this server. */
async function withPolicy(page: Response, baseUrl: string): Promise<Response> {
  const text = await page.text();
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hashes(text, "script")}`,
    `style-src 'self' ${hashes(text, "style")}`,
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(baseUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": policy.join("; ") };
  return new Response(text, { headers });
}

/** The hashes of the texts between tags of this name. */
function hashes(page: string, tag: string): string {
  const texts = [...page.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, "gs"))].map(([, text = ""]) => text);
  return texts.map((text) => `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`).join(" ");
}
