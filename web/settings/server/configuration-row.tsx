// One setting: its value, and where it is set.
import { useTexts } from "../../base/language.ts";
import { configurationTexts } from "../../texts/areas.ts";
import { shownText, type ServerSetting } from "./setting-text.ts";

type UnitTexts = { readonly units: Readonly<Record<string, string>> };

/** A default is dim and has no place. */
export function SettingRow({ setting }: { readonly setting: ServerSetting }) {
  const t = useTexts(configurationTexts);
  const { source, place, change } = setting;
  const shown = shownText(setting);
  const unit = shown === null ? undefined : unitOf(t, setting);
  return (
    <div className="setting-row">
      <span>{nameIn(setting.key)}</span>
      <span className={source === "DEFAULT" ? "dim" : ""}>
        {shown === null ? t.unset : <code>{shown}</code>} {unit}
      </span>
      <span className="dim small">
        {source === "DEFAULT" ? "" : t.places[source](place ?? "")}
        {change === "RESTART" && source === "DEFAULT" ? t.restart : ""}
      </span>
    </div>
  );
}

/** Where it is set, as a text. */
export function Place({ setting: { source, place } }: { readonly setting: ServerSetting }) {
  const { places } = useTexts(configurationTexts);
  return <span className="dim">{places[source](place ?? "")}</span>;
}

/** The name without its section. */
export function nameIn(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1);
}

export function sectionOf(key: string): string {
  return key.slice(0, key.lastIndexOf("."));
}

const UNITS = [
  [/_days$/, "days"],
  [/_seconds$/, "seconds"],
  [/_per_minute$/, "aMinute"],
  [/_per_second$/, "aSecond"],
  [/_bytes$/, "bytes"],
  [/_rate_(warning|stop)$/, "percent"],
] as const;

/** The unit of a setting, from its key; undefined = none. */
export function unitOf({ units }: UnitTexts, { key }: ServerSetting): string | undefined {
  const unit = UNITS.find(([ending]) => ending.test(key))?.[1] ?? null;
  return unit === null ? undefined : units[unit];
}
