// /contacts/merge and /contacts/merges: contacts that are one person.
import { t } from "elysia";
import type { Access } from "../../../tenant/access/auth.ts";
import { causeOf, type Caller } from "../../../tenant/access/caller.ts";
import { page, post, route, routes } from "../../../tenant/access/route-table.ts";
import { findContact } from "../../../audience/contacts/contact.ts";
import { contactsNumbered } from "../../../programs/campaigns/audience-queries.ts";
import { invalidFields, type FieldError } from "../../../base/errors.ts";
import type { CatchUp } from "../../../tenant/events/dispatch.ts";
import { notifyChange } from "../../../tenant/events/notify.ts";
import { answerOnce } from "../../../http/idempotency.ts";
import { pageShapeOf } from "../../../http/answer-shapes.ts";
import { idInputShape, optional, pageShape, parameter } from "../../../http/schemas.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { RULES, type DataInput } from "./data.ts";
import { lockEach, mergeContacts } from "./merge.ts";
import * as queries from "../../../audience/contacts/past/merge-queries.ts";
import { mergeRecord, mergeShape } from "./record.ts";
import { undoMerge } from "./undo.ts";

const MOST_MERGED = 10;

const example = "0199a3b4-0000-7000-8000-000000000000";
const input = t.Object(
  {
    into: { ...idInputShape, description: "The contact that stays, with its id and address." },
    from: t.Array(idInputShape, { minItems: 1, maxItems: MOST_MERGED, description: "Who becomes it." }),
    data: optional(
      t.Union(RULES.map((rule) => t.Literal(rule))),
      "`keep` (the default): the values of `into`, and what it lacks from the others, in their order. `newest`: those of the contact that was changed last.",
    ),
    values: optional(
      t.Record(t.String({ maxLength: 255 }), idInputShape, { maxProperties: 1000 }),
      "By key of the data: the id of the contact whose value counts.",
    ),
  },
  { examples: [{ into: example, from: ["0199a3b4-0000-7000-8000-000000000001"], data: "keep" }] },
);
type Input = typeof input.static;

export function mergeRoutes(access: Access, catchUp: CatchUp) {
  const { store } = access;
  return routes(access, [
    route(
      "POST",
      "/contacts/merge",
      {
        name: "mergeContacts",
        summary: "Make several contacts one",
        answers: { 200: mergeShape },
        permission: "people.bulk",
        body: input,
        refuses: ["CONTACT_NOT_FOUND", "CONFLICT"],
        description:
          "Everything of `from` goes to `into`: emails, events, segments, workflows, consent, former addresses. A long history takes a few more seconds. " +
          "Consent is strict: `into` stays subscribed only if all are, and the later pause counts, and who has left a topic as one of them has left it. It can be undone for seven days.",
      },
      async ({ body, caller, request, set }) => {
        const asked = askedIn(body);
        // Events emitted before are then about the contact that stays.
        await catchUp(caller.workspace);
        const about = ({ into, from }: typeof mergeShape.static) => [into, ...from].map(({ id }) => id);
        return answerOnce(store, { body, caller, request, set, about }, (tx) => merge(tx, caller, asked), 200);
      },
    ),
    page(
      "/contacts/merges",
      {
        name: "listMerges",
        summary: "List the merges that can be undone, newest first",
        answers: { 200: pageShapeOf(mergeShape) },
        permission: "read",
        query: t.Object({ ...pageShape, contactId: parameter(idInputShape, "Only those into this contact.") }),
        refuses: ["CONTACT_NOT_FOUND"],
      },
      async (reader, { query, caller: { workspace } }) => {
        const { contactId } = query;
        const contact = contactId === undefined ? null : (await findContact(reader, workspace, contactId)).seq;
        return {
          total: () => queries.countMerges(reader, workspace, contact),
          items: async (...piece) =>
            recordsOf(reader, await queries.mergesPage(reader, { workspace, contact }, ...piece)),
        };
      },
    ),
    post(
      "/contacts/merges/:id/undo",
      {
        name: "undoMerge",
        summary: "Undo a merge",
        answers: { 200: mergeShape },
        permission: "people.bulk",
        refuses: ["MERGE_NOT_FOUND", "CONFLICT"],
        description:
          "Within seven days: the contacts have their ids, addresses, data, consent and history again. What has happened since stays with `into`; who has unsubscribed since stays unsubscribed as both. " +
          "Email that was withdrawn and workflows that were cancelled by the merge stay so. CONFLICT if another contact has one of the addresses by now.",
      },
      async (tx, { params, caller }) => {
        const merge = await undoMerge(tx, caller.workspace, params.id, { cause: causeOf(caller) });
        return (await recordsOf(tx, [merge]))[0];
      },
    ),
  ]);
}

type MergeBody = { readonly ids: readonly [string, ...string[]]; readonly data: DataInput };

/** @throws AppError VALIDATION_ERROR */
function askedIn({ into, from, data, values }: Input): MergeBody {
  const ids = [into, ...from] as const;
  const faults: FieldError[] = from.flatMap((id, at) => {
    if (ids.indexOf(id) === at + 1) return [];
    const message = id === into ? "A contact cannot be merged into itself." : "It is named twice.";
    return { field: `from.${at}`, message, code: "duplicate" };
  });
  for (const [key, id] of Object.entries(values ?? {}))
    if (!ids.includes(id))
      faults.push({ field: `values.${key}`, message: "It is none of these contacts.", code: "unknown_contact" });
  if (faults.length > 0) throw invalidFields(faults);
  return { ids, data: { rule: data ?? "keep", values: values ?? {} } };
}

/** @throws AppError CONTACT_NOT_FOUND, and as mergeContacts */
async function merge(tx: Tx, caller: Caller, { ids, data }: MergeBody): Promise<typeof mergeShape.static> {
  const { workspace, by } = caller;
  const seqs: number[] = [];
  for (const id of ids) seqs.push((await findContact(tx, workspace, id)).seq);
  const contacts = await lockEach(tx, seqs);
  // Another transaction may have merged or erased one of them until now.
  for (const id of ids) if (!contacts.some((contact) => contact.id === id)) await findContact(tx, workspace, id);
  const seq = await mergeContacts(tx, { workspace, contacts, data, by, cause: causeOf(caller) });
  notifyChange(tx, "contacts", workspace);
  const made = await queries.mergeNumbered(tx, seq);
  return (await recordsOf(tx, made ? [made] : []))[0] as typeof mergeShape.static;
}

async function recordsOf(reader: Reader, merges: readonly queries.Merge[]): Promise<(typeof mergeShape.static)[]> {
  const formers = await queries.formersOf(
    reader,
    merges.map(({ seq }) => seq),
  );
  const contacts =
    merges.length === 0
      ? []
      : await contactsNumbered(
          reader,
          merges.map(({ contact }) => contact),
        );
  const bySeq = new Map(contacts.map((contact) => [contact.seq, contact]));
  return merges.flatMap((merge) => {
    const into = bySeq.get(merge.contact);
    return into?.email.includes("@") ? mergeRecord(merge, { into, from: formers.get(merge.seq) ?? [] }) : [];
  });
}
