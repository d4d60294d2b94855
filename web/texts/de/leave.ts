// Leaving a form with unsaved changes, in German.
import type { leave as english } from "../en/leave.ts";

export const leave: typeof english = {
  title: "Seite verlassen, ohne zu speichern?",
  text: "Ihre Änderungen auf dieser Seite sind noch nicht gespeichert.",
  leave: "Verlassen",
  stay: "Auf der Seite bleiben",
};
