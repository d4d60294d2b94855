// The side: the workspace, find or do, the names, who is signed in. Below 900 px the dock takes its place.
import { Link, useRouter } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useTexts } from "../language.ts";
import { MOD } from "../keyboard.ts";
import { Icon } from "../parts/icon.tsx";
import { Keys } from "../parts/layout.tsx";
import { LazyMenu } from "../parts/lazy-menu.tsx";
import type { MenuEntry } from "../parts/menu.tsx";
import { frameTexts } from "../texts/areas.ts";
import { paletteIsOpen } from "../palette/open.ts";
import { PLACES, type Place } from "./places.ts";
import { useOwnEntries, Who } from "./who.tsx";
import { WorkspaceSwitch } from "./workspace-switch.tsx";

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
