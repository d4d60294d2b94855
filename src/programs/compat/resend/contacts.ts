// Resend's calls about contacts, and about the contacts of a segment.
import { parseAddress } from "../../../base/addresses.ts";
import { membershipsAmong } from "../../../audience/segments/membership/queries.ts";
import { joinable } from "../../../audience/segments/members.ts";
import { findSegment } from "../../../audience/segments/segment.ts";
import { segmentsNamed, segmentsOfContact } from "../../../audience/segments/queries.ts";
import { findContact } from "../../../audience/contacts/contact.ts";
import { contactByAddress, type Contact } from "../../../audience/contacts/queries.ts";
import { AppError } from "../../../base/errors.ts";
import { topicsOf } from "../../../audience/topics/queries.ts";
import { cursorOf } from "../../../store/page.ts";
import type { Reader } from "../../../store/store.ts";
import { listIn, objectIn, textIn, type JsonFields } from "../fields.ts";
import type { CompatCall, CompatRequest } from "../own-calls.ts";
import type { CallDeps } from "./call.ts";
import { contactFrom, contactRecord, propertiesIn } from "./contact-fields.ts";
import { segmentSummary } from "./segments.ts";
import { listOf, pieceBeside, pieceIn, pieceOf, type ResendPage } from "./lists.ts";
import { choicesFrom } from "./topic-fields.ts";

/** By its id or its address. @throws AppError CONTACT_NOT_FOUND */
export async function contactNamed(
  reader: Reader,
  { workspace }: CompatRequest["caller"],
  name = "",
): Promise<Contact> {
  if (!name.includes("@")) return findContact(reader, workspace, name);
  const address = parseAddress(name);
  const contact = address && (await contactByAddress(reader, workspace, address));
  if (!contact) throw new AppError("CONTACT_NOT_FOUND", "There is no contact with this address.");
  return contact;
}

/** A list of contacts, newest first. */
export async function contactsIn(
  { ours, store }: CallDeps,
  asked: CompatRequest,
  filter: JsonFields,
  piece: ResendPage,
) {
  const seqOf = (id: string) => store.read(async (reader) => (await contactNamed(reader, asked.caller, id)).seq);
  const { items, hasMore } = await pieceBeside(piece, seqOf, async (than, isNewer, count) => {
    const dir = isNewer ? "asc" : "desc";
    const at = than === null ? {} : { cursor: cursorOf(`contacts.createdAt.${dir}`, than + (isNewer ? 1 : -1)) };
    // One extra shows if there are more; a page has no more than 100.
    const limit = Math.min(count, LARGEST_PAGE);
    const query = { ...filter, ...at, limit: String(limit), sort: "createdAt", dir };
    const page = await ours.also("listContacts", asked, { query });
    const more = page.cursor === null || limit === count ? [] : page.data.slice(-1);
    return isNewer ? [...more, ...page.data.toReversed()] : [...page.data, ...more];
  });
  return { contacts: items, hasMore };
}

const LARGEST_PAGE = 100;

export function contactCalls(deps: CallDeps): readonly CompatCall[] {
  const { ours, store } = deps;
  const requestedContact = ({ caller, params }: CompatRequest) =>
    store.read((reader) => contactNamed(reader, caller, params["contact"] ?? params["id"]));
  /** The data of a contact that may already exist. */
  const dataOf = async ({ caller }: CompatRequest, given: unknown) => {
    const address = typeof given === "string" ? parseAddress(given) : null;
    const contact = address && (await store.read((reader) => contactByAddress(reader, caller.workspace, address)));
    return contact ? contact.data : {};
  };
  const topicsIn = async ({ caller, body }: CompatRequest) => {
    const { topics } = objectIn("request", body);
    return topics == null
      ? undefined
      : choicesFrom(topics, await store.read((reader) => topicsOf(reader, caller.workspace)));
  };
  const created = async (asked: CompatRequest, segments: readonly string[], more: readonly string[] = []) => {
    const { workspace } = asked.caller;
    // Checked before anything is made.
    await store.read((reader) => Promise.all(segments.map((id) => joinable(reader, workspace, id))));
    const { email: address } = objectIn("request", asked.body);
    const topics = await topicsIn(asked);
    const body = { email: address, topics, ...contactFrom(asked, await dataOf(asked, address), ["email", ...more]) };
    const { id, email } = await ours.ask("upsertContact", asked, { body });
    for (const segment of segments) await join(deps, asked, segment, email);
    return { object: "contact", id };
  };
  const updated = async (asked: CompatRequest) => {
    const { id, data } = await requestedContact(asked);
    const body = { topics: await topicsIn(asked), ...contactFrom(asked, data) };
    await ours.ask("updateContact", asked, { params: { id }, body });
    return { object: "contact", id };
  };
  const contactAnswer = async (asked: CompatRequest) => {
    const contact = await requestedContact(asked);
    return { object: "contact", ...contactRecord(contact), properties: propertiesIn(contact.data) };
  };
  const listed = async (asked: CompatRequest, filter: JsonFields) => {
    const { contacts, hasMore } = await contactsIn(deps, asked, filter, pieceIn(asked.request));
    return listOf(contacts.map(contactRecord), hasMore);
  };
  const member = async (asked: CompatRequest) => {
    const { caller, params } = asked;
    await store.read(async (reader) => {
      const segment = await findSegment(reader, caller.workspace, params["id"] ?? "");
      const { seq, id } = await contactNamed(reader, caller, params["contact"]);
      if ((await membershipsAmong(reader, [segment.seq], [seq])).length > 0) return;
      throw new AppError("CONTACT_NOT_FOUND", `The segment has no contact ${id}.`);
    });
  };
  const inAudience = (work: (asked: CompatRequest) => Promise<object>) => async (asked: CompatRequest) => {
    await member(asked);
    return work(asked);
  };
  const left = async (asked: CompatRequest) => {
    const { id, email } = await requestedContact(asked);
    await leave(deps, asked, asked.params["segment"] ?? asked.params["id"] ?? "", email);
    return { object: "contact", contact: id, deleted: true };
  };
  return [
    {
      method: "POST",
      path: "/contacts",
      own: "upsertContact",
      work: (asked) => created(asked, segmentsIn(asked.body), ["segments"]),
    },
    { method: "GET", path: "/contacts", own: "listContacts", work: (asked) => listed(asked, {}) },
    { method: "GET", path: "/contacts/:id", own: "getContact", work: contactAnswer },
    { method: "PATCH", path: "/contacts/:id", own: "updateContact", work: updated },
    {
      method: "DELETE",
      path: "/contacts/:id",
      own: "deleteContact",
      work: async (asked) => {
        const { id } = await requestedContact(asked);
        await ours.ask("deleteContact", asked, { params: { id } });
        return { object: "contact", contact: id, deleted: true };
      },
    },
    {
      method: "GET",
      path: "/contacts/:id/segments",
      own: "getContact",
      work: async (asked) => {
        const { caller, request } = asked;
        const { seq } = await requestedContact(asked);
        return store.read(async (reader) => {
          const { items, hasMore } = pieceOf(await segmentsOfContact(reader, seq), pieceIn(request));
          const ids = items.map(({ id }) => id);
          return listOf((await segmentsNamed(reader, caller.workspace, ids)).map(segmentSummary), hasMore);
        });
      },
    },
    {
      method: "POST",
      path: "/contacts/:id/segments/:segment",
      own: "addSegmentMembers",
      work: async (asked) => {
        const [{ email }, id] = [await requestedContact(asked), asked.params["segment"] ?? ""];
        await join(deps, asked, id, email);
        return { id };
      },
    },
    {
      method: "DELETE",
      path: "/contacts/:id/segments/:segment",
      own: "removeSegmentMembers",
      work: async (asked) => {
        await left(asked);
        return { id: asked.params["segment"], deleted: true };
      },
    },
    ...["/segments", "/audiences"].map((path): CompatCall => ({
      method: "GET",
      path: `${path}/:id/contacts`,
      own: "listContacts",
      work: (asked) => listed(asked, { segmentId: asked.params["id"] }),
    })),
    {
      method: "POST",
      path: "/audiences/:id/contacts",
      own: "upsertContact",
      work: (asked) => created(asked, [asked.params["id"] ?? ""]),
    },
    { method: "GET", path: "/audiences/:id/contacts/:contact", own: "getContact", work: inAudience(contactAnswer) },
    { method: "PATCH", path: "/audiences/:id/contacts/:contact", own: "updateContact", work: inAudience(updated) },
    {
      method: "DELETE",
      path: "/audiences/:id/contacts/:contact",
      own: "removeSegmentMembers",
      work: inAudience(left),
    },
  ];
}

function segmentsIn(body: unknown): string[] {
  const segments = listIn("segments", objectIn("request", body)["segments"]);
  return segments.map((one, at) => textIn(`segments.${at}.id`, objectIn(`segments.${at}`, one)["id"]));
}

function join({ ours }: CallDeps, asked: CompatRequest, segment: string, email: string): Promise<unknown> {
  return ours.also("addSegmentMembers", asked, { params: { id: segment }, body: { emails: [email] } });
}

function leave({ ours }: CallDeps, asked: CompatRequest, segment: string, email: string): Promise<unknown> {
  return ours.also("removeSegmentMembers", asked, { params: { id: segment }, body: { emails: [email] } });
}
