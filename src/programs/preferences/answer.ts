// The answer to a recipient's visit: the page, in their language, with its headers.
import { languageAccepted, type Language } from "../../base/languages/language.ts";
import { languageOfContact } from "../../audience/contacts/data.ts";
import type { ContactOfSomeWorkspace } from "../../audience/contacts/queries.ts";
import type { PeerAddresses } from "../../audience/contacts/sign-up/limits.ts";
import type { LinkSubject } from "../../content/rendering/links.ts";
import type { DataEntry } from "./data.ts";
import type { PageLook } from "../../content/pages/look.ts";
import { pagePolicy } from "../../content/pages/frame.ts";
import { brokenPage, gonePage, preferencePage, type PageTopic } from "./page.ts";

export const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  vary: "accept-language",
  "x-robots-tag": "noindex",
};

export type PreferenceRequest = {
  readonly params: { readonly token: string };
  readonly request: Request;
  readonly server: PeerAddresses;
};

/**
 * The contact of the link. `byFormer`: the link came to a former address of the contact, or to an unknown one; a person
 * who reads mail there can unsubscribe, but does not see the current address.
 */
export type Visitor = ContactOfSomeWorkspace & { readonly byFormer: { readonly address: string | null } | null };

/** `left`: the key of a topic; null = all marketing mail. */
type TopicDeparture = { readonly left: string | null };

/** The page's message about the reader's last act or purpose. */
export type PageNotice = Pick<PreferenceState, "wanted" | "left" | "departed" | "answered" | "undone">;

export type PreferenceState = {
  readonly subject: LinkSubject | null;
  readonly contact: Visitor | null;
  readonly look: PageLook;
  readonly now: string;
  readonly language: Language;
  readonly topics: readonly PageTopic[];
  readonly data: readonly DataEntry[];
  /** The key of the topic that the reader has just left by one click. */
  readonly left?: string | null;
  /** The topic or mail that the reader has just left in any way. */
  readonly departed?: TopicDeparture | null;
  /** The departure about whose reason the reader is asked. */
  readonly question?: TopicDeparture | null;
  readonly answered?: boolean;
  /** The reader's request could not be fulfilled. */
  readonly undone?: boolean;
  /** The mail's question, while it can still be answered. */
  readonly asks: { readonly goTo: string | null } | null;
  /** The reader's purpose or choice, if known. */
  readonly wanted?: boolean | undefined;
  /** A POST is always answered 200, for any link. */
  readonly saved: boolean;
};

export function languageFor({ request }: PreferenceRequest, contact: ContactOfSomeWorkspace | null): Language {
  const accepted = languageAccepted(request.headers.get("accept-language"));
  return contact ? languageOfContact(contact.data, accepted ?? contact.workspaceLanguage) : (accepted ?? "en");
}

export function pageOf({ params }: PreferenceRequest, found: PreferenceState): Response {
  const { subject, contact, look, now, language, topics, data, left: key, asks, wanted, saved } = found;
  const { question = null, answered = false, undone = false } = found;
  const left = topics.find((topic) => topic.key === key)?.name ?? null;
  const next = asks?.goTo ? ` ${new URL(asks.goTo).origin}` : "";
  const policy = `${pagePolicy(look)}; form-action 'self'${next}; frame-ancestors 'none'`;
  const headers = { ...HEADERS, "content-security-policy": policy, "content-language": language };
  const choice = {
    token: params.token,
    language,
    look,
    now,
    declined: wanted === false,
    saved: saved && !undone,
    topics,
    data,
    left,
    question,
    answered,
    asks: asks !== null,
  };
  const email = contact?.byFormer ? (contact.byFormer.address ?? "…") : contact?.email;
  const isFormer = contact?.byFormer != null;
  if (contact)
    return new Response(preferencePage({ ...contact, email: email ?? "" }, { ...choice, isFormer }), { headers });
  return new Response(subject ? gonePage(language) : brokenPage(language), { status: saved ? 200 : 404, headers });
}
