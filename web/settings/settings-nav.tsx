// The settings tabs that the user may open: a column of groups, or a fold on narrow screens.
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { useTexts } from "../base/language.ts";
import { Icon } from "../parts/icons/icon.tsx";
import { useMembership } from "../calls/session.ts";
import { frameTexts, setUpTexts } from "../texts/areas.ts";
import { groupsFor, type TabGroup, type TabName } from "./tabs.ts";

export function SettingsNav({ tab }: { readonly tab: TabName }) {
  const t = useTexts(setUpTexts);
  const { places } = useTexts(frameTexts);
  const membership = useMembership();
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <nav className={isOpen ? "settings-nav open" : "settings-nav"} aria-label={places.setUp}>
      <button
        type="button"
        className="opener"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span>{t.tabs[tab]}</span>
        <Icon name="down" />
      </button>
      <div className="groups" id={id}>
        {groupsFor(membership).map((group) => (
          <Group key={group.name} group={group} close={() => setIsOpen(false)} />
        ))}
      </div>
    </nav>
  );
}

function Group({ group: { name, tabs }, close }: { readonly group: TabGroup; readonly close: () => void }) {
  const t = useTexts(setUpTexts);
  return (
    <div role="group" aria-label={t.groups[name]}>
      <div className="group-name" aria-hidden>
        {t.groups[name]}
      </div>
      {tabs.map((tab) => (
        <Link key={tab.name} to={tab.to} onClick={close}>
          {t.tabs[tab.name]}
        </Link>
      ))}
    </div>
  );
}
