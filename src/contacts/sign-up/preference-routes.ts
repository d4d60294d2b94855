// The pages that recipients reach from a mail, without a key. GET changes nothing, because scanners follow links; POST
// acts (RFC 8058).
import { Elysia } from "elysia";
import { readForm } from "../../http/body.ts";
import { iso } from "../../clock.ts";
import { languageAccepted, type Language } from "../../languages/language.ts";
import type { Secrets } from "../../secrets.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Access } from "../../access/auth.ts";
import type { Act, Door } from "../../consent/consent.ts";
import { unsubscribe } from "../contact.ts";
import { languageOfContact } from "../data.ts";
import { contactAnywhere, type Contact, type ContactOfSomeWorkspace } from "../queries.ts";
import type { Peers, SignUpLimits } from "./limits.ts";
import { readToken, type LinkSubject } from "./links.ts";
import { lookOf, PLAIN_LOOK, type PageBrand, type PageLook } from "./page-look.ts";
import { languageAsked, pauseAsked, pauseFor, speak } from "./page-acts.ts";
import { leaveTopic, takeChoices, topicsShownTo } from "./page-topics.ts";
import { brokenPage, gonePage, pagePolicy, preferencePage, type TopicShown } from "./preference-page.ts";
import { CHOSEN, shown, SUBSCRIBED, UNSUBSCRIBED } from "./preference-shape.ts";
import { declineInPerson, hasExpired, RECIPIENT_PAGE, subscribeInPerson } from "./sign-up.ts";

/** The page's own form: a hundred topics by their keys. */
const FORM_BYTES = 16_384;

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  vary: "accept-language",
  "x-robots-tag": "noindex",
};

type Visit = {
  readonly params: { readonly token: string };
  readonly request: Request;
  readonly server: Peers;
};

export type PreferenceHooks = {
  /** The address that a mail went to. */
  readonly recipientOf: (reader: Reader, emailId: string) => Promise<string | null>;
  /** The key of the topic that a mail is of; null = it has none. */
  readonly topicOf: (reader: Reader, emailId: string) => Promise<string | null>;
  /** Called with the mail whose link its reader used to unsubscribe. */
  readonly onUnsubscribed: (tx: Tx, emailId: string) => Promise<void>;
  /** Called with the mail whose link its reader used to leave its topic. */
  readonly onLeftTopic: (tx: Tx, emailId: string) => Promise<void>;
  /** What the mail asks about can still be confirmed, beside the subscription; `goTo`: where its reader goes then. */
  readonly awaits: (reader: Reader, emailId: string, nowMs: number) => Promise<{ readonly goTo: string | null } | null>;
  /** Called when its reader has confirmed that. */
  readonly onConfirmed: (tx: Tx, contact: Contact, emailId: string) => Promise<void>;
  /** What the pages of a workspace look like. */
  readonly findBrand: (reader: Reader, workspace: number) => Promise<{ readonly brand: PageBrand }>;
};
type PreferenceOptions = PreferenceHooks & { readonly secrets: Secrets; readonly limits: SignUpLimits };
type Pages = Pick<Access, "store" | "clock" | "bodyMemory" | "clients">;

export function preferenceRoutes(access: Pages, options: PreferenceOptions) {
  const { show, set, read } = visitsOf(access, options);
  return new Elysia()
    .get(
      "/unsubscribe/:token",
      (visit) => show(visit, false),
      shown("showUnsubscribePage", "Show the page to unsubscribe"),
    )
    .get("/subscribe/:token", (visit) => show(visit), shown("showSubscribePage", "Show the page to subscribe"))
    .get("/manage/:token", (visit) => show(visit), shown("showManagePage", "Show the page of a recipient's choices"))
    .post("/unsubscribe/:token", (visit) => set(visit, false, "one-click"), UNSUBSCRIBED)
    .post("/subscribe/:token", (visit) => set(visit, true), SUBSCRIBED)
    .post("/manage/:token", read, CHOSEN);
}

function visitsOf({ store, clock, bodyMemory, clients }: Pages, options: PreferenceOptions) {
  const { secrets, recipientOf, topicOf, onUnsubscribed, onLeftTopic, findBrand, limits, awaits, onConfirmed } =
    options;
  const contactOf = async (subject: LinkSubject | null) => {
    if (!subject) return null;
    const contact = await store.read((reader) => contactAnywhere(reader, subject.contactId));
    if (contact?.status !== "PENDING") return contact;
    if (hasExpired(contact, clock.nowMs())) return null;
    // Only a mail to its present address confirms a contact: the link of a former address must not.
    const recipient = await store.read((reader) => recipientOf(reader, subject.emailId));
    return recipient === contact.email ? contact : null;
  };
  const answer = async (visit: Visit, found: Omit<Found, "look" | "asks" | "language" | "topics" | "now">) => {
    const { contact, subject, saved } = found;
    const asks =
      contact && subject && !saved && (await store.read((reader) => awaits(reader, subject.emailId, clock.nowMs())));
    const kept = contact && (await store.read((reader) => findBrand(reader, contact.workspace)));
    const language = languageFor(visit, contact);
    const topics =
      contact && subject
        ? await store.read(async (reader) =>
            topicsShownTo(reader, contact, { language, also: await topicOf(reader, subject.emailId) }),
          )
        : [];
    const look = kept ? lookOf(kept.brand) : PLAIN_LOOK;
    return page(visit, { ...found, asks: asks || null, look, language, topics, now: iso(clock.nowMs()) });
  };
  const show = async (visit: Visit, wanted?: false) => {
    const subject = readToken(secrets, visit.params.token);
    return answer(visit, { subject, contact: await contactOf(subject), wanted, saved: false });
  };
  const actOf = (visit: Visit, email: string, door: Door): Act => ({
    ...{ cause: RECIPIENT_PAGE, door },
    evidence: { ...clients.whereabouts(visit), email },
  });
  const set = async (visit: Visit, wanted: boolean, door: Door = "page") => {
    // Unsubscribing is never limited.
    if (wanted) limits.signUp(limits.clientOf(visit.request, visit.server));
    const subject = readToken(secrets, visit.params.token);
    const before = await contactOf(subject);
    const asks =
      wanted && before && subject && (await store.read((reader) => awaits(reader, subject.emailId, clock.nowMs())));
    let left: string | null = null;
    if (before && subject)
      await store.write(async (tx) => {
        left = null;
        const act = actOf(visit, subject.emailId, door);
        if (wanted) {
          await subscribeInPerson(tx, before.workspace, before, act);
          return asks ? onConfirmed(tx, before, subject.emailId) : undefined;
        }
        if (before.status === "PENDING") return declineInPerson(tx, before.workspace, before, act);
        const topic = door === "one-click" && before.subscribed ? await topicOf(tx, subject.emailId) : null;
        if (topic !== null && (await leaveTopic(tx, before, topic, act))) {
          left = topic;
          return onLeftTopic(tx, subject.emailId);
        }
        await unsubscribe(tx, before.workspace, before, act);
        if (before.subscribed) await onUnsubscribed(tx, subject.emailId);
      });
    if (asks && asks.goTo !== null)
      return new Response(null, { status: 303, headers: { ...HEADERS, location: asks.goTo } });
    const stays = left === null ? { wanted } : { left };
    return answer(visit, { subject, contact: before && (await contactOf(subject)), ...stays, saved: true });
  };
  const take = async (visit: Visit, choices: { readonly listed: string[]; readonly chosen: string[] }) => {
    const subject = readToken(secrets, visit.params.token);
    const before = await contactOf(subject);
    // Who is not subscribed was shown no topics.
    if (before?.subscribed && subject)
      await store.write(async (tx) => {
        const left = await takeChoices(tx, before, choices, actOf(visit, subject.emailId, "page"));
        const topic = left.length === 0 ? null : await topicOf(tx, subject.emailId);
        if (topic !== null && left.includes(topic)) await onLeftTopic(tx, subject.emailId);
      });
    return answer(visit, { subject, contact: before && (await contactOf(subject)), saved: true });
  };
  /** Something else that the page's reader chose. */
  const act = async (visit: Visit, work: Work) => {
    limits.signUp(limits.clientOf(visit.request, visit.server));
    const subject = readToken(secrets, visit.params.token);
    const before = await contactOf(subject);
    if (before?.status === "ACTIVE" && subject)
      await store.write((tx) => work(tx, before, actOf(visit, subject.emailId, "page")));
    return answer(visit, { subject, contact: before && (await contactOf(subject)), saved: true });
  };
  const read = async (visit: Visit) => {
    const room = { limitBytes: FORM_BYTES, memory: bodyMemory, holder: "recipient pages" };
    const form = await readForm(visit.request, room);
    const [choice, listed] = [form.get("subscribed"), form.getAll("listed")];
    if (choice === "true" || choice === "false") return set(visit, choice === "true");
    const [days, language] = [pauseAsked(form.get("pause")), languageAsked(form.get("language"))];
    if (days !== null) return act(visit, (tx, contact, how) => pauseFor(tx, contact, days, how));
    if (language) return act(visit, (tx, contact, how) => speak(tx, contact, language, how));
    return listed.length === 0 ? show(visit) : take(visit, { listed, chosen: form.getAll("topic") });
  };
  return { show, set, read };
}

type Work = (tx: Tx, contact: ContactOfSomeWorkspace, act: Act) => Promise<void>;

type Found = {
  readonly subject: LinkSubject | null;
  readonly contact: ContactOfSomeWorkspace | null;
  readonly look: PageLook;
  readonly now: string;
  readonly language: Language;
  readonly topics: readonly TopicShown[];
  /** The key of the topic that its reader has just left. */
  readonly left?: string | null;
  /** The mail's question, as long as it can be answered. */
  readonly asks: { readonly goTo: string | null } | null;
  /** What the reader came for or chose, if known. */
  readonly wanted?: boolean | undefined;
  /** A POST is always answered 200, whatever the link names. */
  readonly saved: boolean;
};

function languageFor({ request }: Visit, contact: ContactOfSomeWorkspace | null): Language {
  const accepted = languageAccepted(request.headers.get("accept-language"));
  return contact ? languageOfContact(contact.data, accepted ?? contact.workspaceLanguage) : (accepted ?? "en");
}

function page({ params }: Visit, found: Found): Response {
  const { subject, contact, look, now, language, topics, left: key, asks, wanted, saved } = found;
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
    saved,
    topics,
    left,
    asks: asks !== null,
  };
  if (contact) return new Response(preferencePage(contact, choice), { headers });
  return new Response(subject ? gonePage(language) : brokenPage(language), { status: saved ? 200 : 404, headers });
}
