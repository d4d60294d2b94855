// Suppressions: contacts that bounced or complained. One that is lifted subscribes nobody.
import { AppError, invalidField, invalidParameter } from "../../errors.ts";
import type { Contact } from "../../contacts/queries.ts";
import { listIn, objectIn, textIn } from "../fields.ts";
import type { Asked } from "../own-calls.ts";
import type { Call, CallDeps } from "./call.ts";
import { contactNamed, contactsIn } from "./contacts.ts";
import { listOf, pieceIn } from "./lists.ts";

const MOST = 100;

type Suppressed = Pick<Contact, "id" | "email" | "suppressed" | "updatedAt">;

function recordOf({ id, email, suppressed, updatedAt }: Suppressed) {
  return { id, email, origin: suppressed, source_id: null, created_at: updatedAt };
}

export function suppressionCalls(deps: CallDeps): readonly Call[] {
  const { ours, store } = deps;
  const found = async ({ caller }: Asked, name: string) => {
    const contact = await store.read((reader) => contactNamed(reader, caller, name));
    if (contact.suppressed === null)
      throw new AppError("CONTACT_NOT_FOUND", "The address is not suppressed: it has neither bounced nor complained.");
    return contact;
  };
  const lifted = async (asked: Asked, name: string) => {
    const { id } = await found(asked, name);
    await ours.also("updateContact", asked, { params: { id }, body: { suppressed: false } });
    return { object: "suppression", id, deleted: true };
  };
  return [
    {
      method: "GET",
      path: "/suppressions",
      own: "listContacts",
      work: async (asked) => {
        const piece = pieceIn(asked.request);
        if (new URL(asked.request.url).searchParams.has("origin"))
          throw invalidParameter("origin", "Posthorn lists bounces and complaints together.");
        const { contacts, hasMore } = await contactsIn(deps, asked, { status: "SUPPRESSED" }, piece);
        return listOf(contacts.map(recordOf), hasMore);
      },
    },
    {
      method: "GET",
      path: "/suppressions/:id",
      own: "getContact",
      work: async (asked) => ({ object: "suppression", ...recordOf(await found(asked, asked.params["id"] ?? "")) }),
    },
    {
      method: "DELETE",
      path: "/suppressions/:id",
      own: "updateContact",
      work: (asked) => lifted(asked, asked.params["id"] ?? ""),
    },
    ...["/suppressions", "/suppressions/batch/add"].map((path): Call => ({
      method: "POST",
      path,
      own: "updateContact",
      work: async () => {
        const why =
          "Posthorn suppresses an address when it bounces or complains, and in no other way. To stop marketing email to a contact, set unsubscribed.";
        throw invalidField("email", why, "unsupported");
      },
    })),
    {
      method: "POST",
      path: "/suppressions/batch/remove",
      own: "updateContact",
      work: async (asked) => {
        const { emails, ids } = objectIn("request", asked.body);
        const names = [...listIn("emails", emails), ...listIn("ids", ids)].map((one) => textIn("emails", one));
        if (names.length === 0 || names.length > MOST)
          throw invalidField("emails", `A batch has 1 to ${MOST} addresses or ids.`, "invalid");
        // All of them are looked at before one is lifted.
        for (const name of names) await found(asked, name);
        const data = [];
        for (const name of names) data.push(await lifted(asked, name));
        return { data };
      },
    },
  ];
}
