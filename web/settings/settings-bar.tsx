// The head of the settings, with the navigation between their tabs.
import type { ReactNode } from "react";
import type { ScreenCall } from "../calls/curl.ts";
import { CopyActions, useScreen } from "../parts/bar.tsx";
import { useTexts } from "../base/language.ts";
import { frameTexts, setUpTexts } from "../texts/areas.ts";
import { SettingsNav } from "./settings-nav.tsx";
import type { TabName } from "./tabs.ts";
import "./settings.css";

type SettingsBarProps = {
  readonly tab: TabName;
  /** The title of the page; by default the name of its tab. */
  readonly title?: string | undefined;
  readonly call: ScreenCall;
  readonly actions?: ReactNode;
};

export function SettingsBar({ tab, title, call, actions }: SettingsBarProps) {
  const t = useTexts(setUpTexts);
  const { places } = useTexts(frameTexts);
  useScreen(title ?? t.tabs[tab], call);
  return (
    <>
      <header className="bar set-up">
        <h1>{places.setUp}</h1>
        <div className="actions">
          <CopyActions />
          {actions}
        </div>
      </header>
      <SettingsNav tab={tab} />
    </>
  );
}
