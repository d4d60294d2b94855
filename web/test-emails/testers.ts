// To whom test emails go: the signed-in user, until others are chosen. Remembered in this browser for each workspace.
import { preference, setPreference } from "../preferences.ts";
import { useMe, useMembership } from "../session.ts";
import { signal, useSignal } from "../signal.ts";

type Testers = readonly string[];

const remembered = signal(readRemembered());

export function useTesters(): readonly [Testers, (testers: Testers) => void] {
  const { email } = useMe();
  const workspace = useMembership()?.id ?? "";
  const all = useSignal(remembered);
  const remember = (testers: Testers) => {
    const next = { ...all, [workspace]: testers };
    remembered.set(next);
    setPreference("testers", JSON.stringify(next));
  };
  return [all[workspace] ?? [email], remember];
}

function readRemembered(): Readonly<Record<string, Testers>> {
  try {
    return JSON.parse(preference("testers") ?? "{}");
  } catch {
    return {};
  }
}
