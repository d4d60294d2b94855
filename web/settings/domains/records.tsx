// DNS records: a panel for each missing or wrong one, a line for each found one.
import { useTexts } from "../../base/language.ts";
import { Diff } from "../../parts/code.tsx";
import { CopyButton, CopyWords } from "../../parts/copy.tsx";
import { StatusIcon } from "../../parts/icons/icon.tsx";
import { Facts } from "../../parts/layout.tsx";
import { Time } from "../../parts/time.tsx";
import { domainsTexts } from "../../texts/areas.ts";
import type { DnsRecord } from "./calls.ts";
import { Problem } from "./problem.tsx";
import { hasPlaceholder, isElsewhere, isOptional, isToCorrect, RECORD_STATES, valueOf } from "./state.ts";

type OpenRecordProps = { readonly record: DnsRecord; readonly domain: string };

export function OpenRecord({ record, domain }: OpenRecordProps) {
  const t = useTexts(domainsTexts);
  const { purpose, state, type, name } = record;
  return (
    <section className="panel records open" aria-label={`${t.purposes[purpose]} ${name}`}>
      <header>
        <StatusIcon {...markOf(record)} />
        <h2>{t.purposes[purpose]}</h2>
        <span className="row-text dim cut">
          {isOptional(record) && state === "MISSING" ? t.optional : t.states[state]}
        </span>
        <span className="push inline">
          <CopyWords text={name} name={t.copyName} quiet />
          {!isElsewhere(record) && !isToCorrect(record) && <CopyWords text={valueOf(record)} name={t.copyValue} />}
        </span>
      </header>
      <div className="pad stack">
        <p className="row-text">
          {t.whatFor[purpose]} {t.without[purpose]}
        </p>
        <Facts
          facts={[
            [t.type, type],
            [t.name, <RecordName key="name" name={name} domain={domain} />],
            record.removableAt === null ? null : [t.until, <Time key="until" at={record.removableAt} as="exact" />],
          ]}
        />
        <Value record={record} />
        <Notes record={record} />
      </div>
    </section>
  );
}

/** A wrong optional record is a warning, not an error. */
function markOf({ state, required }: DnsRecord) {
  const { icon, tone } = RECORD_STATES[state];
  if (state === "WRONG" && !required) return { name: "warn", tone: "warn" } as const;
  return { name: icon, tone };
}

function RecordName({ name, domain }: { readonly name: string; readonly domain: string }) {
  const t = useTexts(domainsTexts);
  const short = name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name === domain ? "@" : null;
  return (
    <>
      <code>{name}</code>
      {short && (
        <span className="dim">
          {" "}
          {t.orShort} <code>{short}</code>
        </span>
      )}
    </>
  );
}

/** Found and expected value, or only the expected one. */
function Value({ record }: { readonly record: DnsRecord }) {
  const t = useTexts(domainsTexts);
  const { found, state } = record;
  const value = valueOf(record);
  if (isElsewhere(record)) return null;
  if (state !== "WRONG" || found.length === 0 || isToCorrect(record))
    return (
      <div className="code wraps">
        <pre>{isToCorrect(record) ? found.join("\n") : value}</pre>
      </div>
    );
  return (
    <Diff
      title={found.length === 1 ? t.change : t.merge(found.length)}
      was={found.map((text) => text.split(" "))}
      now={value.split(" ")}
    />
  );
}

function Notes({ record }: { readonly record: DnsRecord }) {
  const t = useTexts(domainsTexts);
  const { state, problem, purpose, name } = record;
  return (
    <>
      {state === "UNKNOWN" && <p className="disabled-reason">{t.unknown(name)}</p>}
      {state === "WRONG" && problem && (
        <p className="disabled-reason">
          <Problem {...record} />
        </p>
      )}
      {purpose === "SPF" && state === "WRONG" && <p className="disabled-reason">{t.oneSpf}</p>}
      {hasPlaceholder(record) && !isToCorrect(record) && (
        <p className="disabled-reason">{t.placeholders[purpose === "SPF" ? "spf" : "host"]}</p>
      )}
    </>
  );
}

export function DoneRecords({ records }: { readonly records: readonly DnsRecord[] }) {
  const t = useTexts(domainsTexts);
  return (
    <section className="panel records" aria-label={t.done}>
      <div className="rows">
        {records.map((record) => (
          <div className="line" key={`${record.purpose} ${record.name}`}>
            <StatusIcon name="delivered" tone="ok" />
            <b>{t.purposes[record.purpose]}</b>
            <code className="cut dim" title={record.value}>
              {record.name} {record.type} {record.found[0] ?? record.value}
            </code>
            <span className="dim small inline">
              {record.since ? (
                <span>
                  {t.foundSince} <Time at={record.since} as="brief" />
                </span>
              ) : (
                t.states.OK
              )}
              <CopyButton text={record.found[0] ?? valueOf(record)} what={t.value} />
            </span>
          </div>
        ))}
      </div>
      {records
        .filter(({ problem }) => problem !== null)
        .map((record) => (
          <p className="disabled-reason pad" key={`${record.purpose} ${record.name}`}>
            <Problem {...record} />
          </p>
        ))}
    </section>
  );
}
