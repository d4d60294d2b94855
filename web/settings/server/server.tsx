// This server, for owners: version, sending, limits, storage.
import { useTexts } from "../../language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Skeleton, Empty } from "../../parts/layout.tsx";
import { useDisabledReason } from "../../session.ts";
import { serverTexts } from "../../texts/areas.ts";
import { SettingsBar } from "../settings-bar.tsx";
import { Backup } from "./backup.tsx";
import { Configuration } from "./configuration.tsx";
import { useInstallation } from "./installation.ts";
import { Limits, Storage, Sending, AboutServer } from "./parts.tsx";
import { Workspaces } from "./workspaces/list.tsx";
import "./server.css";

export function Server() {
  const t = useTexts(serverTexts);
  const disabledReason = useDisabledReason("installation");
  return (
    <>
      <SettingsBar tab="server" call={{ path: "/installation", person: true }} />
      <div className="page server">
        {disabledReason === undefined ? (
          <Shown />
        ) : (
          <Empty title={t.closed}>
            {disabledReason} {t.ask}
          </Empty>
        )}
      </div>
    </>
  );
}

function Shown() {
  const t = useTexts(serverTexts);
  const { data, ...asked } = useInstallation();
  if (!data) return <Skeleton of={asked} rows={6} columns={2} />;
  return (
    <>
      {data.transport.kind === "capture" && (
        <Banner tone="note">
          <b>{t.capture}</b> {t.captureText}
        </Banner>
      )}
      {data.relay.state === "AWAY" && (
        <Banner tone="bad">
          <b>{t.relayAway}</b> {data.relay.reply}
        </Banner>
      )}
      <div className="server-parts">
        <AboutServer installation={data} />
        <Sending installation={data} />
        <Limits installation={data} />
        <Storage installation={data} />
        <Backup installation={data} />
      </div>
      <Configuration />
      <Workspaces />
    </>
  );
}
