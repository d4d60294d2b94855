// A note as the interface takes and shows it.
import { t } from "elysia";
import { idShape, nullable, timeShape } from "../../http/answer-shapes.ts";
import { idInputShape } from "../../http/schemas.ts";
import type { Note } from "./queries.ts";

export const noteInputShape = t.Object(
  {
    to: { ...idInputShape, description: "The member it is for." },
    text: t.String({ minLength: 1, maxLength: 2000, pattern: "\\S" }),
  },
  { examples: [{ to: "0199a3b4-0000-7000-8000-000000000000", text: "She asks for her old address to be erased." }] },
);
export type NoteInput = typeof noteInputShape.static;

export const noteMarkShape = t.Object(
  { done: t.Boolean({ description: "Whether what it asks for is done." }) },
  { examples: [{ done: true }] },
);

export const noteShape = t.Object(
  {
    id: idShape,
    contactId: idShape,
    from: t.Object({
      id: nullable(t.String({ description: "Of the user, or of the API key." })),
      name: nullable(t.String({ description: "As it was." })),
    }),
    to: t.Object({ id: idShape, name: t.String({ description: "As it was." }) }),
    text: t.String(),
    doneAt: { ...nullable(timeShape), description: "null = it is open." },
    doneBy: nullable(t.String({ description: "The name of who marked it as done." })),
    createdAt: timeShape,
  },
  { title: "Note" },
);

/** As the overview lists it. */
export const noteForYou = t.Object(
  {
    kind: t.Literal("NOTE"),
    noteId: idShape,
    contactId: idShape,
    email: t.String(),
    from: { ...nullable(t.String()), description: "The name of who wrote it." },
    text: t.String({ description: "Its first 200 characters." }),
    since: timeShape,
  },
  { title: "NoteForYou", description: "A colleague wrote it about a contact, for the person who is signed in." },
);

export function noteRecord(contactId: string, note: Note): typeof noteShape.static {
  const { id, author, authorName, addressee, addresseeName, text, doneAt, doneBy, createdAt } = note;
  return {
    ...{ id, contactId, from: { id: author, name: authorName }, to: { id: addressee, name: addresseeName } },
    ...{ text, doneAt, doneBy, createdAt },
  };
}
