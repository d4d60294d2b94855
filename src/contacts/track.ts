// POST /v1/track: an event of a contact, reported by the caller.
import { invalidField, readAll } from "../errors.ts";
import { isReservedEvent } from "../events/catalog.ts";
import { emit } from "../events/emit.ts";
import { requiredAddress } from "../http/address-field.ts";
import type { Tx } from "../store/store.ts";
import type { Caller } from "../workspaces/caller.ts";
import { readEventData, type Variables } from "./data.ts";
import type { SignUpGuard } from "./sign-up/limits.ts";
import { signUp } from "./sign-up/sign-up.ts";

type Tracked = {
  readonly email: string;
  readonly event: string;
  readonly subscribed?: boolean | null;
  readonly data?: Variables | null;
  readonly doubleOptIn?: boolean | null;
};

/**
 * Stores the contact and the event.
 * @throws AppError VALIDATION_ERROR for a reserved name (`reserved_event`), an invalid address, or too much data;
 * RATE_LIMIT_EXCEEDED for too many sign-ups with a public key
 */
export async function track(
  tx: Tx,
  caller: Caller,
  tracked: Tracked,
  guard: SignUpGuard,
): Promise<{ contact: string; event: string }> {
  const { email, name, data } = readAll({
    email: () => requiredAddress("email", tracked.email),
    name: () => eventName(tracked.event),
    data: () => readEventData(tracked.data ?? {}),
  });
  const input = {
    email,
    subscribed: tracked.subscribed ?? undefined,
    subscribedIfNew: true,
    data: data.stored,
    mayLiftSuppression: caller.kind !== "public",
    mayUpdate: caller.mayUpdate,
    mayUnsubscribe: caller.mayUnsubscribe,
    onlyInPerson: caller.kind === "public" && caller.doubleOptIn,
    doubleOptIn: caller.doubleOptIn || tracked.doubleOptIn === true,
  };
  const { contact, isNew } = await signUp(tx, caller.workspace, input, guard);
  if (isNew) guard.admitNew();
  const event = await emit(tx, { workspace: caller.workspace, name, contact: contact.seq, data: data.flat });
  return { contact: contact.id, event };
}

function eventName(name: string): string {
  if (!isReservedEvent(name)) return name;
  throw invalidField("event", `${name} is emitted by the system and cannot be tracked.`, "reserved_event");
}
