// Bounce and complaint rates against the limits of Gmail and Yahoo.
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { MailsLink } from "../overview/emails-link.tsx";
import { StatusIcon } from "../parts/icons/icon.tsx";
import { Panel } from "../parts/layout.tsx";
import { statisticsTexts } from "../texts/areas.ts";
import type { Totals } from "./calls.ts";
import { MIN_EMAILS, LIMITS, rateOf, verdictOf, type LimitedRate } from "./limits.ts";

type RatesProps = { readonly totals: Totals; readonly since: string; readonly until: string };

export function Rates({ totals, since, until }: RatesProps) {
  const t = useTexts(statisticsTexts);
  return (
    <Panel title={t.limits}>
      <div className="pad stack l">
        <div className="cols rates">
          <Rate what="complained" totals={totals} since={since} until={until} />
          <Rate what="bounced" totals={totals} since={since} until={until} />
        </div>
        {totals.sent < MIN_EMAILS && <p className="disabled-reason">{t.few}</p>}
      </div>
    </Panel>
  );
}

/** The scale ends at twice the limit. */
const WIDTH = 400;

function Rate({ what, totals, since, until }: RatesProps & { readonly what: LimitedRate }) {
  const t = useTexts(statisticsTexts);
  const { percent, number } = useFormats();
  const rate = rateOf(what, totals);
  const { good, most } = LIMITS[what];
  const at = (share: number) => Math.min(WIDTH, (share / (2 * most)) * WIDTH);
  const verdict = rate === null ? "ok" : verdictOf(what, rate);
  return (
    <div className="stack rate">
      <p className="inline">
        <b>{rate === null ? "–" : percent(rate)}</b>
        <span>{t.rate[what]}</span>
        {totals[what] > 0 && (
          <MailsLink filters={{ happened: what, since, until }}>{t.mails(number(totals[what]))}</MailsLink>
        )}
      </p>
      <svg className={`gauge ${verdict}`} viewBox={`0 0 ${WIDTH} 24`} preserveAspectRatio="none" aria-hidden="true">
        <rect className="g" y="8" width={WIDTH} height="8" />
        <rect className="v" y="8" width={at(rate ?? 0)} height="8" />
        <path className="mark" d={`M${at(good)} 4v16M${at(most)} 0v24`} />
      </svg>
      <p className="inline row-text">
        <StatusIcon name={verdict === "ok" ? "check" : "warn"} tone={verdict} />
        {t.verdict[what][verdict]}
      </p>
      <p className="dim row-text">{t.marks[what]}</p>
    </div>
  );
}
