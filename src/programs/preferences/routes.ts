// The recipient pages behind the links of a mail, without a key. GET changes nothing, because scanners follow links;
// POST acts (RFC 8058).
import { Elysia } from "elysia";
import { readForm } from "../../http/body.ts";
import { iso } from "../../base/clock.ts";
import type { LinkBases } from "../../base/link-bases.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { nameOutside } from "../../tenant/workspaces/name.ts";
import { ownWorkspace } from "../../tenant/workspaces/workspace.ts";
import type { ConsentAct } from "../../audience/consent/consent.ts";
import type { Door } from "../../audience/consent/content.ts";
import { unsubscribe } from "../../audience/contacts/contact.ts";
import { contactAnywhere, type ContactOfSomeWorkspace } from "../../audience/contacts/queries.ts";
import type { SignUpLimits } from "../../audience/contacts/sign-up/limits.ts";
import { readToken, type LinkSubject } from "../../content/rendering/links.ts";
import { dataShownTo } from "./data.ts";
import { lookOf, movedLook, PLAIN_LOOK } from "../../content/pages/look.ts";
import { answerWhy, saidIn, type LeavingFeedback } from "./leaving.ts";
import { noteLeftTopic, noteUnsubscribed } from "../../mail/emails/departures.ts";
import { mailWithId, recipientOf, topicOfMail } from "../../mail/emails/queries.ts";
import { findBrand } from "../../content/templates/brand/brand.ts";
import { awaits, confirmed } from "../forms/answers.ts";
import { asItIs, languageAsked, pauseAsked, pauseFor, speak } from "./acts.ts";
import { leaveTopic, takeChoices, topicsShownTo } from "./topics.ts";
import {
  HEADERS,
  languageFor,
  pageOf,
  type PreferenceState,
  type Stays,
  type PreferenceRequest,
  type Visitor,
} from "./answer.ts";
import { CHOSEN, pageDetail, SUBSCRIBED, UNSUBSCRIBED } from "./shape.ts";
import {
  declineInPerson,
  hasExpired,
  RECIPIENT_PAGE,
  subscribeInPerson,
} from "../../audience/contacts/sign-up/sign-up.ts";

/** Enough for the page's own form with the keys of a hundred topics. */
const FORM_BYTES = 16_384;

type PreferenceOptions = { readonly secrets: Secrets; readonly limits: SignUpLimits; readonly bases: LinkBases };
type PreferenceAccess = Pick<Access, "store" | "clock" | "bodyMemory" | "clients">;

export function preferenceRoutes(access: PreferenceAccess, options: PreferenceOptions) {
  const { show, set, read } = visitsOf(access, options);
  return new Elysia()
    .get(
      "/unsubscribe/:token",
      (visit) => show(visit, false),
      pageDetail("showUnsubscribePage", "Show the page to unsubscribe"),
    )
    .get("/subscribe/:token", (visit) => show(visit), pageDetail("showSubscribePage", "Show the page to subscribe"))
    .get(
      "/manage/:token",
      (visit) => show(visit),
      pageDetail("showManagePage", "Show the page of a recipient's choices"),
    )
    .post("/unsubscribe/:token", (visit) => set(visit, false, "one-click"), UNSUBSCRIBED)
    .post("/subscribe/:token", (visit) => set(visit, true), SUBSCRIBED)
    .post("/manage/:token", read, CHOSEN);
}

function present(contact: ContactOfSomeWorkspace): Visitor {
  return { ...contact, byFormer: null };
}

function visitsOf({ store, clock, bodyMemory, clients }: PreferenceAccess, options: PreferenceOptions) {
  const { secrets, limits, bases } = options;
  /** Requests at the host of another workspace than the contact's. */
  const strays = new WeakSet<Request>();
  const contactOf = async (subject: LinkSubject | null, { request }: PreferenceRequest): Promise<Visitor | null> => {
    if (!subject) return null;
    const contact = await store.read((reader) => contactAnywhere(reader, subject.contactId));
    if (contact && !bases.admits(request, contact.workspace)) {
      strays.add(request);
      return null;
    }
    if (!contact || (contact.status !== "PENDING" && !contact.hasFormer)) return contact && present(contact);
    if (hasExpired(contact, clock.nowMs())) return null;
    // Only a mail to its current address confirms or subscribes a contact, never the link of a former address.
    const recipient = await store.read((reader) => recipientOf(reader, subject.emailId));
    if (recipient === contact.email) return present(contact);
    return contact.status === "PENDING" ? null : { ...contact, byFormer: { address: recipient } };
  };
  /** In the look and under the name of the contact's workspace. */
  const ownPage = async (reader: Reader, contact: Visitor) => {
    const { workspace, workspaceName: name } = contact;
    const { brand } = await findBrand(reader, workspace);
    const names = { brandName: brand.fromName, host: bases.hostOf(workspace) };
    return {
      contact: { ...contact, workspaceName: await nameOutside(reader, { seq: workspace, name }, names) },
      look: movedLook(lookOf(brand), (url) => bases.moved(workspace, url)),
    };
  };
  const answer = async (visit: PreferenceRequest, { stays, ...found }: PreferenceAnswer) => {
    const now = iso(clock.nowMs());
    const { contact, saved } = found;
    const subject = strays.has(visit.request) ? null : found.subject;
    const language = languageFor(visit, contact);
    if (strays.has(visit.request))
      return pageOf(visit, { ...found, subject, ...NOTHING_ELSE, saved: false, now, language });
    if (!contact || !subject) return pageOf(visit, { ...found, ...NOTHING_ELSE, ...stays, now, language });
    if (contact.byFormer) {
      const own = await store.read((reader) => ownPage(reader, contact));
      return pageOf(visit, { ...found, ...NOTHING_ELSE, ...stays, ...own, now, language });
    }
    const rest = await store.read(async (reader) => {
      const topic = await topicOfMail(reader, subject.emailId);
      const { pageFields, asksWhy } = await ownWorkspace(reader, contact.workspace);
      const question =
        asksWhy && stays?.departed && (await mailWithId(reader, subject.emailId)) ? stays.departed : null;
      return {
        asks: saved ? null : await awaits(reader, subject.emailId, clock.nowMs()),
        ...(await ownPage(reader, contact)),
        topics: await topicsShownTo(reader, contact, { language, also: topic }),
        data: dataShownTo(contact.data, pageFields, { language, workspaceLanguage: contact.workspaceLanguage }),
        question,
      };
    });
    return pageOf(visit, { ...found, ...stays, ...rest, now, language });
  };
  const show = async (visit: PreferenceRequest, wanted?: false) => {
    const subject = readToken(secrets, visit.params.token);
    return answer(visit, { subject, contact: await contactOf(subject, visit), stays: { wanted }, saved: false });
  };
  const actOf = (visit: PreferenceRequest, email: string, door: Door): ConsentAct => ({
    ...{ cause: RECIPIENT_PAGE, door },
    evidence: { ...clients.whereabouts(visit), email },
  });
  const set = async (visit: PreferenceRequest, wanted: boolean, door: Door = "page") => {
    // Unsubscribing is never limited.
    if (wanted) limits.signUp(limits.clientOf(visit.request, visit.server));
    const subject = readToken(secrets, visit.params.token);
    const before = await contactOf(subject, visit);
    const asks =
      wanted &&
      before &&
      !before.byFormer &&
      subject &&
      (await store.read((reader) => awaits(reader, subject.emailId, clock.nowMs())));
    let left: string | null = null;
    if (before && subject)
      await store.write(async (tx) => {
        left = null;
        const act = actOf(visit, subject.emailId, door);
        if (wanted && before.byFormer) return;
        if (wanted) {
          await subscribeInPerson(tx, before.workspace, before, act);
          return asks ? confirmed(tx, before, subject.emailId) : undefined;
        }
        if (before.status === "PENDING") return declineInPerson(tx, before.workspace, before, act);
        const topic = door === "one-click" && before.subscribed ? await topicOfMail(tx, subject.emailId) : null;
        if (topic !== null && (await leaveTopic(tx, before, topic, act))) {
          left = topic;
          return noteLeftTopic(tx, subject.emailId);
        }
        await unsubscribe(tx, before.workspace, before, act);
        if (before.subscribed) await noteUnsubscribed(tx, subject.emailId);
      });
    if (asks && asks.goTo !== null)
      return new Response(null, { status: 303, headers: { ...HEADERS, location: asks.goTo } });
    const hasGone = !wanted && before?.subscribed === true;
    const undone = wanted && (before?.byFormer ?? null) !== null;
    const stays = { ...(left === null ? { wanted } : { left }), departed: hasGone ? { left } : null, undone };
    return answer(visit, { subject, contact: before && (await contactOf(subject, visit)), stays, saved: true });
  };
  const take = async (visit: PreferenceRequest, choices: { readonly listed: string[]; readonly chosen: string[] }) => {
    const subject = readToken(secrets, visit.params.token);
    const before = await contactOf(subject, visit);
    let left: readonly string[] = [];
    // A contact that is not subscribed was shown no topics.
    const mayChoose = before?.subscribed === true && before.byFormer === null;
    if (mayChoose && subject)
      await store.write(async (tx) => {
        left = await takeChoices(tx, before, choices, actOf(visit, subject.emailId, "page"));
        const topic = left.length === 0 ? null : await topicOfMail(tx, subject.emailId);
        if (topic !== null && left.includes(topic)) await noteLeftTopic(tx, subject.emailId);
      });
    const departed = left[0] === undefined ? null : { left: left[0] };
    const stays = { departed, undone: !mayChoose };
    return answer(visit, { subject, contact: before && (await contactOf(subject, visit)), stays, saved: true });
  };
  /** Another choice by the page's reader. */
  const act = async (visit: PreferenceRequest, work: PreferenceChange, stays: Stays = {}) => {
    limits.signUp(limits.clientOf(visit.request, visit.server));
    const subject = readToken(secrets, visit.params.token);
    const before = await contactOf(subject, visit);
    const isDone =
      before?.status === "ACTIVE" && before.byFormer === null && subject !== null
        ? await store.write((tx) => work(tx, before, actOf(visit, subject.emailId, "page")))
        : false;
    const contact = before && (await contactOf(subject, visit));
    return answer(visit, { subject, contact, stays: { ...stays, undone: !isDone }, saved: true });
  };
  const why = (visit: PreferenceRequest, said: LeavingFeedback) =>
    act(
      visit,
      async (tx, contact, { evidence }) => {
        const { asksWhy } = await ownWorkspace(tx, contact.workspace);
        const mail = asksWhy && evidence?.email ? await mailWithId(tx, evidence.email) : null;
        return mail !== null && answerWhy(tx, await asItIs(tx, contact), mail, said);
      },
      { answered: true },
    );
  const readPreferences = async (visit: PreferenceRequest) => {
    const room = { limitBytes: FORM_BYTES, memory: bodyMemory, holder: "recipient pages" };
    const form = await readForm(visit.request, room);
    const [choice, listed] = [form.get("subscribed"), form.getAll("listed")];
    if (choice === "true" || choice === "false") return set(visit, choice === "true");
    const [days, language] = [pauseAsked(form.get("pause")), languageAsked(form.get("language"))];
    if (days !== null) return act(visit, (tx, contact, how) => pauseFor(tx, contact, days, how));
    if (language) return act(visit, (tx, contact, how) => speak(tx, contact, language, how));
    const said = saidIn(form);
    if (said) return why(visit, said);
    return listed.length === 0 ? show(visit) : take(visit, { listed, chosen: form.getAll("topic") });
  };
  return { show, set, read: readPreferences };
}

type PreferenceAnswer = Pick<PreferenceState, "subject" | "contact" | "saved"> & { readonly stays?: Stays };

/** For a link of an unknown contact. */
const NOTHING_ELSE = { look: PLAIN_LOOK, topics: [], data: [], asks: null };

/** Answers whether the change was made. */
type PreferenceChange = (tx: Tx, contact: ContactOfSomeWorkspace, act: ConsentAct) => Promise<boolean>;
