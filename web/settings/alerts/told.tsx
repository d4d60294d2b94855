// The reasons for alerts to the recipients in [alerts], their times, and the keys that set them
// (docs/operate/alerts.md).
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Panel } from "../../parts/layout.tsx";
import { ColumnNames } from "../../parts/rows.tsx";
import { alertsTexts } from "../../texts/areas.ts";
import type { alerts } from "../../texts/en/alerts.ts";
import { Row } from "./recipients.tsx";

const KEYS: Readonly<Record<keyof (typeof alerts)["things"], readonly string[]>> = {
  routes: [],
  queue: ["alerts.queue_after"],
  rates: ["limits.bounce_rate_warning", "limits.complaint_rate_warning"],
  stopped: ["limits.bounce_rate_stop", "limits.complaint_rate_stop"],
  refused: [],
  domains: [],
  outside: ["[watch]"],
  backups: ["[backup]"],
  machine: [],
  inbound: [],
};

export function Told({ queueSeconds }: { readonly queueSeconds: number }) {
  const t = useTexts(alertsTexts);
  const { span } = useFormats();
  return (
    <Panel title={t.what}>
      <p className="pad dim row-text">{t.whatText}</p>
      <div className="rows alert-rows">
        <ColumnNames columns={[t.thing, t.when, t.key]} />
        {(Object.keys(KEYS) as (keyof typeof KEYS)[]).map((thing) => (
          <Row
            key={thing}
            whom={t.things[thing]}
            how={thing === "queue" ? t.lateAfter(span(queueSeconds * 1000)) : t.times[thing]}
            keys={KEYS[thing]}
          />
        ))}
      </div>
    </Panel>
  );
}
