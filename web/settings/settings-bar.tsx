// The head of the settings, with tabs that scroll if they do not fit.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Call } from "../curl.ts";
import { CopyActions, useScreen } from "../frame/bar.tsx";
import { useTexts } from "../language.ts";
import { frameTexts, setUpTexts } from "../texts/areas.ts";
import { TABS, type TabName } from "./tabs.ts";
import "./settings.css";

type SettingsBarProps = {
  readonly tab: TabName;
  /** What the page is called, if not as its tab. */
  readonly title?: string | undefined;
  readonly call: Call;
  readonly actions?: ReactNode;
};

export function SettingsBar({ tab, title, call, actions }: SettingsBarProps) {
  const t = useTexts(setUpTexts);
  const { places } = useTexts(frameTexts);
  useScreen(title ?? t.tabs[tab], call);
  return (
    <header className="bar set-up">
      <h1>{places.setUp}</h1>
      <nav className="tabs" aria-label={places.setUp} ref={scrollToOpen}>
        {TABS.map(({ name, to }) => (
          <Link key={name} to={to}>
            {t.tabs[name]}
          </Link>
        ))}
      </nav>
      <div className="actions">
        <CopyActions />
        {actions}
      </div>
    </header>
  );
}

/** Scrolls the open tab into view. */
function scrollToOpen(tabs: HTMLElement | null): void {
  const open = tabs?.querySelector<HTMLElement>("[aria-current]");
  if (open) open.parentElement?.scrollTo({ left: open.offsetLeft - open.parentElement.offsetLeft - 16 });
}
