// Suppresses the addresses of contacts, as a bounce or a complaint does, and lifts that.
import { unsubscribe } from "../../src/audience/contacts/contact.ts";
import type { ReturnReason } from "../../src/audience/contacts/queries.ts";
import { suppress } from "../../src/audience/suppressions/suppression.ts";
import type { Posthorn } from "./posthorn.ts";

type Whom = { readonly seq: number; readonly workspace: number; readonly email: string };

/** `like`: of addresses. The subscription stays. */
export async function suppressContacts(posthorn: Posthorn, reason: ReturnReason, like = "%"): Promise<void> {
  await posthorn.store.write(async (tx) => {
    for (const {
      workspace,
      email,
    } of await tx.all<Whom>`select seq, workspace, email from contacts where email like ${like}`)
      await suppress(tx, workspace, { target: email, reason, scope: "all" });
  });
}

/** The contact is unsubscribed as well. */
export async function returned(posthorn: Posthorn, reason: ReturnReason, email: string): Promise<void> {
  await posthorn.store.write(async (tx) => {
    const one = await tx.get<Whom>`select seq, workspace, email from contacts where email = ${email}`;
    if (one) await unsubscribe(tx, one.workspace, one, { reason });
  });
}

/** Somebody has lifted all of them, by the API. */
export async function liftSuppressions(posthorn: Posthorn): Promise<void> {
  const { data } = (await posthorn.call("GET /suppressions")).body;
  for (const { id } of data) await posthorn.call(`DELETE /suppressions/${id}`);
}
