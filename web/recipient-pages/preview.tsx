// A preview of one recipient page, and the settings behind it.
import { getRouteApi, Link } from "@tanstack/react-router";
import { useSuspenseQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { workspaceId } from "../calls/api.ts";
import { brandQuery, type Brand } from "../brand/calls.ts";
import { useTexts } from "../base/language.ts";
import { Icon } from "../parts/icons/icon.tsx";
import { SegmentedControl } from "../parts/fields/segmented-control.tsx";
import { Select } from "../parts/fields/select.tsx";
import { recipientPagesTexts } from "../texts/areas.ts";
import { useTopicName, useTopics } from "../topics/calls.ts";
import { useRecipientLanguages } from "../parts/fields/recipient-languages.ts";
import { useWorkspace } from "../calls/workspace.ts";
import type { PageName } from "./pages.ts";
import { Facts, Panel } from "../parts/layout.tsx";

const route = getRouteApi("/frame/settings/pages");

export function Preview({ page }: { readonly page: PageName }) {
  const t = useTexts(recipientPagesTexts);
  const { language, size, dark } = route.useSearch();
  const workspace = useWorkspace();
  const { data: brand } = useSuspenseQuery(brandQuery);
  const shown = language ?? workspace.language;
  const query = new URLSearchParams({ language: shown, workspace: workspaceId.get() ?? "" });
  const hasSchemes = page !== "footer" && page !== "confirmation";
  const address = `/app/-/recipient/${page}?${query}`;
  return (
    <div className="scroll">
      <div className="page">
        <Link className="back row-text" from="/settings/pages" search={({ page: _, ...rest }) => rest}>
          <Icon name="left" /> {t.all}
        </Link>
        <div className="stack tight">
          <h2 className="title">{t.pages[page].title}</h2>
          <p className="dim row-text">{t.pages[page].text}</p>
        </div>
        <div className="recipient-view">
          <Choices shown={shown} hasSchemes={hasSchemes} />
          <div className={`desk${size ? " phone" : ""}`}>
            {/* The key reloads the frame after a change of the settings. */}
            <iframe
              key={`${address} ${workspace.updatedAt} ${brand.updatedAt}`}
              className={dark && hasSchemes ? "dark" : "light"}
              title={t.frame(t.pages[page].title)}
              src={address}
              sandbox=""
              tabIndex={-1}
            />
          </div>
        </div>
        <Settings page={page} workspace={workspace} brand={brand} />
      </div>
    </div>
  );
}

/** Emails follow the mail program's colours; pages have both schemes. */
function Choices({ shown, hasSchemes }: { readonly shown: string; readonly hasSchemes: boolean }) {
  const t = useTexts(recipientPagesTexts);
  const { size, dark } = route.useSearch();
  const navigate = route.useNavigate();
  const languages = useRecipientLanguages();
  const set = (change: object) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  const sizes = [
    { value: "desktop" as const, content: <Icon name="desktop" />, label: t.desktop },
    { value: "phone" as const, content: <Icon name="phone" />, label: t.phone },
  ];
  const schemes = [
    { value: "light" as const, content: <Icon name="sun" />, label: t.light },
    { value: "dark" as const, content: <Icon name="moon" />, label: t.dark },
  ];
  return (
    <div className="choices">
      <Select
        name="language"
        label={t.language}
        options={languages}
        value={shown}
        onChange={(language) => set({ language })}
      />
      <SegmentedControl
        label={t.size}
        icons
        choices={sizes}
        value={size ?? "desktop"}
        onChange={(value) => set({ size: value === "phone" ? value : undefined })}
      />
      {hasSchemes && (
        <SegmentedControl
          label={t.scheme}
          icons
          choices={schemes}
          value={dark ? "dark" : "light"}
          onChange={(value) => set({ dark: value === "dark" || undefined })}
        />
      )}
    </div>
  );
}

type SettingsProps = {
  readonly page: PageName;
  readonly workspace: ReturnType<typeof useWorkspace>;
  readonly brand: Brand;
};
type Setting =
  | ("name" | "language" | "mailLanguage" | "postalAddress" | "doubleOptIn" | "sender" | "wording")
  | ("brand" | "pageFooter" | "topics" | "data" | "asksWhy");

const OF: Readonly<Record<PageName, readonly Setting[]>> = {
  footer: ["postalAddress", "mailLanguage", "wording"],
  unsubscribe: ["name", "brand", "pageFooter", "topics", "data", "language", "wording"],
  paused: ["name", "brand", "pageFooter", "topics", "data", "language", "wording"],
  left: ["name", "brand", "pageFooter", "topics", "asksWhy", "data", "language", "wording"],
  unsubscribed: ["name", "brand", "pageFooter", "asksWhy", "data", "language", "wording"],
  confirmation: ["doubleOptIn", "sender", "name", "brand", "pageFooter", "mailLanguage", "wording"],
  confirm: ["doubleOptIn", "name", "brand", "pageFooter", "language", "wording"],
  subscribed: ["name", "brand", "pageFooter", "topics", "data", "language", "wording"],
  gone: ["language", "wording"],
  broken: ["language", "wording"],
};

/** The settings behind a page, with links to change them. */
function Settings({ page, workspace, brand }: SettingsProps) {
  const t = useTexts(recipientPagesTexts);
  const values: Readonly<Record<Setting, ReactNode>> = {
    name: workspace.name,
    language: t.settings.languageIs,
    mailLanguage: t.settings.mailLanguageIs,
    postalAddress: workspace.postalAddress ?? <span className="warn-ink">{t.settings.noAddress}</span>,
    doubleOptIn: workspace.doubleOptIn ? t.settings.on : t.settings.off,
    sender: `${workspace.fromName ?? workspace.name} <${workspace.fromAddress ?? t.settings.noReply}>`,
    wording: t.settings.wordingIs,
    brand: <BrandFact brand={brand} />,
    pageFooter: brand.pageFooter ?? t.settings.noFooter,
    topics: <TopicsFact />,
    data:
      workspace.preferencePage.data.map(({ field }) => field.replace(/^data\./, "")).join(", ") || t.settings.noData,
    asksWhy: workspace.preferencePage.asksWhy ? t.settings.on : t.settings.notAsked,
  };
  return (
    <Panel
      title={t.settings.title}
      actions={
        <Link className="push row-text" to="/settings/workspace">
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

function TopicsFact() {
  const t = useTexts(recipientPagesTexts);
  const nameOf = useTopicName();
  const visible = useTopics().filter((topic) => topic.visible);
  return (
    <p>
      {visible.map(nameOf).join(", ") || t.settings.noTopics} · <Link to="/topics">{t.settings.changeTopics}</Link>
    </p>
  );
}

function BrandFact({ brand }: { readonly brand: Brand }) {
  const t = useTexts(recipientPagesTexts);
  const { colours, font, logo } = t.settings.brandHas;
  const parts = [
    ...(Object.keys(brand.colors).length > 0 ? [colours] : []),
    ...(brand.font ? [font] : []),
    ...(brand.logoUrl ? [logo] : []),
  ];
  return (
    <p>
      {parts.join(", ") || t.settings.noBrand} · <Link to="/settings/brand">{t.settings.changeBrand}</Link>
    </p>
  );
}
