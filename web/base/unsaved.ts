// Forms with unsaved changes; each must agree before the page is left.

/** Each asks the user and resolves to true if the page may be left. */
export const unsavedForms = new Set<() => Promise<boolean>>();

let isLeaving = false;

/** The user has decided to leave: the browser does not ask again. */
export function leaveAtOnce(): void {
  isLeaving = true;
}

export const mustAsk = (): boolean => !isLeaving;

/** Asks every form with unsaved changes. */
export async function canLeave(): Promise<boolean> {
  // Leaves the router's transition: React would not show the question before the transition has ended.
  await null;
  for (const ask of [...unsavedForms]) if (!(await ask())) return false;
  return true;
}
