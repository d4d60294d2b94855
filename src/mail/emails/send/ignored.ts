// The audit entry of a key that sent an email past a suppression.
import type { Access } from "../../../tenant/access/auth.ts";
import type { PersonAction } from "../../../tenant/access/person.ts";
import type { Tx } from "../../../store/store.ts";

export function notingIgnored(access: Access, call: Pick<PersonAction, "caller" | "request" | "requestId">) {
  const act = { ...call, action: "ignoreSuppression", answer: null, body: null, targetName: null };
  return (tx: Tx): Promise<void> => access.people.note(tx, act);
}
