// The likely target of a request without a route: the methods that its path takes, and the nearest route.
import { editDistance } from "../base/edit-distance.ts";
import { AppError } from "../base/errors.ts";
import { operations, type Route } from "./answers.ts";

/** Our counterparts to the calls of other services: by method and path without a version. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "POST emails": "POST /v1/send",
  "POST email": "POST /v1/send",
  "POST messages": "POST /v1/send",
  "POST mail/send": "POST /v1/send",
  "POST send": "POST /v1/send",
  "POST track": "POST /v1/track",
  "POST events": "POST /v1/track",
  "POST event": "POST /v1/track",
  "POST verify": "POST /v1/verify",
  "POST emails/batch": "POST /v1/send",
  "POST email/batch": "POST /v1/send",
  "POST identify": "POST /contacts",
  "POST subscribers": "POST /contacts",
  "GET subscribers": "GET /contacts",
  "GET messages": "GET /emails",
  "POST lists": "POST /segments",
  "GET lists": "GET /segments",
};

/** A longer path is not a typo, and comparing takes time. */
const LONGEST_PATH = 80;

/** A route with precomputed parts: splitting paths took most of a refusal's time. */
type RoutePattern = Pick<Route, "method" | "path"> & {
  readonly segments: readonly string[];
  readonly isOpen: boolean;
  /** The segments without a version. */
  readonly own: readonly string[];
  /** The number of letters that people write. */
  readonly letters: number;
};

export class NearRoutes {
  /** By their first segment; the empty key has routes that begin with any. */
  #byFirst: ReadonlyMap<string, readonly RoutePattern[]> | null = null;
  #named: readonly RoutePattern[] | null = null;

  /** `routes`: all routes of the application, once it has them. */
  constructor(private readonly routes: () => readonly Route[]) {}

  refusal({ method, url }: Pick<Request, "method" | "url">): AppError {
    const { pathname } = new URL(url);
    const allow = this.#methodsAt(pathname);
    const given = plainly(pathname);
    const known = ELSEWHERE[`${method} ${given.join("/")}`] ?? null;
    // A path that exists is not mistyped.
    const near = known ?? (allow.length > 0 || pathname.length > LONGEST_PATH ? null : this.#nearest(method, given));
    const suggestion = near === null ? {} : { suggestion: `Did you mean ${near}? The API is described at /docs.` };
    if (allow.length === 0) return new AppError("ROUTE_NOT_FOUND", "There is no such route.", suggestion);
    const message = `This path does not take ${method}, but ${allow.join(", ")}.`;
    return new AppError("METHOD_NOT_ALLOWED", message, { allow, ...suggestion });
  }

  #methodsAt(path: string): string[] {
    const segments = segmentsOf(path);
    this.#byFirst ??= Map.groupBy(this.routes().map(known), firstOf);
    const begun = ["", segments[0] ?? ""].flatMap((first) => this.#byFirst?.get(first) ?? []);
    const there = begun.filter((route) => route.method !== "OPTIONS" && leadsTo(route, segments));
    return [...new Set(there.map(({ method }) => method))].toSorted();
  }

  /** In words, such as `POST /v1/send`; null = none is near. */
  #nearest(method: string, given: readonly string[]): string | null {
    let best: { readonly route: RoutePattern | null; readonly distance: number } = { route: null, distance: Infinity };
    const asked = given.join("/");
    for (const route of (this.#named ??= operations(this.routes()).map(known))) {
      const distance = distanceTo(route, given, asked) + (route.method === method ? 0 : 0.5);
      if (distance < best.distance) best = { route, distance };
    }
    if (best.route) return `${best.route.method} ${best.route.path.replace(/:(\w+)/g, "{$1}")}`;
    // A path below a route of ours, such as send/batch, begins as that route does.
    return given.length > 1 ? this.#nearest(method, given.slice(0, -1)) : null;
  }
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

/** Without the parts that tell versions apart, which are easily left out or added. */
function plainly(path: string): string[] {
  return segmentsOf(path.toLowerCase()).filter((segment) => !/^(api|v\d+)$/.test(segment));
}

function known({ method, path }: Route): RoutePattern {
  const segments = segmentsOf(path);
  const own = plainly(path);
  const letters = own.filter((segment) => !segment.startsWith(":")).join("/").length;
  return { method, path, segments, isOpen: segments.at(-1) === "*", own, letters };
}

function firstOf({ segments: [first = ""] }: RoutePattern): string {
  return first === "*" || first.startsWith(":") ? "" : first;
}

function leadsTo({ segments, isOpen }: RoutePattern, path: readonly string[]): boolean {
  if (isOpen ? path.length < segments.length - 1 : path.length !== segments.length) return false;
  return segments.every((segment, at) => segment === "*" || segment.startsWith(":") || segment === path[at]);
}

/** The distance in letters, where ids count as equal. Infinity = too far to be meant. */
function distanceTo({ own, letters }: RoutePattern, given: readonly string[], asked: string): number {
  const filled = own.map((segment, at) => (segment.startsWith(":") ? (given[at] ?? segment) : segment)).join("/");
  const furthest = 1 + letters / 4;
  // Most routes are far away by their length, and need not be compared.
  if (Math.abs(filled.length - asked.length) > furthest) return Infinity;
  const distance = editDistance(filled, asked);
  return distance > furthest ? Infinity : distance;
}
