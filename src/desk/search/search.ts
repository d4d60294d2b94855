// Finds anything of a workspace by an address, a name, an id or a Message-ID.
import { soughtInAddresses } from "../../base/addresses.ts";
import { isErased } from "../../mail/emails/email.ts";
import { mailsNamed } from "../../mail/emails/list/queries.ts";
import { namesIn } from "../../mail/emails/list/search.ts";
import { mailsNumbered } from "../../mail/emails/queries.ts";
import { soughtWords } from "../../audience/contacts/search/sought.ts";
import { folded } from "../../store/folded.ts";
import { topicsOf, type Topic } from "../../audience/topics/queries.ts";
import type { Reader } from "../../store/store.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import {
  contactsFormerly,
  contactsStarting,
  contactsWith,
  domainNames,
  mailsOfContact,
  namesOf,
  type FoundContact,
  type SearchHit,
} from "./queries.ts";
import type { SearchResult } from "./record.ts";

/** The limit of each kind. */
const MOST = 5;
/** The newest of each kind that are searched. */
const MOST_NAMES = 1_000;

export async function search(reader: Reader, caller: Caller, text: string): Promise<SearchResult> {
  const { workspace } = caller;
  const contacts = await contactsFor(reader, workspace, text);
  const matchingNames = async (kind: Parameters<typeof namesOf>[1]) =>
    matching(await namesOf(reader, kind, workspace, MOST_NAMES), text);
  const [campaigns, templates] = [await matchingNames("campaigns"), await matchingNames("templates")];
  const [segments, forms, workflows] = [
    await matchingNames("segments"),
    await matchingNames("forms"),
    await matchingNames("workflows"),
  ];
  const topics = matching((await topicsOf(reader, workspace)).flatMap(namesOfTopic), text);
  const domains = caller.domains === null ? matching(await domainNames(reader, workspace, MOST_NAMES), text) : [];
  return {
    contacts: contacts.map(({ seq: _, ...contact }) => contact),
    emails: await mailsFor(reader, workspace, { text, contacts }),
    campaigns: campaigns.map(({ state, ...one }) => ({
      ...one,
      status: state as SearchResult["campaigns"][number]["status"],
    })),
    templates: templates.map(({ state, ...one }) => ({
      ...one,
      type: state as SearchResult["templates"][number]["type"],
    })),
    segments: segments.map(({ state, ...one }) => ({
      ...one,
      type: state as SearchResult["segments"][number]["type"],
    })),
    // A topic that several of its names match is listed once.
    topics: [
      ...new Map(topics.toReversed().map(({ id, name, state }) => [id, { id, key: String(state), name }])).values(),
    ].toReversed(),
    forms: forms.map(({ state, ...one }) => ({ ...one, enabled: state === 1 })),
    workflows: workflows.map(({ state, ...one }) => ({ ...one, enabled: state === 1 })),
    domains: domains.map(({ id, name, state }) => ({ id, domain: name, verified: state === 1 })),
    keys: seesKeys(caller) ? (await matchingNames("keys")).map(({ id, name }) => ({ id, name })) : [],
  };
}

/** In each language, and by its key. */
function namesOfTopic({ id, key, name }: Topic): SearchHit[] {
  return [...Object.values(name), key].map((one) => ({ id, name: one, state: key }));
}

/** Contacts by the beginning of their addresses, then by words, and then by former addresses. */
async function contactsFor(reader: Reader, workspace: number, text: string): Promise<readonly FoundContact[]> {
  const address = soughtInAddresses(text);
  const found = (await contactsStarting(reader, workspace, address, MOST)).sort(byAddress);
  const words = soughtWords(text);
  if (found.length < MOST && words.length > 0)
    found.push(...(await contactsWith(reader, workspace, words, MOST)).sort(byAddress));
  if (found.length < MOST) found.push(...(await contactsFormerly(reader, workspace, address, MOST)).sort(byAddress));
  return [...new Map(found.toReversed().map((contact) => [contact.seq, contact])).values()].toReversed().slice(0, MOST);
}

function byAddress({ email: one }: { readonly email: string }, { email: other }: { readonly email: string }): number {
  return one < other ? -1 : 1;
}

/** As GET /keys. */
function seesKeys({ domains, person }: Caller): boolean {
  return domains === null && (person === null || person.permissions.has("keys"));
}

type MailLookup = { readonly text: string; readonly contacts: readonly FoundContact[] };

/** The mails that the text names, or else the newest to these contacts. */
async function mailsFor(
  reader: Reader,
  workspace: number,
  { text, contacts }: MailLookup,
): Promise<SearchResult["emails"]> {
  const named = await mailsNamed(reader, workspace, namesIn(text));
  const seqs = named.length > 0 ? [...named] : await mailsTo(reader, text.includes("@") ? contacts : []);
  const mails = await mailsNumbered(reader, seqs.sort((one, other) => other - one).slice(0, MOST));
  return mails.map((mail) => ({
    id: mail.id,
    to: mail.toAddress,
    subject: isErased(mail) ? "" : (mail.renderedSubject ?? mail.subject),
    status: mail.status,
    createdAt: mail.createdAt,
  }));
}

async function mailsTo(reader: Reader, contacts: readonly FoundContact[]): Promise<number[]> {
  const seqs: number[] = [];
  for (const { seq } of contacts) seqs.push(...(await mailsOfContact(reader, seq, MOST)));
  return seqs;
}

/** By name in any spelling of upper and lower case, names that begin with the text first; or by id. */
function matching(all: readonly SearchHit[], text: string): SearchHit[] {
  const sought = folded(text);
  const places = all.map((one) => ({ one, at: one.id === sought ? 0 : folded(one.name).indexOf(sought) }));
  const found = places.filter(({ at }) => at >= 0).sort((one, other) => Math.sign(one.at) - Math.sign(other.at));
  return found.slice(0, MOST).map(({ one }) => one);
}
