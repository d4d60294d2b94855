// The SQL of people's topic choices.
import { loader } from "../../store/loads.ts";
import { changing } from "../../store/row-statement.ts";
import type { Tx } from "../../store/store.ts";
import type { TopicChoices } from "./queries.ts";

const CHOICES = changing("contacts", { seq: "bigint", topics: "text", now: "text" }, ({ seq, topics, now }) => ({
  set: `topics = ${topics}, updated_at = ${now}`,
  where: `contacts.seq = ${seq}`,
  returning: "contacts.seq",
}));

type ContactChoices = { readonly contact: number; readonly choices: TopicChoices };

export const setChoices: (tx: Tx, said: ContactChoices) => Promise<void> = loader<ContactChoices, void>({
  stage: "change",
  ask: async (tx, all) => {
    await tx.runEach(
      CHOICES,
      all.map(({ contact, choices }) => [contact, choicesText(choices), tx.now]),
    );
    return [];
  },
});

/** Null = no choices. */
function choicesText(choices: TopicChoices): string | null {
  return Object.keys(choices).length === 0 ? null : JSON.stringify(choices);
}
