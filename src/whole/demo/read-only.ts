// A server that shows everything and changes nothing, for strangers to look at. One hook decides, before the
// key of a request is looked up and its body read.
import { AppError } from "../../base/errors.ts";
import { operations, type Route } from "../../http/answers.ts";
import { isReading } from "../../tenant/access/route-table.ts";

type AskedRoute = { readonly request: Request; readonly route: string };

/** Signing in and out. */
const SESSION = "/session";

/**
 * The hook of such a server. A POST that answers a question, such as a preview, is answered; recipients who follow
 * links are counted.
 */
export function refusingChanges(routes: () => readonly Route[]): (context: object) => void {
  let open: ReadonlySet<string> | null = null;
  return (context) => {
    const { request, route } = context as AskedRoute;
    const { method } = request;
    if (method === "GET" || method === "HEAD" || method === "OPTIONS") return;
    open ??= openIn(routes());
    if (!open.has(`${method} ${route}`)) throw readOnly();
  };
}

function openIn(routes: readonly Route[]): ReadonlySet<string> {
  const open = operations(routes).filter(
    ({ method, path, declared }) => isReading(declared, method) || path.startsWith(SESSION),
  );
  return new Set(open.map(({ method, path }) => `${method} ${path}`));
}

function readOnly(): AppError {
  return new AppError("FORBIDDEN", "This server is for looking at: it changes nothing.", {
    suggestion: "Start one of your own, on which you may change everything: posthorn demo.",
  });
}
