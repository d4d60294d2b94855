// One visit of a recipient to their pages, by the link of a mail: it shows the page, or does what the reader chose and
// shows the page afterwards.
import { RECIPIENT_PAGE, declineInPerson, subscribeInPerson } from "../../audience/contacts/sign-up/sign-up.ts";
import type { ConsentAct } from "../../audience/consent/consent.ts";
import type { Door } from "../../audience/consent/content.ts";
import { unsubscribe } from "../../audience/contacts/contact.ts";
import type { ContactOfSomeWorkspace } from "../../audience/contacts/queries.ts";
import { iso } from "../../base/clock.ts";
import type { Language } from "../../base/languages/language.ts";
import { PLAIN_LOOK } from "../../content/pages/look.ts";
import { readToken, type LinkSubject } from "../../content/rendering/links.ts";
import { noteLeftTopic, noteUnsubscribed } from "../../mail/emails/feedback/departures.ts";
import { mailWithId, topicOfMail } from "../../mail/emails/queries.ts";
import type { Tx } from "../../store/store.ts";
import { ownWorkspace } from "../../tenant/workspaces/workspace.ts";
import { awaits, confirmed } from "../forms/answers.ts";
import { asItIs, pauseFor, speak } from "./acts.ts";
import { HEADERS, languageFor, pageOf, type PageNotice, type PreferenceRequest, type Visitor } from "./answer.ts";
import { answerWhy, type LeavingFeedback } from "./leaving.ts";
import { leaveTopic, takeChoices } from "./topics.ts";
import { contentFor, ownPage, visitorOf, type VisitServices } from "./visitor.ts";

/** For a link of an unknown contact. */
const NOTHING_ELSE = { look: PLAIN_LOOK, topics: [], data: [], asks: null };

/** `work` answers whether the change was made. */
type PreferenceChange = (tx: Tx, contact: ContactOfSomeWorkspace, act: ConsentAct) => Promise<boolean>;

export class Visit {
  readonly #services: VisitServices;
  readonly #request: PreferenceRequest;
  /** The contact and the mail of the link; null = it has not our signature. */
  readonly #subject: LinkSubject | null;
  /** At the host of another workspace than the contact's: the link is answered as if it were none of ours. */
  #isAstray = false;

  constructor(services: VisitServices, request: PreferenceRequest) {
    this.#services = services;
    this.#request = request;
    this.#subject = readToken(services.secrets, request.params.token);
  }

  /** `wanted`: false on the page to unsubscribe. */
  async show(wanted?: false): Promise<Response> {
    return this.#answer(await this.#visitor(), { wanted }, false);
  }

  /** Subscribes the reader, and confirms the further matter of the mail, which may have a page of its own to go to. */
  async subscribe(): Promise<Response> {
    this.#count();
    const { store, clock } = this.#services;
    const [before, subject] = [await this.#visitor(), this.#subject];
    const mayAct = before && subject && !before.byFormer;
    const asks = mayAct ? await store.read((reader) => awaits(reader, subject.emailId, clock.nowMs())) : null;
    if (mayAct)
      await store.write(async (tx) => {
        await subscribeInPerson(tx, before.workspace, before, this.#act("page"));
        if (asks) await confirmed(tx, before, subject.emailId);
      });
    if (asks && asks.goTo !== null)
      return new Response(null, { status: 303, headers: { ...HEADERS, location: asks.goTo } });
    return this.#saved(before, { wanted: true, departed: null, undone: before?.byFormer != null });
  }

  /** Unsubscribes the reader; by one click only from the topic of the mail. It is never limited. */
  async unsubscribe(door: Door): Promise<Response> {
    const [before, subject] = [await this.#visitor(), this.#subject];
    const left = before && subject ? await this.#leave(before, subject, door) : null;
    const departed = before?.subscribed === true ? { left } : null;
    return this.#saved(before, { ...(left === null ? { wanted: false } : { left }), departed });
  }

  /** Answers the key of the topic that was left; null = all marketing mail. */
  #leave(before: Visitor, { emailId }: LinkSubject, door: Door): Promise<string | null> {
    return this.#services.store.write(async (tx) => {
      const act = this.#act(door);
      if (before.status === "PENDING") return declineInPerson(tx, before.workspace, before, act).then(() => null);
      const topic = door === "one-click" && before.subscribed ? await topicOfMail(tx, emailId) : null;
      if (topic !== null && (await leaveTopic(tx, before, topic, act))) {
        await noteLeftTopic(tx, emailId);
        return topic;
      }
      await unsubscribe(tx, before.workspace, before, act);
      if (before.subscribed) await noteUnsubscribed(tx, emailId);
      return null;
    });
  }

  /** `listed`: the keys of the topics on the page; `chosen`: those whose boxes are checked. */
  async choose(choices: { readonly listed: string[]; readonly chosen: string[] }): Promise<Response> {
    const [before, subject] = [await this.#visitor(), this.#subject];
    // A contact that is not subscribed was shown no topics.
    const mayChoose = before?.subscribed === true && before.byFormer === null && subject !== null;
    const left = !mayChoose
      ? []
      : await this.#services.store.write(async (tx) => {
          const keys = await takeChoices(tx, before, choices, this.#act("page"));
          const topic = keys.length === 0 ? null : await topicOfMail(tx, subject.emailId);
          if (topic !== null && keys.includes(topic)) await noteLeftTopic(tx, subject.emailId);
          return keys;
        });
    const departed = left[0] === undefined ? null : { left: left[0] };
    return this.#saved(before, { departed, undone: !mayChoose });
  }

  /** `days`: 0 = the pause ends. */
  pause(days: number): Promise<Response> {
    return this.#change((tx, contact, act) => pauseFor(tx, contact, days, act));
  }

  speak(language: Language): Promise<Response> {
    return this.#change((tx, contact, act) => speak(tx, contact, language, act));
  }

  explain(said: LeavingFeedback): Promise<Response> {
    const work: PreferenceChange = async (tx, contact, { evidence }) => {
      const { asksWhy } = await ownWorkspace(tx, contact.workspace);
      const mail = asksWhy && evidence?.email ? await mailWithId(tx, evidence.email) : null;
      return mail !== null && answerWhy(tx, await asItIs(tx, contact), mail, said);
    };
    return this.#change(work, { answered: true });
  }

  async #change(work: PreferenceChange, notice: PageNotice = {}): Promise<Response> {
    this.#count();
    const before = await this.#visitor();
    const mayAct = before?.status === "ACTIVE" && before.byFormer === null && this.#subject !== null;
    const isDone = mayAct && (await this.#services.store.write((tx) => work(tx, before, this.#act("page"))));
    return this.#saved(before, { ...notice, undone: !isDone });
  }

  /** @throws AppError RATE_LIMIT_EXCEEDED */
  #count(): void {
    const { limits } = this.#services;
    limits.signUp(limits.clientOf(this.#request.request, this.#request.server));
  }

  #act(door: Door): ConsentAct {
    const evidence = { ...this.#services.clients.whereabouts(this.#request), email: this.#subject?.emailId ?? null };
    return { cause: RECIPIENT_PAGE, door, evidence };
  }

  async #visitor(): Promise<Visitor | null> {
    const found = await visitorOf(this.#services, this.#subject, this.#request);
    this.#isAstray ||= found === "astray";
    return found === "astray" ? null : found;
  }

  async #saved(before: Visitor | null, notice: PageNotice): Promise<Response> {
    return this.#answer(before && (await this.#visitor()), notice, true);
  }

  async #answer(contact: Visitor | null, notice: PageNotice, saved: boolean): Promise<Response> {
    const { store, clock } = this.#services;
    const [request, subject, nowMs] = [this.#request, this.#subject, clock.nowMs()];
    const language = languageFor(request, contact);
    const page = { subject, contact, saved, ...NOTHING_ELSE, ...notice, now: iso(nowMs), language };
    if (this.#isAstray) return pageOf(request, { ...page, subject: null, saved: false });
    if (!contact || !subject) return pageOf(request, page);
    const { departed = null } = notice;
    const rest = await store.read((reader) =>
      contact.byFormer
        ? ownPage(reader, this.#services, contact)
        : contentFor(reader, this.#services, contact, { mail: subject.emailId, language, saved, departed, nowMs }),
    );
    return pageOf(request, { ...page, ...rest });
  }
}
