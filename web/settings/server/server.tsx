// This server, for owners: version, sending, limits, storage.
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Skeleton } from "../../parts/layout.tsx";
import { serverTexts } from "../../texts/areas.ts";
import { OwnersOnly } from "../owners-only.tsx";
import { SettingsBar } from "../settings-bar.tsx";
import { Backup } from "./backup.tsx";
import { Configuration } from "./configuration.tsx";
import { useInstallation } from "./installation.ts";
import { Limits, Storage, Sending, AboutServer } from "./parts.tsx";
import { Workspaces } from "./workspaces/list.tsx";
import "./server.css";

export function Server() {
  return (
    <>
      <SettingsBar tab="server" call={{ path: "/installation", person: true }} />
      <div className="page server">
        <OwnersOnly>
          <Shown />
        </OwnersOnly>
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
