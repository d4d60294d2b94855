// The sidebar: workspace, search, navigation and user menu. Below 900 px a bottom bar replaces it.
import { Link, useRouter } from "@tanstack/react-router";
import { Suspense } from "react";
import { useTexts } from "../base/language.ts";
import { loadChunk } from "../base/load-chunk.ts";
import { MOD } from "../base/keyboard.ts";
import { Icon, Horn } from "../parts/icons/icon.tsx";
import { KeyHints } from "../parts/layout.tsx";
import { LazyMenu } from "../parts/overlays/lazy-menu.tsx";
import type { MenuEntry } from "../parts/overlays/menu.tsx";
import { frameTexts } from "../texts/areas.ts";
import { paletteIsOpen } from "../commands.ts";
import { NAV_GROUPS, NAV_ITEMS, type NavGroup, type NavItem } from "./nav-items.ts";
import { useUserEntries, UserMenu } from "./user-menu.tsx";
import { chooseWorkspace, useMe, useMembership } from "../calls/session.ts";
import { lazyPart, nothing } from "../chunks.tsx";

const AttentionBadge = lazyPart(() => import("./later.ts"), "AttentionBadge", nothing);

export function Sidebar() {
  const t = useTexts(frameTexts);
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
        <span>{t.search}</span>
        <KeyHints keys={[MOD, "K"]} />
      </button>
      {NAV_GROUPS.map((group, at) => (
        <Places key={at} {...group} />
      ))}
      <div className="gap" />
      <UserMenu />
    </nav>
  );
}

function Places({ name, items }: NavGroup) {
  const t = useTexts(frameTexts);
  const links = items.map((place) => <NavLink key={place.name} {...place} />);
  if (name === null) return <div className="places">{links}</div>;
  return (
    <div className="places" role="group" aria-label={t.groups[name]}>
      <div className="group" aria-hidden>
        {t.groups[name]}
      </div>
      {links}
    </div>
  );
}

function NavLink({ name, to, icon }: NavItem) {
  const t = useTexts(frameTexts);
  return (
    <Link className="go" to={to} activeOptions={{ exact: to === "/", includeSearch: false }}>
      <Icon name={icon} />
      {t.places[name]}
      {name === "overview" && (
        <Suspense>
          <AttentionBadge />
        </Suspense>
      )}
    </Link>
  );
}

/** The menu entries that do not fit into the bottom bar. */
function useMoreEntries(): readonly MenuEntry[] {
  const t = useTexts(frameTexts);
  const router = useRouter();
  const find = { id: "find", name: t.findOrDo, icon: "search", run: () => paletteIsOpen.set(true) } as const;
  const places = NAV_GROUPS.flatMap(({ name: group, items }): readonly MenuEntry[] => {
    const entries = items
      .filter((item) => !isInBottomNav(item))
      .map(({ name, to, icon }) => ({
        id: name,
        name: t.places[name],
        icon,
        run: () => void router.navigate({ to }),
      }));
    if (entries.length === 0) return [];
    return ["line", ...(group === null ? entries : [{ heading: t.groups[group], entries }])];
  });
  return [find, ...places, "line", ...useUserEntries()];
}

const IN_BOTTOM_NAV: readonly NavItem["name"][] = ["overview", "mail", "people", "campaigns"];
const isInBottomNav = ({ name }: NavItem) => IN_BOTTOM_NAV.includes(name);

/** On phones: four items, and a menu of the rest. */
export function BottomNav() {
  const t = useTexts(frameTexts);
  return (
    <nav className="dock" aria-label={t.navigation}>
      {NAV_ITEMS.filter(isInBottomNav).map(({ name, to, icon }) => (
        <Link key={name} to={to} activeOptions={{ exact: to === "/", includeSearch: false }}>
          <Icon name={icon} />
          {t.places[name]}
        </Link>
      ))}
      <LazyMenu className="more" label={t.more} entries={useMoreEntries()}>
        <Icon name="more" />
        {t.more}
      </LazyMenu>
    </nav>
  );
}

/** The current workspace; a menu if there are several, and for owners, who can create workspaces. */
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
    const { canLeave: mayLeave } = await loadChunk(() => import("../base/unsaved.ts"));
    if (!(await mayLeave())) return;
    chooseWorkspace(id);
    await router.navigate({ to: "/" });
    await router.invalidate();
  };
  const create = () => void router.navigate({ to: "/settings/server", search: { new: true } });
  const entries: MenuEntry[] = workspaces.map(({ id, name, role }) => ({
    id,
    name,
    note: t.roles[role],
    chosen: id === membership?.id,
    run: () => void choose(id),
  }));
  if (owner) entries.push("line", { id: "new", name: t.newWorkspace, run: create });
  return (
    <LazyMenu className="ws" label={t.switchWorkspace} entries={entries}>
      {shown}
      <Icon name="updown" />
    </LazyMenu>
  );
}
