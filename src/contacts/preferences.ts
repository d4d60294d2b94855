// The pages that recipients reach from a mail, without a key (interface-gaps.md §3 "Recipient pages", RFC 8058).
// GET shows and changes nothing, for scanners follow links; POST acts.
import { Elysia, t } from "elysia";
import { oneOf } from "../http/answer-shapes.ts";
import { answers, content } from "../http/answers.ts";
import { readForm } from "../http/body.ts";
import { languageAccepted } from "../languages/language.ts";
import type { Secrets } from "../secrets.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { Access } from "../workspaces/auth.ts";
import { unsubscribe } from "./contact.ts";
import { languageOfContact } from "./language.ts";
import { readToken, type LinkSubject } from "./links.ts";
import { brokenPage, gonePage, preferencePage } from "./preference-page.ts";
import { contactAnywhere, type ContactOfSomeWorkspace } from "./queries.ts";
import type { SignUpLimits } from "./sign-up-limits.ts";
import { hasExpired, subscribeInPerson } from "./sign-up.ts";

/** What the page's own form sends is a few bytes. */
const FORM_BYTES = 4_096;

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  vary: "accept-language",
  "x-robots-tag": "noindex",
};

const PAGE = content("text/html");
const FORM = {
  type: "application/x-www-form-urlencoded",
  schema: t.Object({ subscribed: t.Optional(oneOf("true", "false")) }, { examples: [{ subscribed: "false" }] }),
};
const SHOWN = {
  detail: answers("A recipient's page; it changes nothing", { 200: PAGE, 404: PAGE }, { key: "none" }),
};
const CHOSEN = {
  detail: answers(
    "Subscribe or unsubscribe, by the form field `subscribed`",
    { 200: PAGE, 404: PAGE },
    {
      description: "Without `true` or `false` in it nothing changes, and the page is shown as by GET.",
      key: "none",
      refuses: ["PAYLOAD_TOO_LARGE", "SERVER_BUSY", "RATE_LIMIT_EXCEEDED"],
      takes: FORM,
    },
  ),
};
const UNSUBSCRIBED = { detail: answers("Unsubscribe with one click", { 200: PAGE }, { key: "none" }) };
const SUBSCRIBED = {
  detail: answers("Subscribe", { 200: PAGE }, { key: "none", refuses: ["RATE_LIMIT_EXCEEDED"] }),
};

type Visit = {
  readonly params: { readonly token: string };
  readonly request: Request;
  readonly server: { requestIP(request: Request): { readonly address: string } | null } | null;
};

/** Called with the mail through whose link its reader has unsubscribed. */
type OnUnsubscribed = (tx: Tx, emailId: string) => Promise<void>;

type PreferenceOptions = {
  readonly secrets: Secrets;
  /** Which address a mail has gone to. */
  readonly recipientOf: (reader: Reader, emailId: string) => Promise<string | null>;
  readonly onUnsubscribed: OnUnsubscribed;
  readonly limits: SignUpLimits;
};

export function preferenceRoutes(
  { store, clock, bodyMemory }: Pick<Access, "store" | "clock" | "bodyMemory">,
  { secrets, recipientOf, onUnsubscribed, limits }: PreferenceOptions,
) {
  const contactOf = async (subject: LinkSubject | null) => {
    if (!subject) return null;
    const contact = await store.read((reader) => contactAnywhere(reader, subject.contactId));
    if (contact?.status !== "PENDING") return contact;
    if (hasExpired(contact, clock.nowMs())) return null;
    // Only a mail to the address of now confirms it; whoever has a link from a former one is not on the list.
    const recipient = await store.read((reader) => recipientOf(reader, subject.emailId));
    return recipient === contact.email ? contact : null;
  };
  const show = async (visit: Visit, wanted?: false) => {
    const subject = readToken(secrets, visit.params.token);
    return page(visit, { subject, contact: await contactOf(subject), wanted, saved: false });
  };
  const setSubscription = async (visit: Visit, wanted: boolean) => {
    // Whoever wants to leave is never held up.
    if (wanted) limits.signUp(limits.clientOf(visit.request, visit.server?.requestIP(visit.request)?.address));
    const subject = readToken(secrets, visit.params.token);
    const before = await contactOf(subject);
    if (before && subject)
      await store.write(async (tx) => {
        if (wanted) return subscribeInPerson(tx, before.workspace, before);
        await unsubscribe(tx, before.workspace, before.seq);
        if (before.subscribed === 1) await onUnsubscribed(tx, subject.emailId);
      });
    return page(visit, { subject, contact: before && (await contactOf(subject)), wanted, saved: true });
  };
  const room = { limitBytes: FORM_BYTES, memory: bodyMemory, holder: "recipient pages" };
  const takeForm = async (visit: Visit) => {
    const choice = (await readForm(visit.request, room)).get("subscribed");
    return choice === "true" || choice === "false" ? setSubscription(visit, choice === "true") : show(visit);
  };
  return new Elysia()
    .get("/unsubscribe/:token", (visit) => show(visit, false), SHOWN)
    .get("/subscribe/:token", (visit) => show(visit), SHOWN)
    .get("/manage/:token", (visit) => show(visit), SHOWN)
    .post("/unsubscribe/:token", (visit) => setSubscription(visit, false), UNSUBSCRIBED)
    .post("/subscribe/:token", (visit) => setSubscription(visit, true), SUBSCRIBED)
    .post("/manage/:token", takeForm, CHOSEN);
}

type Found = {
  readonly subject: LinkSubject | null;
  readonly contact: ContactOfSomeWorkspace | null;
  /** What the reader has come for or chosen, if they have said it. */
  readonly wanted?: boolean | undefined;
  /** Something was to be done: that is always answered 200, whomever the link names. */
  readonly saved: boolean;
};

function page({ params, request }: Visit, { subject, contact, wanted, saved }: Found): Response {
  const accepted = languageAccepted(request.headers.get("accept-language"));
  const language = contact
    ? languageOfContact(contact.data, accepted ?? contact.workspace_language)
    : (accepted ?? "en");
  const headers = { ...HEADERS, "content-language": language };
  const wish = { token: params.token, language, declined: wanted === false, saved };
  if (contact) return new Response(preferencePage(contact, wish), { headers });
  return new Response(subject ? gonePage(language) : brokenPage(language), { status: saved ? 200 : 404, headers });
}
