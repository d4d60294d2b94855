// The user menu: account, language, colours and sign-out.
import { useRouter } from "@tanstack/react-router";
import { call, userId } from "../calls/api.ts";
import { chooseLanguage, LANGUAGES, useLanguage, useTexts, type Language } from "../base/language.ts";
import { Avatar } from "../parts/avatar.tsx";
import type { MenuLine } from "../parts/overlays/menu.tsx";
import { LazyMenu } from "../parts/overlays/lazy-menu.tsx";
import { showFault } from "../parts/overlays/toast.tsx";
import { queries } from "../calls/queries.ts";
import { useMe } from "../calls/session.ts";
import { useSignal } from "../base/signal.ts";
import { frameTexts } from "../texts/areas.ts";
import { chooseScheme, scheme, type Scheme } from "../base/scheme.ts";

export function UserMenu() {
  const { name } = useMe();
  return (
    <LazyMenu className="who" label={name} entries={useUserEntries()}>
      <Avatar name={name} />
      <span className="cut">{name}</span>
    </LazyMenu>
  );
}

const SCHEMES: readonly Scheme[] = ["system", "light", "dark"];

export function useUserEntries(): readonly MenuLine[] {
  const t = useTexts(frameTexts);
  const language = useLanguage();
  const chosenScheme = useSignal(scheme);
  const signOut = useSignOut();
  const router = useRouter();
  return [
    { id: "me", name: t.me, icon: "user", run: () => void router.navigate({ to: "/me" }) },
    "line",
    ...SCHEMES.map((one) => ({
      id: one,
      name: t.schemes[one],
      chosen: one === chosenScheme,
      run: () => chooseScheme(one),
    })),
    "line",
    ...(Object.keys(LANGUAGES) as Language[]).map((one) => ({
      id: one,
      name: LANGUAGES[one],
      chosen: one === language,
      run: () => void chooseLanguage(one),
    })),
    "line",
    { id: "out", name: t.signOut, icon: "out", run: () => void signOut() },
  ];
}

export function useSignOut(): () => Promise<void> {
  const router = useRouter();
  return async () => {
    await call("DELETE /session").catch(showFault);
    userId.set(null);
    queries.clear();
    await router.navigate({ to: "/sign-in" });
  };
}
