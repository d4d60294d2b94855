// The processing of form answers. The door keeps an answer without looking up its person (public-routes.ts); this loop
// looks up the contact, and asks by email. Nothing about a person changes before they confirm; only a new person is
// subscribed immediately, where the form does not ask and a program of the page has worked for the answer.
import { NOTHING_DUE } from "../../base/jobs/due.ts";
import { DAY_MS, iso, type Clock } from "../../base/clock.ts";
import type { ConsentAct } from "../../audience/consent/consent.ts";
import { happenedToContact } from "../../audience/consent/happened.ts";
import { change } from "../../audience/contacts/contact.ts";
import { mergeData, type Variables } from "../../audience/contacts/data.ts";
import { contactByAddress, lockContactToChange, type Contact } from "../../audience/contacts/queries.ts";
import { searchFieldsOf } from "../../audience/contacts/search/search-queries.ts";
import type { SignUpLimits } from "../../audience/contacts/sign-up/limits.ts";
import { ASKED_AGAIN_AFTER_MS, askAtNewAddress, type AskToConfirm } from "../../audience/contacts/sign-up/sign-up.ts";
import { upsertContact } from "../../audience/contacts/upsert.ts";
import { formVoice } from "../../audience/contacts/voices.ts";
import { withTag } from "../../audience/contacts/wanted.ts";
import { askToConfirm, refuseToAsk } from "../../mail/emails/send/confirmation.ts";
import { AppError, isStoreAway, orRefused } from "../../base/errors.ts";
import { emit } from "../../tenant/events/emit.ts";
import { notifyChange } from "../../tenant/events/notify.ts";
import type { Log } from "../../base/log.ts";
import { joinSegment } from "../../audience/segments/members.ts";
import type { Reader, Store, Tx } from "../../store/store.ts";
import { standingOf } from "../../audience/suppressions/standing.ts";
import { topicsOf } from "../../audience/topics/queries.ts";
import { ownWorkspace } from "../../tenant/workspaces/workspace.ts";
import { actOf, causeOfForm, choicesOf } from "./agreement.ts";
import {
  answerAskedBy,
  deleteAnswer,
  deleteExpiredAnswers,
  isAskedUntil,
  lockNewAnswer,
  setAsked,
  takeAnswer,
  type PendingAnswer,
} from "./answer-queries.ts";
import { addCounts } from "./count-queries.ts";
import { dayOf } from "./counts.ts";
import { formBySeq, type Form } from "./queries.ts";

/** Signalled when a form was sent. */
export const SENT = "form sent";

const VALID_MS = 7 * DAY_MS;

type Workshop = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: SignUpLimits;
};

export class FormAnswers {
  readonly #workshop: Workshop;
  /** A failing answer holds up no other: it is due again when all have had their turn. */
  #after = 0;

  constructor(workshop: Workshop) {
    this.#workshop = workshop;
  }

  /** Claims an answer; answers how long to rest. */
  async step(): Promise<number> {
    const { store, log } = this.#workshop;
    let one: PendingAnswer | null = null;
    let counted: (() => void) | number | null = null;
    const mayAsk = (answer: PendingAnswer, about: string) => {
      const { workspace, address: email } = answer;
      counted ??= this.#workshop.limits.confirm(workspace, { email, status: "ACTIVE", about }, answer.answer.client);
      return typeof counted === "function";
    };
    try {
      let isDone = false;
      await store.write(async (tx) => {
        one = await lockNewAnswer(tx, this.#after);
        isDone = one === null || (await handle(tx, one, mayAsk));
      });
      if (!isDone && typeof counted === "function") (counted as () => void)();
      if (one) return 0;
    } catch (error) {
      if (typeof counted === "function") (counted as () => void)();
      if (one === null || isStoreAway(error)) throw error;
      const { seq, form } = one as PendingAnswer;
      if (error instanceof AppError) await store.write((tx) => deleteAnswer(tx, seq));
      else this.#after = seq;
      log.warn("what somebody has entered in a form could not be carried out", { form, error });
      return 0;
    }
    this.#after = 0;
    return NOTHING_DUE;
  }
}

type MayAsk = (answer: PendingAnswer, about: string) => boolean;

/** False = a mail would ask the person, and one has already. */
async function handle(tx: Tx, one: PendingAnswer, mayAsk: MayAsk): Promise<boolean> {
  const form = (await formBySeq(tx, one.form)) as Form;
  const { workspace, address: email, answer } = one;
  await addCounts(tx, countKeyOf(tx, one), { seen: 0, sent: 1, confirmed: 0 });
  const known = await contactByAddress(tx, workspace, email);
  const { doubleOptIn } = await ownWorkspace(tx, workspace);
  const isAsked = form.doubleOptIn || doubleOptIn || !answer.isProven || known !== null;
  // A suppressed address is neither asked nor kept: an erased person stays erased.
  const { own, domain } = await standingOf(tx, { workspace, email });
  const isSuppressed = own.length > 0 || domain.length > 0 || (known?.suppressed ?? null) !== null;
  if (isSuppressed || (isAsked && !mayAsk(one, form.id))) return drop(tx, one);
  await refuseToAsk(tx, workspace);
  const act = await actOf(tx, form, one);
  const { contact, isNew } = await upsertContact(tx, workspace, {
    ...act,
    voice: formVoice(isAsked),
    email,
    subscribed: undefined,
    subscribedIfNew: true,
    data: {},
  });
  notifyChange(tx, "contacts", workspace);
  if (!isAsked) {
    await fulfil(tx, form, { one, contact, act, wasSubscribed: !isNew && contact.subscribed });
    return drop(tx, one);
  }
  if (!isNew && (await wasAskedLately(tx, one, contact))) return !(await drop(tx, one));
  let mail = "";
  const ask: AskToConfirm = async (...asked) => void (mail = await askToConfirm(...asked, answer.language));
  await askAtNewAddress(tx, workspace, contact, { ask, act });
  await setAsked(tx, one.seq, { contact: contact.seq, emailId: mail, expiresAt: iso(tx.nowMs + VALID_MS) });
  return true;
}

/** Asked by another process, or by this one before a restart: limits do not know of it. One waits for the other. */
async function wasAskedLately(tx: Tx, one: PendingAnswer, { seq }: Contact): Promise<boolean> {
  await lockContactToChange(tx, seq);
  return isAskedUntil(tx, one, iso(tx.nowMs + VALID_MS - ASKED_AGAIN_AFTER_MS));
}

async function drop(tx: Tx, { seq }: PendingAnswer): Promise<true> {
  await deleteAnswer(tx, seq);
  return true;
}

function countKeyOf(tx: Tx, { form, answer }: PendingAnswer) {
  return { form, day: dayOf(tx.nowMs), site: answer.site };
}

/** The question of this mail can still be confirmed. Answers where the person is sent then. */
export async function awaits(
  reader: Reader,
  email: string,
  nowMs: number,
): Promise<{ readonly goTo: string | null } | null> {
  const asked = await answerAskedBy(reader, email, iso(nowMs));
  const form = asked && (await formBySeq(reader, asked.form));
  return form && { goTo: form.settings.confirmedUrl };
}

/**
 * The person at this address has pressed the button of the mail. They are subscribed by now; `before`: the contact
 * until then.
 */
export async function confirmed(tx: Tx, before: Contact, email: string): Promise<void> {
  const { seq, email: address, subscribed: wasSubscribed } = before;
  const one = await takeAnswer(tx, email, address);
  const form = one && (await formBySeq(tx, one.form));
  const contact = await lockContactToChange(tx, seq);
  if (one && form && contact) await fulfil(tx, form, { one, contact, act: await actOf(tx, form, one), wasSubscribed });
}

type AnswerFulfilment = {
  readonly one: PendingAnswer;
  readonly contact: Contact;
  readonly act: ConsentAct;
  readonly wasSubscribed: boolean;
};

async function fulfil(tx: Tx, form: Form, { one, contact, act, wasSubscribed }: AnswerFulfilment): Promise<void> {
  const { workspace, segment, settings } = form;
  const { values, site } = one.answer;
  if (act.evidence?.wording) await happenedToContact(tx, "contact.agreed", { workspace, contact, act }, {});
  const data = orRefused(() => mergeData(contact.data, entered(contact, form, one)));
  const topics = one.answer.offer === null ? [] : await topicsOf(tx, workspace);
  const { chosen, after, passed } = choicesOf(one.answer, { topics, before: contact.topics, wasSubscribed });
  // A full contact keeps its data: the person has agreed all the same.
  const kept = data instanceof AppError ? contact.data : data;
  const searchFields = await searchFieldsOf(tx, workspace);
  await change(tx, workspace, { contact, data: kept, topics: after, passed, subscribed: null, searchFields }, act);
  if (segment !== null) await joinSegment(tx, segment, [contact.seq]);
  const said = {
    ...values,
    ...(chosen.length > 0 ? { topics: chosen } : {}),
    form: form.key,
    ...(site ? { site } : {}),
  };
  if (settings.event !== null)
    await emit(tx, { workspace, name: settings.event, contact: contact.seq, cause: causeOfForm(form), data: said });
  await addCounts(tx, countKeyOf(tx, one), { seen: 0, sent: 0, confirmed: 1 });
}

function entered({ data }: Contact, { settings }: Form, { answer }: PendingAnswer): Variables {
  const hasLanguage = data["language"] !== undefined || data["locale"] !== undefined;
  const tags = settings.tags.reduce<unknown>((list, tag) => withTag(list, tag), data["tags"]);
  return {
    ...(hasLanguage ? {} : { language: answer.language }),
    ...answer.values,
    ...(settings.tags.length > 0 ? { tags } : {}),
  };
}

export function forgetUnconfirmed(store: Store, most: number): Promise<number> {
  return store.write((tx) => deleteExpiredAnswers(tx, most));
}
