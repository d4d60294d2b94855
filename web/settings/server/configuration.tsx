// Every setting of the configuration: its value, and where it is set.
import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import type { components } from "../../api.gen.ts";
import { useTexts } from "../../language.ts";
import { Button } from "../../parts/button.tsx";
import { Facts, Panel, Skeleton } from "../../parts/layout.tsx";
import { query } from "../../query.ts";
import { serverTexts } from "../../texts/areas.ts";

type Setting = components["schemas"]["Setting"];

export function Configuration() {
  const t = useTexts(serverTexts);
  const { data: answer, ...asked } = useQuery(query("GET /installation/configuration"));
  const [areAllShown, setAllShown] = useState(false);
  if (!answer) return <Skeleton of={asked} rows={4} columns={2} />;
  const shown = answer.data.filter(({ source }) => areAllShown || source !== "DEFAULT");
  return (
    <Panel
      title={t.configuration}
      actions={
        <Button small onClick={() => setAllShown(!areAllShown)}>
          {areAllShown ? t.setSettings : t.allSettings(answer.data.length)}
        </Button>
      }
    >
      <div className="pad stack">
        <p className="row-text">{t.configurationText}</p>
        {shown.length === 0 ? (
          <p className="dim">{t.nothingSet}</p>
        ) : (
          <Facts facts={shown.map((setting) => [setting.key, <Value key="value" setting={setting} />])} />
        )}
      </div>
    </Panel>
  );
}

/** A default is dim, and has no place. */
function Value({ setting }: { readonly setting: Setting }) {
  const t = useTexts(serverTexts);
  const { source, place } = setting;
  const value = valueText(setting);
  const shown = value === null ? t.unset : <code>{value}</code>;
  if (source === "DEFAULT") return <span className="dim">{shown}</span>;
  return (
    <span>
      {shown} <span className="dim">{t.places[source](place ?? "")}</span>
    </span>
  );
}

/** As in the file; null = unset. */
function valueText({ value, isSecret, source }: Setting): string | null {
  if (isSecret) return source === "DEFAULT" ? null : "••••••";
  return value === null ? null : Array.isArray(value) ? `[${value.join(", ")}]` : String(value);
}
