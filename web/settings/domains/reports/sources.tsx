// The senders that use a domain, with advice for those whose mail fails.
import { useFormats } from "../../../base/formats.ts";
import { useTexts } from "../../../base/language.ts";
import { StatusIcon } from "../../../parts/icons/icon.tsx";
import { ColumnNames } from "../../../parts/rows.tsx";
import { reportsTexts } from "../../../texts/areas.ts";
import { reportWordsTexts } from "../../../texts/report-words.ts";
import type { Source } from "./calls.ts";

export function Sources({ sources }: { readonly sources: readonly Source[] }) {
  const t = useTexts(reportsTexts);
  return (
    <section className="panel" aria-label={t.sources}>
      <header>
        <h2>{t.sources}</h2>
      </header>
      <div className="rows report-sources">
        <ColumnNames columns={[null, t.source, { end: t.count }, { end: t.share }]} />
        {sources.map((source) => (
          <Line key={`${source.origin} ${source.provider} ${source.address}`} source={source} />
        ))}
      </div>
    </section>
  );
}

function Line({ source }: { readonly source: Source }) {
  const t = useTexts(reportsTexts);
  const { reportWords } = useTexts(reportWordsTexts);
  const { number, percent } = useFormats();
  const { origin, messages, passed, dkim, spf, advice } = source;
  const fails = advice !== null && (origin === "OWN" || origin === "KNOWN");
  const words = advice && (reportWords[advice.code]?.(advice.values) ?? advice.sentence);
  return (
    <div className="line">
      <StatusIcon
        name={advice === null ? "delivered" : fails ? "warn" : "info"}
        tone={advice === null ? "ok" : fails ? "warn" : "dim"}
      />
      <span className="stack tight">
        <span className="breaks">
          <b>{useName(source)}</b> <span className="dim">{t.origins[origin]}</span>
        </span>
        <span className="dim small breaks">{usePlace(source)}</span>
        {words && <span className="row-text">{words}</span>}
      </span>
      <span className="end">
        <span className="narrow-only dim">{t.count} </span>
        {number(messages)}
      </span>
      <span className="end stack tight">
        <span>
          <span className="narrow-only dim">{t.share} </span>
          {percent(passed / messages)}
        </span>
        <span className="dim small">{t.ways(percent(dkim / messages), percent(spf / messages))}</span>
      </span>
    </div>
  );
}

function useName({ origin, provider, host, address }: Source): string {
  const t = useTexts(reportsTexts);
  return provider ?? (origin === "OWN" ? t.ownServer : (host ?? address ?? t.manyAddresses));
}

/** Host and addresses that the name above does not contain. */
function usePlace({ provider, origin, host, address, addresses }: Source): string {
  const t = useTexts(reportsTexts);
  const { number } = useFormats();
  const isNamed = provider !== null || origin === "OWN";
  const counted = addresses > 1 ? [t.addresses(number(addresses))] : [];
  return [...(isNamed && host ? [host] : []), ...(host || isNamed ? [address ?? []].flat() : []), ...counted].join(
    ", ",
  );
}
