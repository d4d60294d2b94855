// The results of a form in the last thirty days: in total, by day and by site; and the versions of its consent wording.
import { useQuery } from "@tanstack/react-query";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Panel, Skeleton } from "../parts/layout.tsx";
import { Number as Figure } from "../parts/number.tsx";
import { Rows } from "../parts/rows.tsx";
import { Time } from "../parts/time.tsx";
import { formsTexts } from "../texts/areas.ts";
import { statisticsQuery, wordingsQuery, type FormStatistics, type SignUpForm } from "./calls.ts";

const WHAT = ["seen", "sent", "confirmed"] as const;

export function Results({ form }: { readonly form: SignUpForm }) {
  const t = useTexts(formsTexts);
  const { data, ...asked } = useQuery(statisticsQuery(form.id));
  return (
    <div className="page">
      <Panel title={t.results} actions={<span className="dim small push">{t.lastDays}</span>}>
        {data ? <Totals statistics={data} /> : <Skeleton of={asked} rows={4} columns={3} />}
      </Panel>
      {data && data.sites.length > 0 && <Sites sites={data.sites} />}
      {form.consent && <Wordings id={form.id} />}
    </div>
  );
}

function Totals({ statistics }: { readonly statistics: FormStatistics }) {
  const t = useTexts(formsTexts);
  return (
    <div className="pad stack l">
      <div className="form-totals">
        {WHAT.map((what) => (
          <Figure key={what} value={statistics[what]} label={t[what]} />
        ))}
      </div>
      {statistics.seen + statistics.sent === 0 ? (
        <p className="dim row-text">{t.noResults}</p>
      ) : (
        <Days days={statistics.days} />
      )}
      <p className="dim small">{t.countsText}</p>
    </div>
  );
}

const HEIGHT = 100;
const STEP = 10;

/** Two bars a day: sent, and the part that was confirmed. */
function Days({ days }: { readonly days: FormStatistics["days"] }) {
  const t = useTexts(formsTexts);
  const { number, shortDay } = useFormats();
  const most = Math.max(1, ...days.map(({ sent, confirmed }) => Math.max(sent, confirmed)));
  const height = (count: number) => (count / most) * HEIGHT;
  const total = days.reduce((sum, { sent }) => sum + sent, 0);
  const [first, last] = [days[0], days.at(-1)];
  return (
    <figure className="stack tight">
      <svg
        className="form-days"
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t.chart(number(total))}
      >
        {days.map(({ day, sent, confirmed }, index) => (
          <g key={day}>
            <title>{t.ofDay(shortDay(new Date(day)), number(sent), number(confirmed))}</title>
            <rect className="hit" x={index * STEP} width={STEP} y={0} height={HEIGHT} />
            <rect className="sent" x={index * STEP + 1} width={4} y={HEIGHT - height(sent)} height={height(sent)} />
            <rect
              className="confirmed"
              x={index * STEP + 5}
              width={4}
              y={HEIGHT - height(confirmed)}
              height={height(confirmed)}
            />
          </g>
        ))}
      </svg>
      <figcaption className="inline dim small">
        <span>{first && shortDay(new Date(first.day))}</span>
        <span className="form-key push">
          <i className="sent" /> {t.sent} <i className="confirmed" /> {t.confirmed}
        </span>
        <span className="push">{last && shortDay(new Date(last.day))}</span>
      </figcaption>
    </figure>
  );
}

function Sites({ sites }: { readonly sites: FormStatistics["sites"] }) {
  const t = useTexts(formsTexts);
  const { number } = useFormats();
  return (
    <section className="panel" aria-label={t.bySite}>
      <Rows
        className="form-sites"
        columns={[t.bySite, ...WHAT.map((what) => ({ end: t[what] }))]}
        items={sites}
        of={{ error: null, errorUpdateCount: 0, isFetching: false }}
        row={({ site, ...counts }) => (
          <div className="line" key={site}>
            <span className="cut">{site === "" ? t.ownPage : site}</span>
            {WHAT.map((what) => (
              <span className="end" key={what}>
                <span className="narrow-only dim">{t[what]} </span>
                {number(counts[what])}
              </span>
            ))}
          </div>
        )}
      />
    </section>
  );
}

function Wordings({ id }: { readonly id: string }) {
  const t = useTexts(formsTexts);
  const { data, ...asked } = useQuery(wordingsQuery(id));
  return (
    <Panel title={t.wordings}>
      {data ? (
        <div className="rows">
          {data.map(({ version, wording, besides, createdAt }) => (
            <details className="pad" key={version} open={version === data[0]?.version}>
              <summary>
                {t.version(version)} · <Time at={createdAt} as="exact" />
              </summary>
              {[...Object.entries(besides), ...Object.entries(wording)].map(([language, words]) => (
                <p key={language + words} lang={language} className="row-text">
                  <span className="dim">{language}</span> {words}
                </p>
              ))}
            </details>
          ))}
        </div>
      ) : (
        <Skeleton of={asked} rows={2} columns={1} />
      )}
    </Panel>
  );
}
