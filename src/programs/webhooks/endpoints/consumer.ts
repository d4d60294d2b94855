// Events for endpoints: each is kept once, with a delivery for each endpoint that listens to it.
import type { Consumer, Occurrence } from "../../../tenant/events/dispatch.ts";
import { listenersTo } from "../../../tenant/events/interests.ts";
import { newId } from "../../../base/ids.ts";
import type { Tx } from "../../../store/store.ts";
import { WEBHOOK_DUE } from "../sending/queue.ts";
import {
  insertDeliveries,
  insertEvents,
  peopleAmong,
  recipientsOf,
  type NewEndpointEvent,
  type EventRecipient,
  type EventPerson,
} from "./event-queries.ts";
import { isMeantByTags, subjectOf, typeOfOccurrence } from "./patterns.ts";
import { tagsOf } from "./queries.ts";

export const endpointConsumer: Consumer = {
  name: "endpoints",
  consume: async (tx, occurrences) => {
    const told: EndpointOccurrence[] = [];
    const listeners = new Map<string, Promise<number[]>>();
    for (const one of occurrences) {
      const type = typeOfOccurrence(one);
      if (type === null) continue;
      const key = `${one.workspace} ${type}`;
      const known = listeners.get(key) ?? listenersTo(tx, one.workspace, "endpoint", [subjectOf(type)]);
      listeners.set(key, known);
      const endpoints = await known;
      if (endpoints.length > 0) told.push({ ...one, type, endpoints });
    }
    const meant = await withoutOtherTags(tx, told);
    if (meant.length > 0) await keep(tx, meant);
  },
};

type EndpointOccurrence = Occurrence & { readonly type: string; readonly endpoints: readonly number[] };

async function withoutOtherTags(tx: Tx, heard: readonly EndpointOccurrence[]): Promise<readonly EndpointOccurrence[]> {
  if (heard.length === 0) return heard;
  const tags = await tagsOf(tx, [...new Set(heard.flatMap(({ endpoints }) => endpoints))]);
  if (tags.size === 0) return heard;
  return heard.flatMap((one) => {
    const endpoints = one.endpoints.filter((endpoint) => {
      const wanted = tags.get(endpoint);
      return wanted === undefined || isMeantByTags(wanted, one.type, (one.notice ?? one.event)?.data);
    });
    return endpoints.length > 0 ? { ...one, endpoints } : [];
  });
}

async function keep(tx: Tx, heard: readonly EndpointOccurrence[]): Promise<void> {
  const people = await peopleAmong(
    tx,
    heard.flatMap(({ contact }) => contact ?? []),
  );
  const recipients = await recipientsOf(
    tx,
    heard.flatMap(({ event }) => event?.email ?? []),
  );
  // Endpoints get no events of a person erased by now, or of mail of this server itself, such as invitations.
  const left = heard.filter(
    ({ contact, event }) => (contact === null || people.has(contact)) && !recipients.get(event?.email ?? 0)?.isPrivate,
  );
  const seqs = await insertEvents(
    tx,
    left.map((one) =>
      eventOf(tx, one, { person: people.get(one.contact ?? 0), recipient: recipients.get(one.event?.email ?? 0) }),
    ),
  );
  const byEndpoints = Map.groupBy(left.keys(), (index) => (left[index] as EndpointOccurrence).endpoints.join(" "));
  for (const indexes of byEndpoints.values()) {
    const { endpoints } = left[indexes[0] as number] as EndpointOccurrence;
    const events = indexes.map((index) => seqs[index] as number);
    if ((await insertDeliveries(tx, events, endpoints)) > 0) tx.signal(WEBHOOK_DUE);
  }
}

type EventParties = { readonly person: EventPerson | undefined; readonly recipient: EventRecipient | undefined };

function eventOf(
  tx: Tx,
  { workspace, type, contact, event, notice }: EndpointOccurrence,
  { person, recipient }: EventParties,
): NewEndpointEvent {
  const { id, createdAt } = notice ?? event ?? { id: newId(tx.nowMs), createdAt: tx.now };
  const facts = notice?.data ?? (type === "event.tracked" ? { name: event?.name, data: event?.data } : event?.data);
  return {
    id,
    workspace,
    type,
    contact,
    createdAt,
    data: {
      ...facts,
      ...(recipient ? aboutRecipient(type, recipient) : {}),
      // For a contact that was merged since, the notice has its former identity.
      ...(notice !== null && isOfContact(type) ? {} : aboutPerson(type, person)),
    },
  };
}

function aboutRecipient(type: string, { to, error }: EventRecipient) {
  return type === "email.bounce" && error !== null ? { to, reason: error } : { to };
}

/** An event of a new or changed contact has the whole contact; others have its identity. */
function aboutPerson(type: string, person: EventPerson | undefined) {
  if (!person) return {};
  const { data, ...known } = person;
  return { contact: isOfContact(type) ? person : known };
}

function isOfContact(type: string): boolean {
  return type === "contact.created" || type === "contact.updated";
}
