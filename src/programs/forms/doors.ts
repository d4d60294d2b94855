// The public doors of forms. They do the same for every address, known or not: an answer is kept, and processed later
// (answers.ts).
import { SlidingLimit } from "../../base/brakes/sliding-limit.ts";
import { MINUTE_MS } from "../../base/clock.ts";
import type { SignUpLimits } from "../../audience/contacts/sign-up/limits.ts";
import { movedLook } from "../../content/pages/look.ts";
import { AppError } from "../../base/errors.ts";
import { success } from "../../http/replies.ts";
import { formTextsIn } from "../../base/languages/forms.ts";
import type { Language } from "../../base/languages/language.ts";
import type { LinkBases } from "../../base/link-bases.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { insertAnswer } from "./answer-queries.ts";
import { SENT } from "./answers.ts";
import type { Views } from "./counts.ts";
import { saysSomething } from "./form.ts";
import { readEntries, type Entries, type Faults } from "./fields.ts";
import { LANGUAGE, TOKEN, TRAP } from "./html.ts";
import { closedPage, formPage, thanksPage } from "./page.ts";
import { insertedPolicy, openForm, siteOf, type OpenForm } from "./opening.ts";
import { LEAST_MS, newToken, verdictOn } from "./robots.ts";
import {
  entriesOf,
  faulty,
  HEADERS,
  hiddenIn,
  isPrefetch,
  languageIn,
  languageNamed,
  noFormHere,
  page,
  refusalResponse,
  shareWith,
  type FormVisit,
} from "./visits.ts";

export type Doors = {
  readonly bases: LinkBases;
  readonly secrets: Secrets;
  readonly limits: SignUpLimits;
  readonly views: Views;
  /** The limit of one client; 0 = no limit. */
  readonly perMinute: () => number;
  /** The difficulty of a proof of work in bits (robots.ts). */
  readonly proofBits: number;
};

/** Thirty texts of 500 characters, each of up to nine bytes. */
const FORM_BYTES = 256 * 1024;
const CLIENTS_A_FORM = 20;
export class FormDoors {
  readonly #access: Access;
  readonly #doors: Doors;
  /** The limit of each form, in a minute. */
  readonly #perForm: SlidingLimit;

  constructor(access: Access, doors: Doors) {
    this.#access = access;
    this.#doors = doors;
    this.#perForm = new SlidingLimit(() => doors.perMinute() * CLIENTS_A_FORM, MINUTE_MS);
  }

  readonly show = async ({ params, request }: FormVisit): Promise<Response> => {
    const language = languageIn(request);
    const form = await this.#open(params.key, request);
    if (!form) return page(closedPage(language ?? "en"), language ?? "en", { status: 404 });
    if (request.method === "GET" && !isPrefetch(request))
      this.#doors.views.count(form.seq, siteOf(form, request, "referer"));
    return this.#page(form, language, new URL(request.url).searchParams);
  };

  readonly thank = async ({ params, request }: FormVisit): Promise<Response> => {
    const language = languageIn(request);
    const form = await this.#open(params.key, request);
    if (!form) return page(closedPage(language ?? "en"), language ?? "en", { status: 404 });
    const told = { ...form, language: language ?? form.otherwise };
    return page(thanksPage(told, form.asksEverybody), told.language, { policy: insertedPolicy(form) });
  };

  /** @throws AppError FORM_NOT_FOUND, CROSS_SITE */
  readonly open = async ({ params, request, set }: FormVisit) => {
    const form = await this.#found(params.key, request);
    shareWith(form, request, set.headers, this.#doors.bases.own);
    this.#doors.views.count(form.seq, siteOf(form, request, "origin"));
    set.headers["cache-control"] = "no-store";
    const token = newToken(this.#doors.secrets, form.id, this.#access.clock.nowMs());
    return success({ token, bits: this.#doors.proofBits, leastMs: LEAST_MS });
  };

  readonly preflight = async ({ params, request, set }: FormVisit): Promise<Response> => {
    const form = await this.#found(params.key, request);
    shareWith(form, request, set.headers, this.#doors.bases.own);
    const headers = {
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "content-type",
      "access-control-max-age": "600",
    };
    return new Response(null, { status: 204, headers });
  };

  readonly take = async (visit: FormVisit): Promise<unknown> => {
    const { params, request, server, set } = visit;
    const isJson = /^application\/json\b/i.test(request.headers.get("content-type") ?? "");
    const wantsJson = isJson || /\bapplication\/json\b/.test(request.headers.get("accept") ?? "");
    const form = await this.#open(params.key, request);
    const language = languageIn(request);
    if (!form && !wantsJson) return page(closedPage(language ?? "en"), language ?? "en", { status: 404 });
    const { closedTitle, closedText } = formTextsIn(language ?? form?.otherwise ?? "en");
    // The script shows the message to people.
    if (!form) throw new AppError("FORM_NOT_FOUND", `${closedTitle}. ${closedText}`);
    try {
      shareWith(form, request, set.headers, this.#doors.bases.own);
      this.#limit(form, request, server);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return refusalResponse(error, { key: form.key, language: language ?? form.otherwise, wantsJson });
    }
    const entries = await entriesOf(request, isJson, {
      limitBytes: FORM_BYTES,
      memory: this.#access.bodyMemory,
      holder: "forms",
    });
    const spoken = languageNamed(entries(LANGUAGE)) ?? language ?? form.otherwise;
    const { email, values, topics, offer, faults } = readEntries(form.settings, entries);
    if (faults.size > 0) {
      if (wantsJson) throw faulty(faults, spoken);
      return this.#page(form, spoken, undefined, { entries, faults });
    }
    const sent = {
      form: form.id,
      token: entries(TOKEN),
      email: entries("email"),
      proof: entries("_proof"),
      trap: entries(TRAP),
    };
    const verdict = verdictOn(sent, { ...this.#doors, nowMs: this.#access.clock.nowMs() });
    if (verdict !== "robot") {
      const { ip, userAgent } = this.#access.clients.whereabouts({ request, server });
      const answer = {
        values,
        topics,
        offer,
        language: spoken,
        wording: saysSomething(form.settings) ? form.wording : 0,
        site: siteOf(form, request, "origin"),
        isProven: verdict === "proven",
        client: this.#doors.limits.clientOf(request, server),
        ip,
        userAgent: userAgent?.slice(0, 500) ?? null,
      };
      await this.#access.store.write(async (tx) => {
        await insertAnswer(tx, { form: form.seq, workspace: form.workspace, address: email, answer });
        tx.signal(SENT);
      });
    }
    const { redirectUrl } = form.settings;
    const { asked, perhapsAsked } = formTextsIn(spoken);
    if (wantsJson) return success({ message: form.asksEverybody ? asked : perhapsAsked, redirectUrl });
    const location = redirectUrl ?? `/f/${form.key}/thanks?language=${spoken}`;
    return new Response(null, { status: 303, headers: { ...HEADERS, location } });
  };

  async #found(key: string, request: Request): Promise<OpenForm> {
    return (await this.#open(key, request)) ?? noFormHere(key);
  }

  /** Null = none, or not at this host. */
  async #open(key: string, request: Request): Promise<OpenForm | null> {
    const { bases } = this.#doors;
    const form = await openForm(this.#access.store, bases, key);
    if (!form || !bases.admits(request, form.workspace)) return null;
    return { ...form, look: movedLook(form.look, (url) => bases.moved(form.workspace, url)) };
  }

  /** @throws AppError RATE_LIMIT_EXCEEDED */
  #limit(form: OpenForm, request: Request, server: FormVisit["server"]): void {
    this.#doors.limits.signUp(this.#doors.limits.clientOf(request, server));
    const { allowed, resetSeconds } = this.#perForm.take(form.seq, this.#access.clock.monotonicMs());
    if (!allowed)
      throw new AppError("RATE_LIMIT_EXCEEDED", "Too many people are sending this form.", {
        retryAfterSeconds: resetSeconds,
      });
  }

  #page(
    form: OpenForm,
    language: Language | null,
    query?: URLSearchParams,
    again?: { readonly entries: Entries; readonly faults: Faults },
  ): Response {
    const spoken = language ?? form.otherwise;
    const token = newToken(this.#doors.secrets, form.id, this.#access.clock.nowMs());
    const entries = again?.entries ?? hiddenIn(form, query);
    const faults: Faults = again?.faults ?? new Map();
    const html = formPage({ ...form, language: spoken, action: `/f/${form.key}`, token, entries, faults });
    return page(html, spoken, { policy: insertedPolicy(form), ...(again ? { status: 422 } : {}) });
  }
}
