// The recipients of alerts: from the configuration, and those that always get them.
import type { ReactNode } from "react";
import { useTexts } from "../../base/language.ts";
import { Facts, Panel } from "../../parts/layout.tsx";
import { ColumnNames } from "../../parts/rows.tsx";
import { alertsTexts } from "../../texts/areas.ts";
import type { Installation } from "../server/installation.ts";

type AlertsOf = Installation["alerts"];

export function Recipients({ alerts }: { readonly alerts: AlertsOf }) {
  const t = useTexts(alertsTexts);
  const { email, from, webhookHost, webhookSigned } = alerts;
  return (
    <Panel title={t.who}>
      <div className="rows alert-rows">
        <ColumnNames columns={[t.whom, t.how, t.key]} />
        {email.map((address) => (
          <Row key={address} whom={address} how={t.byEmail} keys={["alerts.email"]} />
        ))}
        {webhookHost !== null && (
          <Row
            whom={webhookHost}
            how={webhookSigned ? t.bySignedCall : t.byCall}
            keys={webhookSigned ? ["alerts.webhook", "alerts.webhook_secret"] : ["alerts.webhook"]}
          />
        )}
        <Row whom={t.developers} how={t.webhookOff} keys={[]} />
        <Row whom={t.everybody} how={t.overview} keys={[]} />
      </div>
      {email.length > 0 && (
        <div className="pad">
          <Facts facts={[[t.sender, from ?? t.ownSender]]} />
        </div>
      )}
    </Panel>
  );
}

type RowProps = { readonly whom: ReactNode; readonly how: ReactNode; readonly keys: readonly string[] };

/** A row of both tables: a recipient or reason, its channel or time, and the keys of the configuration. */
export function Row({ whom, how, keys }: RowProps) {
  return (
    <div className="line">
      <b>{whom}</b>
      <span>{how}</span>
      <span className="alert-keys">
        {keys.map((key) => (
          <code key={key}>{key}</code>
        ))}
      </span>
    </div>
  );
}
