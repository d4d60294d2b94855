// The person of the preview, kept across the screens of a workspace. Null: no person is chosen.
import { useMembership } from "../../calls/session.ts";
import { signal, useSignal } from "../../base/signal.ts";
import type { Person } from "./people.ts";

const chosen = signal<{ readonly person: Person | null; readonly workspace: string | undefined } | null>(null);

export function useChosenPerson(): readonly [Person | null, (person: Person | null) => void] {
  const workspace = useMembership()?.id;
  const found = useSignal(chosen);
  return [
    found?.workspace === workspace ? (found?.person ?? null) : null,
    (person) => chosen.set({ person, workspace }),
  ];
}
