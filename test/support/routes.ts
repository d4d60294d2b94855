// Every route that the interface has, as the application itself lists them.
import type { Posthorn } from "./posthorn.ts";

/** Those that can be called without a key. */
const OPEN =
  /^\S+ (\/health|\/ready|\/session(\/(passkey|provider)(-options)?)?|\/links\/[\w-]+|\/webhooks\/ses|\/openapi\.json|\/docs|\/(unsubscribe|subscribe|manage|o|c)\/:token|\/i\/:file|\/\.well-known\/posthorn-host\/:nonce|\/f\/(form\.js|:key(\/thanks|\/token)?)|\/providers\/:provider\/:token)$|^OPTIONS /;

/**
 * `GET /emails/:id` and the like, in their order; without the pages and files below /docs and /app, and the way there,
 * which are for people.
 */
export function allRoutes({ server }: Posthorn): string[] {
  const routes = server.routes.map(({ method, path }) => `${method} ${path}`);
  return routes.filter((route) => !/ \/(docs\/|llms|compat\/|app\b|$)/.test(route));
}

/** For people alone, whatever key is sent. */
const OF_PEOPLE =
  /^\S+ \/(me|members|invitations|users|workspaces|installation)(\/|$)|^\S+ \/session\/proof$|^DELETE \/session$/;

export function routesWithKey(posthorn: Posthorn): string[] {
  return allRoutes(posthorn).filter((route) => !OPEN.test(route) && !OF_PEOPLE.test(route));
}
