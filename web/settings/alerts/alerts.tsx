// Settings → Alerts, for owners: the recipients and reasons of alerts, and the keys of the configuration that set them.
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Code } from "../../parts/code.tsx";
import { Panel, Skeleton } from "../../parts/layout.tsx";
import { alertsTexts } from "../../texts/areas.ts";
import { useInstallation, type Installation } from "../server/installation.ts";
import { OwnersOnly } from "../owners-only.tsx";
import { SettingsBar } from "../settings-bar.tsx";
import { Recipients } from "./recipients.tsx";
import { Told } from "./told.tsx";
import "./alerts.css";

export function Alerts() {
  return (
    <>
      <SettingsBar tab="alerts" call={{ path: "/installation", person: true }} />
      <div className="page narrow">
        <OwnersOnly>
          <Shown />
        </OwnersOnly>
      </div>
    </>
  );
}

function Shown() {
  const { data, ...asked } = useInstallation();
  if (!data) return <Skeleton of={asked} rows={6} columns={3} />;
  return (
    <>
      <NobodyTold installation={data} />
      <Recipients alerts={data.alerts} />
      <Told queueSeconds={data.alerts.queueSeconds} />
      <Test />
    </>
  );
}

const EXAMPLE = `[alerts]
email = ["ops@example.com"]
webhook = "https://chat.example.com/hooks/abc"`;

function NobodyTold({ installation: { alerts, transport } }: { readonly installation: Installation }) {
  const t = useTexts(alertsTexts);
  if (alerts.email.length === 0 && alerts.webhookHost === null)
    return (
      <>
        <Banner tone="warn">
          <b>{t.nobody}</b> {t.nobodyText}
        </Banner>
        <Code text={EXAMPLE} what={t.example} />
      </>
    );
  if (transport.kind !== "capture" || alerts.email.length === 0) return null;
  return (
    <Banner tone="note">
      <b>{t.capture}</b> {t.captureText}
    </Banner>
  );
}

function Test() {
  const t = useTexts(alertsTexts);
  return (
    <Panel title={t.test}>
      <div className="pad stack">
        <p className="row-text">{t.testText}</p>
        <Code text="posthorn alerts test" what={t.testLine} />
      </div>
    </Panel>
  );
}
