// Forms with changes that are not saved: who leaves is asked first.

/** Each answers whether its person lets it go. */
export const unsaved = new Set<() => Promise<boolean>>();

/** Asks for each form that holds changes; without one, leaving is free. */
export async function mayLeave(): Promise<boolean> {
  // The router navigates within a transition of React's, which shows nothing before the navigation is over.
  await null;
  for (const ask of [...unsaved]) if (!(await ask())) return false;
  return true;
}
