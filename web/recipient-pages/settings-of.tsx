// What a page depends on, what that is now, and where it is changed.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTexts } from "../language.ts";
import { Facts, Panel } from "../parts/layout.tsx";
import { recipientPagesTexts } from "../texts/areas.ts";
import type { useWorkspace } from "../workspace/settings.ts";
import type { PageName } from "./pages.ts";

type SettingsProps = { readonly page: PageName; readonly workspace: ReturnType<typeof useWorkspace> };
type Setting = "name" | "language" | "mailLanguage" | "postalAddress" | "doubleOptIn" | "sender" | "wording";

const OF: Readonly<Record<PageName, readonly Setting[]>> = {
  footer: ["postalAddress", "mailLanguage", "wording"],
  unsubscribe: ["name", "language", "wording"],
  unsubscribed: ["name", "language", "wording"],
  confirmation: ["doubleOptIn", "sender", "name", "mailLanguage", "wording"],
  confirm: ["doubleOptIn", "name", "language", "wording"],
  subscribed: ["name", "language", "wording"],
  gone: ["language", "wording"],
  broken: ["language", "wording"],
};

export function Settings({ page, workspace }: SettingsProps) {
  const t = useTexts(recipientPagesTexts);
  const values: Readonly<Record<Setting, ReactNode>> = {
    name: workspace.name,
    language: t.settings.languageIs,
    mailLanguage: t.settings.mailLanguageIs,
    postalAddress: workspace.postalAddress ?? <span className="warn-ink">{t.settings.noAddress}</span>,
    doubleOptIn: workspace.doubleOptIn ? t.settings.on : t.settings.off,
    sender: `${workspace.fromName ?? workspace.name} <${workspace.fromAddress ?? t.settings.noReply}>`,
    wording: t.settings.wordingIs,
  };
  return (
    <Panel
      title={t.settings.title}
      actions={
        <Link className="push row-text" to="/set-up/workspace">
          {t.settings.change}
        </Link>
      }
    >
      <div className="pad">
        <Facts facts={OF[page].map((setting) => [t.settings.names[setting], values[setting]] as const)} />
      </div>
    </Panel>
  );
}
