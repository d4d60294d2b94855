// Changes by the forms of a recipient's page, besides the subscription and its topics: a pause, and the language.
import type { ConsentAct } from "../../audience/consent/consent.ts";
import { AppError, orRefused } from "../../base/errors.ts";
import { LANGUAGES, type Language } from "../../base/languages/language.ts";
import type { Tx } from "../../store/store.ts";
import { change } from "../../audience/contacts/contact.ts";
import { mergeData, withLanguage } from "../../audience/contacts/data.ts";
import { pause, PAUSE_DAYS, pauseEnd, resume } from "../../audience/contacts/pause.ts";
import { lockContactToChange, type ContactOfSomeWorkspace } from "../../audience/contacts/queries.ts";
import { searchFieldsOf } from "../../audience/contacts/search/search-queries.ts";

/** The days of pause in a form; 0 = end the pause, null = the form is not about a pause. */
export function pauseAsked(given: string | null): number | null {
  return [0, ...PAUSE_DAYS].find((days) => String(days) === given) ?? null;
}

/** The language in a form; null = none of ours. */
export function languageAsked(given: string | null): Language | null {
  return LANGUAGES.find((language) => language === given) ?? null;
}

/** False: a contact that is not subscribed cannot pause, though an older page offers it. */
export async function pauseFor(
  tx: Tx,
  shownTo: ContactOfSomeWorkspace,
  days: number,
  act: ConsentAct,
): Promise<boolean> {
  const contact = await asItIs(tx, shownTo);
  if (!contact.subscribed) return false;
  await (days === 0 ? resume(tx, contact, act) : pause(tx, contact, pauseEnd(tx.nowMs, days), act));
  return true;
}

/** Sets the language of the person's mail and pages; false if the contact's data is full. */
export async function speak(
  tx: Tx,
  shownTo: ContactOfSomeWorkspace,
  language: Language,
  act: ConsentAct,
): Promise<boolean> {
  const contact = await asItIs(tx, shownTo);
  const { workspace } = contact;
  const data = orRefused(() => mergeData(contact.data, withLanguage(contact.data, language)));
  if (data instanceof AppError) return false;
  const searchFields = await searchFieldsOf(tx, workspace);
  await change(tx, workspace, { contact, data, subscribed: null, searchFields }, act);
  return true;
}

/** The locked contact, with changes by other requests since it was read. */
export async function asItIs(tx: Tx, contact: ContactOfSomeWorkspace): Promise<ContactOfSomeWorkspace> {
  return { ...contact, ...(await lockContactToChange(tx, contact.seq)) };
}
