// Existing values that the file would replace: their number by column, with samples before and after.
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Icon, StatusIcon } from "../../parts/icons/icon.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import type { ImportCheck } from "../calls.ts";

type ImportColumn = ImportCheck["columns"][number];
type SampleValue = ImportColumn["replaced"]["samples"][number]["before"];

export function ReplacedValues({ columns }: { readonly columns: readonly ImportColumn[] }) {
  const { replaced: words } = useTexts(peopleTexts).import;
  const { number } = useFormats();
  const losing = columns.filter(({ replaced }) => replaced.count > 0);
  const all = losing.reduce((sum, { replaced }) => sum + replaced.count, 0);
  if (all === 0) return null;
  return (
    <section className="panel" aria-label={words.title}>
      <header>
        <StatusIcon name="warn" tone="warn" />
        <h2>{words.count(all, number(all))}</h2>
      </header>
      <p className="pad dim row-text">{words.means}</p>
      <ul className="replaced">
        {losing.map(({ name, field, replaced: { count, samples } }) => (
          <li key={name}>
            <p className="of-column">
              <b>{field?.replace(/^data\./, "") ?? name}</b>
              <span className="dim">{words.ofColumn(count, number(count))}</span>
            </p>
            <ul className="rows">
              {samples.map(({ row, email, before, after }) => (
                <li className="line" key={row}>
                  <span className="cut">{email}</span>
                  <s className="dim">
                    <Value is={before} />
                  </s>
                  <Icon name="arrow" />
                  <span>
                    <Value is={after} />
                  </span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A list is shown as its items. */
function Value({ is }: { readonly is: SampleValue }) {
  const { flags, replaced: words } = useTexts(peopleTexts).import;
  if (is === null) return words.nothing;
  if (typeof is === "boolean") return flags[is ? "yes" : "no"];
  return itemsOf(String(is))?.join(", ") ?? String(is);
}

function itemsOf(text: string): readonly string[] | null {
  try {
    const list: unknown = text.startsWith("[") ? JSON.parse(text) : null;
    return Array.isArray(list) ? list.map((item) => (typeof item === "string" ? item : JSON.stringify(item))) : null;
  } catch {
    return null;
  }
}
