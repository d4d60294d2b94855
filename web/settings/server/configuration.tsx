// All settings of the server by section: the value, where it is set, and a form for those that owners may change.
import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { Panel, Skeleton } from "../../parts/layout.tsx";
import { SearchField } from "../../parts/fields/search-field.tsx";
import { configurationTexts } from "../../texts/areas.ts";
import { configurationQuery, type ServerSettings } from "./configuration-calls.ts";
import { SectionForm } from "./configuration-form.tsx";
import { sectionOf, SettingRow } from "./configuration-row.tsx";
import { isOpen, type ServerSetting } from "./setting-text.ts";
import { Unconfirmed } from "./unconfirmed.tsx";
import "./configuration.css";

export function Configuration() {
  const t = useTexts(configurationTexts);
  const { data: configuration, ...asked } = useQuery(configurationQuery());
  const [areAllShown, setAllShown] = useState(false);
  const [search, setSearch] = useState<string | undefined>();
  const [edited, setEdited] = useState<string | null>(null);
  if (!configuration) return <Skeleton of={asked} rows={4} columns={2} />;
  const { data: all, problems } = configuration;
  const isShown = (one: ServerSetting) => areAllShown || one.source !== "DEFAULT" || one.change !== "RESTART";
  const found = search === undefined ? all.filter(isShown) : all.filter(({ key }) => matches(key, search));
  const sections = [...Map.groupBy(found, ({ key }) => sectionOf(key))];
  return (
    <>
      <Unconfirmed configuration={configuration} />
      {problems.map(({ key, message }) => (
        <Banner key={key} tone="warn">
          <b>{t.notUsed(key)}</b> {message}
        </Banner>
      ))}
      <Panel
        title={t.title}
        actions={
          <Button small onClick={() => setAllShown(!areAllShown)}>
            {areAllShown ? t.fewer : t.all(all.length)}
          </Button>
        }
      >
        <div className="pad stack">
          <p className="row-text">{t.text}</p>
          <SearchField name={t.find} value={search} onChange={setSearch} />
          {sections.length === 0 && <p className="dim">{t.nothingFound}</p>}
        </div>
        {sections.map(([name, settings]) => (
          <Section
            key={name}
            {...{ name, settings, configuration }}
            edit={edited === name ? "open" : edited === null ? "closed" : "elsewhere"}
            onEdit={(isEdited) => setEdited(isEdited ? name : null)}
          />
        ))}
      </Panel>
    </>
  );
}

function matches(key: string, search: string): boolean {
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => key.includes(word) || key.replaceAll("_", " ").includes(word));
}

type SectionProps = {
  readonly name: string;
  readonly settings: readonly ServerSetting[];
  readonly configuration: ServerSettings;
  /** "elsewhere": the form of another section is open; only one is at a time. */
  readonly edit: "open" | "closed" | "elsewhere";
  readonly onEdit: (isEdited: boolean) => void;
};

function Section({ name, settings, configuration, edit, onEdit }: SectionProps) {
  const t = useTexts(configurationTexts);
  return (
    <section className="setting-section">
      <header>
        <h3>
          <code>[{name}]</code>
        </h3>
        {edit !== "open" && settings.some(isOpen) && (
          <Button
            small
            label={t.changeSection(name)}
            disabledReason={edit === "elsewhere" ? t.otherOpen : undefined}
            onClick={() => onEdit(true)}
          >
            {t.change}
          </Button>
        )}
      </header>
      {edit === "open" ? (
        <SectionForm {...{ configuration, settings }} close={() => onEdit(false)} />
      ) : (
        <div className="pad">
          {settings.map((one) => (
            <SettingRow key={one.key} setting={one} />
          ))}
        </div>
      )}
    </section>
  );
}
