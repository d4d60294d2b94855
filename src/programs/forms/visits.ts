// The shared parts of the public doors of forms: pages, the language of a reader, entries, and the sites that may send
// a form.
import { AppError, invalidFields } from "../../base/errors.ts";
import { readForm, readJson, type BodyRoom } from "../../http/body/body.ts";
import { formTextsIn } from "../../base/languages/forms.ts";
import { languageAccepted, languageOf, type Language } from "../../base/languages/language.ts";
import { fitsHidden, OFFERED, TOPICS, type Entries, type Faults } from "./fields.ts";
import type { OpenForm } from "./opening.ts";
import { busyPage, elsewherePage } from "./page.ts";

export const HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "strict-origin-when-cross-origin",
  vary: "accept-language, origin, accept",
  "x-robots-tag": "noindex",
};

export type FormVisit = {
  readonly params: { readonly key: string };
  readonly request: Request;
  readonly server: { requestIP(request: Request): { readonly address: string } | null } | null;
  readonly set: { readonly headers: Record<string, string | number> };
};

type FormPageOptions = {
  readonly status?: number;
  readonly policy?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export function page(
  html: string,
  language: Language,
  { status = 200, policy, headers = {} }: FormPageOptions,
): Response {
  const closed =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  const own = {
    "content-type": "text/html; charset=utf-8",
    "content-language": language,
    "content-security-policy": policy ?? closed,
  };
  return new Response(html, { status, headers: { ...HEADERS, ...own, ...headers } });
}

/** The query of the hosted page fills in hidden fields, such as the place of a link. */
export function hiddenIn({ settings }: OpenForm, query?: URLSearchParams): Entries {
  const hidden = new Set(settings.fields.flatMap(({ name, type }) => (type === "hidden" ? [name] : [])));
  return (name) => {
    const said = hidden.has(name) ? query?.get(name) : null;
    return said && fitsHidden(said) ? said : undefined;
  };
}

/** @throws AppError as readForm and readJson */
export async function entriesOf(request: Request, isJson: boolean, room: BodyRoom): Promise<Entries> {
  if (!isJson) {
    const form = await readForm(request, room);
    return (name) => ([TOPICS, OFFERED].includes(name) ? form.getAll(name) : (form.get(name) ?? undefined));
  }
  const body = await readJson(request, room);
  const fields = new Map(typeof body === "object" && body !== null ? Object.entries(body) : []);
  return (name) => fields.get(name);
}

/** @throws AppError CROSS_SITE for the page of a site that may not show the form */
export function shareWith(
  form: OpenForm,
  request: Request,
  headers: FormVisit["set"]["headers"],
  baseUrl: string,
): void {
  const origin = request.headers.get("origin");
  headers["vary"] = "accept-language, origin, accept";
  const isOwn = origin === new URL(baseUrl).origin || URL.parse(origin ?? "")?.host === request.headers.get("host");
  // Any page can have the origin "null": one in a sandbox, or one that hides its origin.
  if (origin === null || isOwn) return;
  if (!form.settings.sites.includes(origin))
    throw new AppError("CROSS_SITE", "Pages of this website may not send the form.", {
      reason: "form_site",
      suggestion: "Add the site to the form: PATCH /forms/{id} with sites.",
    });
  headers["access-control-allow-origin"] = origin;
}

type FormRefusal = { readonly key: string; readonly language: Language; readonly wantsJson: boolean };

/** A form refused unread: a visitor gets a page, and a script a text to show. @throws AppError */
export function refusalResponse(error: AppError, { key, language, wantsJson }: FormRefusal): Response {
  const isBusy = error.code === "RATE_LIMIT_EXCEEDED";
  if (wantsJson) throw isBusy ? new AppError(error.code, formTextsIn(language).busy, error.details) : error;
  const headers = { "retry-after": String(error.details.retryAfterSeconds ?? 60) };
  if (isBusy) return page(busyPage(language), language, { status: 429, headers });
  return page(elsewherePage(language, key), language, { status: 403 });
}

export function languageIn(request: Request): Language | null {
  const named = languageNamed(new URL(request.url).searchParams.get("language"));
  return named ?? languageAccepted(request.headers.get("accept-language"));
}

export function languageNamed(name: unknown): Language | null {
  return typeof name === "string" && name.length < 40 ? languageOf(name) : null;
}

export function isPrefetch({ headers }: Request): boolean {
  return /prefetch|prerender/i.test(headers.get("sec-purpose") ?? "");
}

export function noForm(key: string): AppError {
  return new AppError("FORM_NOT_FOUND", `There is no form ${key.slice(0, 64)} that takes entries.`);
}

export function noFormHere(key: string): never {
  throw noForm(key);
}

export function faulty(faults: Faults, language: Language): AppError {
  const texts = formTextsIn(language);
  return invalidFields(
    [...faults].map(([field, fault]) => ({
      field,
      message: texts[fault],
      code: fault === "empty" ? "required" : "invalid",
    })),
  );
}
