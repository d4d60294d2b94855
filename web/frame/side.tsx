// The side: the workspace, find or do, the names, who is signed in. Below 900 px the dock takes its place.
import { Link } from "@tanstack/react-router";
import { useTexts } from "../language.ts";
import { MOD } from "../keyboard.ts";
import { Icon } from "../parts/icon.tsx";
import { Keys } from "../parts/layout.tsx";
import { frameTexts } from "../texts/frame.ts";
import { paletteIsOpen } from "../palette/open.ts";
import { PLACES, type Place } from "./places.ts";
import { Who } from "./who.tsx";
import { WorkspaceSwitch } from "./workspace-switch.tsx";

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
    <Link className="go" to={to} activeOptions={{ exact: to === "/" }}>
      <Icon name={icon} />
      {t.places[name]}
    </Link>
  );
}

/** On a phone: four names, and a menu of the rest. */
export function Dock() {
  const t = useTexts(frameTexts);
  return (
    <nav className="dock" aria-label={t.navigation}>
      {PLACES.slice(0, 4).map(({ name, to, icon }) => (
        <Link key={name} to={to} activeOptions={{ exact: to === "/" }}>
          <Icon name={icon} />
          {t.places[name]}
        </Link>
      ))}
      <button type="button" onClick={() => paletteIsOpen.set(true)}>
        <Icon name="more" />
        {t.more}
      </button>
    </nav>
  );
}
