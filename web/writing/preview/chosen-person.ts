// The person as whom the preview is shown, kept across screens. Null: nobody is chosen.
import { signal } from "../../signal.ts";
import type { Person } from "./people.ts";

export const chosenPerson = signal<Person | null>(null);
