// Forms with unsaved changes, which are asked before the page is left.

/** Each resolves to whether the user discards its changes. */
export const unsavedForms = new Set<() => Promise<boolean>>();

let isLeaving = false;

/** The user has discarded what is unsaved: the browser need not ask as well. */
export function leaveAtOnce(): void {
  isLeaving = true;
}

export const mustAsk = (): boolean => !isLeaving;

/** Asks every form with unsaved changes. */
export async function canLeave(): Promise<boolean> {
  // The router navigates within a transition of React's, which shows nothing before the navigation is over.
  await null;
  for (const ask of [...unsavedForms]) if (!(await ask())) return false;
  return true;
}
