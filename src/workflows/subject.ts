// Whom and what an execution is about: the contact as it is now, and the event.
import type { Variables } from "../contacts/data.ts";
import type { ContactSeen } from "./execution-queries.ts";

export type Subject = {
  readonly contact: {
    readonly id: string;
    readonly email: string;
    readonly subscribed: boolean;
    readonly status: string;
    readonly createdAt: string;
    readonly updatedAt: string;
    readonly data: Variables;
  };
  /** The data of what started the execution, and of what it has waited for. */
  readonly event: Variables;
};

export function subjectOf(contact: ContactSeen, event: Variables): Subject {
  return {
    contact: {
      id: contact.id,
      email: contact.email,
      subscribed: contact.subscribed === 1,
      status: contact.status,
      createdAt: contact.created_at,
      updatedAt: contact.updated_at,
      data: JSON.parse(contact.data) as Variables,
    },
    event,
  };
}
