// The event by which a form starts workflows.
import { call } from "../calls/api.ts";
import { changed, type SignUpForm } from "./calls.ts";

type EventForm = Pick<SignUpForm, "id" | "key" | "event" | "updatedAt">;

/** The name of the event that the form records. A form without one is given one. */
export async function eventOf({ id, key, event, updatedAt }: EventForm): Promise<string> {
  if (event !== null) return event;
  const own = `signup.${key}`;
  await call("PATCH /forms/{id}", { id, body: { event: own, ifUpdatedAt: updatedAt } });
  changed();
  return own;
}
