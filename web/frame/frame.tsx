// The frame around every screen of a signed-in user.
import { Link, Outlet, useRouter } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { screenCall, currentLink } from "../calls/screen-call.ts";
import { workspaceId } from "../calls/api.ts";
import { useKey } from "../base/keyboard.ts";
import { useTexts } from "../base/language.ts";
import { loadChunk } from "../base/load-chunk.ts";
import { useLive } from "../calls/live.ts";
import type { IconName } from "../parts/icons/icon.tsx";
import { Banner } from "../parts/banner.tsx";
import { Empty } from "../parts/layout.tsx";
import { copyText } from "../base/clipboard.ts";
import { showToast, showWarning } from "../parts/overlays/toast.tsx";
import { useMe, useMembership } from "../calls/session.ts";
import { useSignal } from "../base/signal.ts";
import { frameTexts } from "../texts/areas.ts";
import { useCommands, paletteIsOpen } from "../commands.ts";
import { announced } from "../parts/arrival.ts";
import { SavingChoice } from "../saving/choice.tsx";
import { ProofDialog } from "./sign-in/proof.tsx";
import { BottomNav, Sidebar } from "./sidebar.tsx";
import { useUserEntries } from "./user-menu.tsx";
import { lazyPart, nothing } from "../chunks.tsx";
import { SignInAgain } from "./sign-in/sign-in-again.tsx";
import { LoadingBar } from "./loading-bar.tsx";
import { LoadingScreen } from "./loading-screen.tsx";

const Palette = lazyPart(() => import("./palette/palette.tsx"), "Palette", nothing);
const FactorFirst = lazyPart(() => import("./sign-in/factor-first.tsx"), "FactorFirst", nothing);
const Notices = lazyPart(() => import("./later.ts"), "Notices", nothing);
/** The palette is preloaded this long after the page: loaded on ⌘K, it would miss the letters typed right after. */
const PALETTE_AFTER_MS = 2_000;

/** While a second factor is due, only its set-up opens. It stays until it is closed: it shows recovery codes. */
export function Frame() {
  const { secondFactorDueAt } = useMe();
  const [isFirst, setFirst] = useState(false);
  const isDue = secondFactorDueAt !== null && Date.parse(secondFactorDueAt) <= Date.now();
  if (isDue && !isFirst) setFirst(true);
  return isDue || isFirst ? (
    <Suspense fallback={<LoadingScreen />}>
      <FactorFirst done={() => setFirst(false)} />
    </Suspense>
  ) : (
    <WholeFrame />
  );
}

function WholeFrame() {
  const t = useTexts(frameTexts);
  const membership = useMembership();
  useLive(membership?.id);
  useCopying();
  useFrameCommands();
  useNewKey();
  useKey("mod+k", () => paletteIsOpen.set(!paletteIsOpen.get()));
  const isOpen = useSignal(paletteIsOpen);
  useEffect(() => {
    const timer = setTimeout(Palette.preload, PALETTE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {t.skip}
      </a>
      <Sidebar />
      <LoadingBar />
      <main id="main" tabIndex={-1} key={membership?.id}>
        <Suspense>
          <Notices />
        </Suspense>
        <Announcement />
        {membership?.disabled && (
          <Banner tone="warn">
            <b>{t.disabled.title}</b> {t.disabled.text}{" "}
            {membership.role === "OWNER" && <Link to="/settings/server">{t.disabled.enable}</Link>}
          </Banner>
        )}
        <Suspense fallback={<LoadingScreen />}>{membership ? <Outlet /> : <NoWorkspace />}</Suspense>
      </main>
      <BottomNav />
      <Suspense>{isOpen && <Palette />}</Suspense>
      <SavingChoice />
      <ProofDialog />
      <SignInAgain />
    </div>
  );
}

/** The path that opens a new record, by the first segment of a screen's path. */
const NEW: Readonly<Record<string, string>> = {
  people: "/people?make=true",
  segments: "/segments/new",
  topics: "/topics?make=true",
  forms: "/forms?make=true",
  suppressions: "/suppressions?open=add",
  campaigns: "/campaigns?make=true",
  templates: "/templates?make=true",
  workflows: "/workflows?make=true",
};

/** The key N opens a new record, on a list and on each of its records. */
function useNewKey(): void {
  const { history } = useRouter();
  useKey("n", () => {
    const to = NEW[history.location.pathname.split("/")[2] ?? ""];
    if (to !== undefined) history.push(`/app${to}`);
  });
}

/** The palette's icons for entries that have a tick or no icon in the menu. */
const ICON_OF: Readonly<Record<string, IconName>> = { system: "half", light: "sun", dark: "moon" };

/** Sign out, colours and language are palette commands too. */
function useFrameCommands(): void {
  const entries = useUserEntries();
  useCommands(
    entries.flatMap((entry) => {
      if (entry === "line" || entry.chosen === true) return [];
      const { id, name, icon = ICON_OF[id] ?? "globe", run } = entry;
      return [{ id, name, icon, run }];
    }),
    "last",
  );
}

function NoWorkspace() {
  const { noWorkspace } = useTexts(frameTexts);
  return (
    <div className="page">
      <Empty whole title={noWorkspace.title}>
        {noWorkspace.text}
      </Empty>
    </div>
  );
}

/** Copies the link and the API call of any screen. */
export function useCopying(): void {
  const t = useTexts(frameTexts);
  const call = useSignal(screenCall);
  const copy = async (text: string, done: string) =>
    (await copyText(text)) ? showToast(done) : showWarning(t.notCopied);
  const copyLink = () => void copy(currentLink(workspaceId.get()), t.linkCopied);
  const copyCall = async () => {
    const { curlOf } = await loadChunk(() => import("../calls/curl.ts"));
    if (call) await copy(curlOf(call), call.person ? t.personCallCopied : t.callCopied);
  };
  useKey("mod+shift+c", copyCall);
  useCommands(
    [
      { id: "copy link", name: t.copyLink, icon: "link", run: copyLink },
      ...(call ? [{ id: "copy call", name: t.copyCall, icon: "code" as const, run: copyCall }] : []),
    ],
    "last",
  );
}

function Announcement() {
  return (
    <span className="hidden-text" role="status">
      {useSignal(announced)}
    </span>
  );
}
