// The pages that recipients reach from a mail, without a key (interface-gaps.md §3 "Recipient pages", RFC 8058).
// GET shows and changes nothing, for scanners follow links; POST acts.
import { Elysia } from "elysia";
import { answers, content } from "../http/answers.ts";
import { readForm } from "../http/body.ts";
import type { Secrets } from "../secrets.ts";
import type { Store } from "../store/store.ts";
import { subscribe, unsubscribe } from "./contact.ts";
import { readToken } from "./links.ts";
import { notFoundPage, preferencePage } from "./preference-page.ts";
import { contactAnywhere, type ContactOfSomeWorkspace } from "./queries.ts";

/** What the page's own form sends is a few bytes. */
const FORM_BYTES = 4_096;

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

const PAGE = content("text/html");
const SHOWN = {
  detail: answers("A recipient's page; it changes nothing", { 200: PAGE, 404: PAGE }, { key: "none" }),
};
const CHOSEN = {
  detail: answers(
    "Subscribe or unsubscribe, by the form field `subscribed`",
    { 200: PAGE },
    { key: "none", refuses: ["PAYLOAD_TOO_LARGE"], takes: content("application/x-www-form-urlencoded") },
  ),
};
const turned = (summary: string) => ({ detail: answers(summary, { 200: PAGE }, { key: "none" }) });

export function preferenceRoutes(store: Store, secrets: Secrets) {
  const contactOf = (token: string) => contactNamedBy(store, secrets, token);
  const show = async ({ params }: { params: { token: string } }) => page(await contactOf(params.token), params.token);
  const turn = async (token: string, wanted: boolean) => {
    const contact = await contactOf(token);
    if (contact) await store.write((tx) => (wanted ? subscribe : unsubscribe)(tx, contact.workspace, contact.seq));
    return page(contact && (await contactOf(token)), token, 200);
  };
  const act = async ({ params, request }: { params: { token: string }; request: Request }) => {
    const form = await readForm(request, FORM_BYTES);
    return turn(params.token, form.get("subscribed") === "true");
  };
  return new Elysia()
    .get("/unsubscribe/:token", show, SHOWN)
    .get("/subscribe/:token", show, SHOWN)
    .get("/manage/:token", show, SHOWN)
    .post("/unsubscribe/:token", ({ params }) => turn(params.token, false), turned("Unsubscribe with one click"))
    .post("/subscribe/:token", ({ params }) => turn(params.token, true), turned("Subscribe"))
    .post("/manage/:token", act, CHOSEN);
}

async function contactNamedBy(store: Store, secrets: Secrets, token: string): Promise<ContactOfSomeWorkspace | null> {
  const subject = readToken(secrets, token);
  return subject && store.read((reader) => contactAnywhere(reader, subject.contactId));
}

/** `status` for a link that names nobody: a one-click POST is always answered 200. */
function page(contact: ContactOfSomeWorkspace | null, token: string, status = 404): Response {
  if (!contact) return new Response(notFoundPage(), { status, headers: HEADERS });
  return new Response(preferencePage(contact, token), { headers: HEADERS });
}
