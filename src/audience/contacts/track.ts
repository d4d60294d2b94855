// POST /v1/track: records an event of a contact for the caller.
import { AppError, invalidField, readAll } from "../../base/errors.ts";
import type { ConsentEvidence } from "../consent/consent.ts";
import { isReservedEvent } from "../../tenant/events/catalog.ts";
import { emit } from "../../tenant/events/emit.ts";
import { requiredAddress } from "../../http/body/address-field.ts";
import type { Tx } from "../../store/store.ts";
import { causeOf, type Caller } from "../../tenant/access/caller.ts";
import { readChoices, type ChoiceChanges } from "../topics/choice.ts";
import { readEventData, type Variables } from "./data.ts";
import { evidenceIn, type GivenConsent } from "../consent/evidence-shape.ts";
import { signUp, type ConfirmationMails, type SignUp } from "./sign-up/sign-up.ts";
import { voiceOf } from "./voices.ts";

type TrackRequest = {
  readonly email: string;
  readonly event: string;
  readonly subscribed?: boolean | null;
  readonly data?: Variables | null;
  readonly topics?: ChoiceChanges | null;
  readonly doubleOptIn?: boolean | null;
  readonly consent?: GivenConsent;
};

/** A reported event and its contact. */
export type TrackReport = SignUp & { readonly name: string; readonly data: Variables };

/**
 * @throws AppError FORBIDDEN for an event that a public key may not record, VALIDATION_ERROR for a reserved name
 * (`reserved_event`), an invalid address, or too much data
 */
export function reportOf(
  caller: Caller,
  tracked: TrackRequest,
  mails: ConfirmationMails,
  seen?: () => ConsentEvidence,
): TrackReport {
  refuseUnlisted(caller, tracked.event);
  const { email, name, data, topics, evidence } = readAll({
    email: () => requiredAddress("email", tracked.email),
    name: () => eventName(tracked.event),
    data: () => readEventData(tracked.data ?? {}),
    topics: () => readChoices(tracked.topics, caller.topics),
    evidence: () => evidenceIn(tracked.consent, caller, seen),
  });
  const input = {
    voice: voiceOf(caller, tracked.doubleOptIn === true),
    email,
    evidence,
    subscribed: tracked.subscribed ?? undefined,
    subscribedIfNew: true,
    data: data.stored,
    topics,
    cause: causeOf(caller),
  };
  return { workspace: caller.workspace, input, mails, name, data: data.flat };
}

/** Stores the contact and the event; answers their ids. @throws AppError as `signUp` */
export async function track(tx: Tx, report: TrackReport) {
  const { contact } = await signUp(tx, report);
  const { workspace, name, data } = report;
  return { contact: contact.id, event: await emit(tx, { workspace, name, contact: contact.seq, data }) };
}

/** Without this, a stranger could start a workflow that mails any content they send. */
function refuseUnlisted({ publicEvents }: Caller, event: string): void {
  if (publicEvents === null || publicEvents.includes(event)) return;
  throw new AppError("FORBIDDEN", `A public key of this workspace may not record ${event.slice(0, 255)}.`, {
    suggestion: "Use the secret key, or add the event to publicKeys.events: PATCH /workspace.",
  });
}

function eventName(name: string): string {
  if (!isReservedEvent(name)) return name;
  throw invalidField("event", `${name} is emitted by the system and cannot be tracked.`, "reserved_event");
}
