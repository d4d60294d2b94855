// The frame round every screen of somebody who is signed in.
import { Link, Outlet, useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { onlineManager } from "@tanstack/react-query";
import { shownCall, linkHere } from "../shown-call.ts";
import { calledWorkspace } from "../api.ts";
import { useKey } from "../keyboard.ts";
import { useTexts } from "../language.ts";
import { useLive } from "../live.ts";
import { paletteIsOpen } from "../palette/open.ts";
import type { IconName } from "../parts/icon.tsx";
import { Banner } from "../parts/banner.tsx";
import { Empty } from "../parts/layout.tsx";
import { copyText } from "../clipboard.ts";
import { showToast } from "../parts/toast.tsx";
import { signedOut, serverIsAway } from "../queries.ts";
import { useMembership } from "../session.ts";
import { useSignal } from "../signal.ts";
import { frameTexts } from "../texts/areas.ts";
import { useVerbs } from "../verbs.ts";
import { ProofDialog } from "./proof.tsx";
import { Dock, Side } from "./side.tsx";
import { useOwnEntries } from "./who.tsx";

const loadPalette = () => import("../palette/palette.tsx");
const Palette = lazy(() => loadPalette().then(({ Palette }) => ({ default: Palette })));
/** By then the page is there; letters typed right after ⌘K are kept. */
const PALETTE_AFTER_MS = 2_000;

export function Frame() {
  const t = useTexts(frameTexts);
  const membership = useMembership();
  useLive(membership?.id);
  useCopying();
  useSignedOut();
  useOwnVerbs();
  useKey("mod+k", () => paletteIsOpen.set(!paletteIsOpen.get()));
  const isOpen = useSignal(paletteIsOpen);
  useEffect(() => {
    const timer = setTimeout(loadPalette, PALETTE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {t.skip}
      </a>
      <Side />
      <main id="main" tabIndex={-1} key={membership?.id}>
        <Offline />
        {membership?.disabled && (
          <Banner tone="warn">
            <b>{t.disabled.title}</b> {t.disabled.text}{" "}
            {membership.role === "OWNER" && <Link to="/set-up/server">{t.disabled.enable}</Link>}
          </Banner>
        )}
        <Suspense>{membership ? <Outlet /> : <Homeless />}</Suspense>
      </main>
      <Dock />
      <Suspense>{isOpen && <Palette />}</Suspense>
      <ProofDialog />
    </div>
  );
}

/** In the menu these have a tick or nothing; the rest there are languages. */
const ICON_OF: Readonly<Record<string, IconName>> = { system: "half", light: "sun", dark: "moon" };

/** The palette, too, signs out and changes colours and language. */
function useOwnVerbs(): void {
  const entries = useOwnEntries();
  useVerbs(
    entries.flatMap((entry) => {
      if (entry === "line" || entry.chosen === true) return [];
      const { id, name, icon = ICON_OF[id] ?? "globe", run } = entry;
      return [{ id, name, icon, run }];
    }),
    "last",
  );
}

function Homeless() {
  const { noWorkspace } = useTexts(frameTexts);
  return (
    <div className="page">
      <Empty whole title={noWorkspace.title}>
        {noWorkspace.text}
      </Empty>
    </div>
  );
}

/** On every screen: its link, and what it shows as a call. */
export function useCopying(): void {
  const t = useTexts(frameTexts);
  const call = useSignal(shownCall);
  const copy = async (text: string, done: string) => showToast((await copyText(text)) ? done : t.notCopied);
  const copyLink = () => void copy(linkHere(calledWorkspace.get()), t.linkCopied);
  const copyCall = async () => {
    const { curlOf } = await import("../calls.ts");
    if (call) await copy(curlOf(call), call.person ? t.personCallCopied : t.callCopied);
  };
  useKey("mod+shift+c", copyCall);
  useVerbs(
    [
      { id: "copy link", name: t.copyLink, icon: "link", run: copyLink },
      ...(call ? [{ id: "copy call", name: t.copyCall, icon: "code" as const, run: copyCall }] : []),
    ],
    "last",
  );
}

/** A session that has ended leads to the way in, and back here. */
function useSignedOut(): void {
  const router = useRouter();
  const times = useSignal(signedOut);
  useEffect(() => {
    if (times === 0) return;
    signedOut.set(0);
    void router.navigate({ to: "/sign-in", search: { next: router.state.location.href } });
  }, [times, router]);
}

const watch = (listener: () => void) => onlineManager.subscribe(listener);

/** Says that what is on the screen may be old: the browser is offline, or the server does not answer. */
function Offline() {
  const t = useTexts(frameTexts);
  const isOnline = useSyncExternalStore(watch, () => onlineManager.isOnline());
  const isAway = useSignal(serverIsAway);
  if (isOnline && !isAway) return null;
  return (
    <Banner tone="warn" role="status">
      {isOnline ? t.serverAway : t.offline}
    </Banner>
  );
}
