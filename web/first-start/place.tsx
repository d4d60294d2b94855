// Where a setting is set, in words.
import type { components } from "../api.gen.ts";
import { useTexts } from "../language.ts";
import { configurationTexts, firstStartTexts } from "../texts/areas.ts";

type Setting = components["schemas"]["Setting"];

export function Place({ setting: { source, place } }: { readonly setting: Setting }) {
  const { places } = useTexts(configurationTexts);
  const { byDefault } = useTexts(firstStartTexts);
  return <span className="dim">{source === "DEFAULT" ? byDefault : places[source](place ?? "")}</span>;
}
