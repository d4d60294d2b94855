// The side: the workspace, find or do, the names, who is signed in. Below 900 px the dock takes its place.
import { Link, useRouter } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useTexts } from "../language.ts";
import { MOD } from "../keyboard.ts";
import { Icon, Horn } from "../parts/icon.tsx";
import { Keys } from "../parts/layout.tsx";
import { LazyMenu } from "../parts/lazy-menu.tsx";
import type { MenuEntry } from "../parts/menu.tsx";
import { frameTexts } from "../texts/areas.ts";
import { paletteIsOpen } from "../palette/open.ts";
import { PLACES, type Place } from "./places.ts";
import { useOwnEntries, Who } from "./who.tsx";
import { chooseWorkspace, useMe, useMembership } from "../session.ts";

const NeedsBadge = lazy(() => import("../overview/badge.tsx").then(({ NeedsBadge }) => ({ default: NeedsBadge })));

export function Side() {
  const t = useTexts(frameTexts);
  const names = PLACES.filter(({ name }) => name !== "setUp");
  const setUp = PLACES.filter(({ name }) => name === "setUp");
  return (
    <nav className="side" aria-label={t.navigation}>
      <WorkspaceSwitch />
      <button
        type="button"
        className="find"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={() => paletteIsOpen.set(true)}
      >
        <Icon name="search" />
        {t.findOrDo}
        <Keys keys={[MOD, "K"]} />
      </button>
      {names.map((place) => (
        <Go key={place.name} {...place} />
      ))}
      {setUp.length > 0 && <div className="sep" />}
      {setUp.map((place) => (
        <Go key={place.name} {...place} />
      ))}
      <div className="gap" />
      <Who />
    </nav>
  );
}

function Go({ name, to, icon }: Place) {
  const t = useTexts(frameTexts);
  return (
    <Link className="go" to={to} activeOptions={{ exact: to === "/", includeSearch: false }}>
      <Icon name={icon} />
      {t.places[name]}
      {name === "overview" && (
        <Suspense>
          <NeedsBadge />
        </Suspense>
      )}
    </Link>
  );
}

/** What has no place at the bottom of a phone. */
function useRest(): readonly MenuEntry[] {
  const t = useTexts(frameTexts);
  const router = useRouter();
  const find = { id: "find", name: t.findOrDo, icon: "search", run: () => paletteIsOpen.set(true) } as const;
  const places = PLACES.slice(IN_DOCK).map(({ name, to, icon }) => ({
    id: name,
    name: t.places[name],
    icon,
    run: () => void router.navigate({ to }),
  }));
  return [find, ...places, "line", ...useOwnEntries()];
}

const IN_DOCK = 4;

/** On a phone: four names, and a menu of the rest. */
export function Dock() {
  const t = useTexts(frameTexts);
  return (
    <nav className="dock" aria-label={t.navigation}>
      {PLACES.slice(0, IN_DOCK).map(({ name, to, icon }) => (
        <Link key={name} to={to} activeOptions={{ exact: to === "/", includeSearch: false }}>
          <Icon name={icon} />
          {t.places[name]}
        </Link>
      ))}
      <LazyMenu className="more" label={t.more} entries={useRest()}>
        <Icon name="more" />
        {t.more}
      </LazyMenu>
    </nav>
  );
}

/** The workspace whose mail is shown; a menu where there are several, and for owners, who make new ones. */
function WorkspaceSwitch() {
  const t = useTexts(frameTexts);
  const { workspaces, owner } = useMe();
  const membership = useMembership();
  const router = useRouter();
  const shown = (
    <>
      <Horn />
      <span className="cut">{membership?.name ?? "Posthorn"}</span>
    </>
  );
  if (workspaces.length < 2 && !owner) return <div className="ws">{shown}</div>;
  const choose = async (id: string) => {
    const { mayLeave } = await import("../unsaved.ts");
    if (!(await mayLeave())) return;
    chooseWorkspace(id);
    await router.navigate({ to: "/" });
    await router.invalidate();
  };
  const make = () => void router.navigate({ to: "/set-up/server", search: { new: true } });
  const entries: MenuEntry[] = workspaces.map(({ id, name, role }) => ({
    id,
    name,
    note: t.roles[role],
    chosen: id === membership?.id,
    run: () => void choose(id),
  }));
  if (owner) entries.push("line", { id: "new", name: t.newWorkspace, run: make });
  return (
    <LazyMenu className="ws" label={t.switchWorkspace} entries={entries}>
      {shown}
      <Icon name="updown" />
    </LazyMenu>
  );
}
