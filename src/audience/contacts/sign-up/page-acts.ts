// What the forms of a recipient's page change besides the subscription and its topics: a pause, and the language.
import type { ConsentAct } from "../../consent/consent.ts";
import { AppError, orRefused } from "../../../base/errors.ts";
import { LANGUAGES, type Language } from "../../../base/languages/language.ts";
import type { Tx } from "../../../store/store.ts";
import { change } from "../contact.ts";
import { mergeData, withLanguage } from "../data.ts";
import { pause, PAUSE_DAYS, pauseEnd, resume } from "../pause.ts";
import { lockContactToChange, type ContactOfSomeWorkspace } from "../queries.ts";
import { searchFieldsOf } from "../search-queries.ts";

/** How many days a form asks for; 0 = to end the pause, null = it does not ask. */
export function pauseAsked(given: string | null): number | null {
  return [0, ...PAUSE_DAYS].find((days) => String(days) === given) ?? null;
}

/** Null = it asks for none of ours. */
export function languageAsked(given: string | null): Language | null {
  return LANGUAGES.find((language) => language === given) ?? null;
}

/** False: somebody who is not subscribed cannot pause, though an older page offers it. */
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

/** From now on the person is spoken to in this language; false where the contact's data is full. */
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

/** What another request has changed since the contact was read is kept. */
export async function asItIs(tx: Tx, contact: ContactOfSomeWorkspace): Promise<ContactOfSomeWorkspace> {
  return { ...contact, ...(await lockContactToChange(tx, contact.seq)) };
}
