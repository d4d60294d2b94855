// Forms with unsaved changes, which are asked before the page is left.

/** Each resolves to whether the user discards its changes. */
export const unsavedForms = new Set<() => Promise<boolean>>();

/** Asks every form with unsaved changes. */
export async function canLeave(): Promise<boolean> {
  // The router navigates within a transition of React's, which shows nothing before the navigation is over.
  await null;
  for (const ask of [...unsavedForms]) if (!(await ask())) return false;
  return true;
}
