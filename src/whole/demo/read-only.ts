// A server that shows everything and changes nothing, for strangers to look at. One door: each request comes by here,
// whoever sends it, before its key is looked up and its body read.
import { AppError } from "../../base/errors.ts";
import { operations, type Route } from "../../http/answers.ts";

type AskedRoute = { readonly request: Request; readonly route: string };

/** People come and go. */
const SESSION = "/session";

/**
 * The hook of such a server. A POST that makes and sends nothing, such as a preview, is answered; recipients who follow
 * links are counted.
 */
export function refusingChanges(routes: () => readonly Route[]): (context: object) => void {
  let harmless: ReadonlySet<string> | null = null;
  return (context) => {
    const { request, route } = context as AskedRoute;
    const { method } = request;
    if (method === "GET" || method === "HEAD" || method === "OPTIONS") return;
    harmless ??= harmlessIn(routes());
    if (!harmless.has(`${method} ${route}`)) throw readOnly();
  };
}

function harmlessIn(routes: readonly Route[]): ReadonlySet<string> {
  const harmless = operations(routes).filter(({ path, declared }) => declared.harmless || path.startsWith(SESSION));
  return new Set(harmless.map(({ method, path }) => `${method} ${path}`));
}

function readOnly(): AppError {
  return new AppError("FORBIDDEN", "This server is for looking at: it changes nothing.", {
    suggestion: "Start one of your own, on which you may change everything: posthorn demo.",
  });
}
