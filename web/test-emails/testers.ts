// The recipients of test emails: the signed-in user, unless others are chosen. Kept in this browser for each user and
// workspace.
import { preference, setPreference } from "../base/preferences.ts";
import { useMe, useMembership } from "../calls/session.ts";
import { signal, useSignal } from "../base/signal.ts";

type Testers = readonly string[];

const remembered = signal(readRemembered());

export function useTesters(): readonly [Testers, (testers: Testers) => void] {
  const { id, email } = useMe();
  const place = `${id} ${useMembership()?.id ?? ""}`;
  const all = useSignal(remembered);
  const remember = (testers: Testers) => {
    const { [place]: _, ...others } = all;
    const isOwn = testers.length === 1 && testers[0] === email;
    const next = isOwn ? others : { ...others, [place]: testers };
    remembered.set(next);
    setPreference("testers", JSON.stringify(next));
  };
  return [all[place] ?? [email], remember];
}

function readRemembered(): Readonly<Record<string, Testers>> {
  try {
    return JSON.parse(preference("testers") ?? "{}");
  } catch {
    return {};
  }
}
