// Backups, the change stream between them, and the standby.
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Code } from "../../parts/code.tsx";
import { StatusIcon } from "../../parts/icons/icon.tsx";
import { Facts, Panel } from "../../parts/layout.tsx";
import { Time } from "../../parts/time.tsx";
import { serverTexts } from "../../texts/areas.ts";
import type { Installation } from "./installation.ts";

export function Backup({ installation: { backup } }: { readonly installation: Installation }) {
  const t = useTexts(serverTexts);
  const { span } = useFormats();
  const { everySeconds, to, last, stream } = backup;
  return (
    <Panel title={t.backup}>
      <div className="pad stack">
        <Facts
          facts={[
            [t.backupSchedule, everySeconds === null ? t.byHand : t.every(span(everySeconds * 1000), to ?? "")],
            [t.lastBackup, last === null ? t.noBackup : <LastBackup last={last} />],
            [t.stream, stream === null ? t.noStream : <Stream stream={stream} />],
            stream && [t.standby, stream.standby === null ? t.noStandby : <Standby standby={stream.standby} />],
          ]}
        />
        <p className="row-text">{backup.isEncrypted ? t.backupEncrypted : t.backupNotEncrypted}</p>
        <Code text="posthorn backup posthorn.backup" what={t.backupLines} />
      </div>
    </Panel>
  );
}

type BackupRun = NonNullable<Installation["backup"]["last"]>;

function LastBackup({ last }: { readonly last: BackupRun }) {
  const t = useTexts(serverTexts);
  const { bytes } = useFormats();
  if (last.error !== null)
    return (
      <>
        <Time at={last.startedAt} /> {t.backupFailed} {last.error}
      </>
    );
  return (
    <>
      <Time at={last.startedAt} /> {last.endedAt === null ? t.underWay : bytes(last.databaseBytes ?? 0)}
    </>
  );
}

type StreamOf = NonNullable<Installation["backup"]["stream"]>;

const TONES = { FOLLOWING: "ok", STARTING: "warn", FAILING: "bad", REFUSED: "bad" } as const;

function Stream({ stream }: { readonly stream: StreamOf }) {
  const t = useTexts(serverTexts);
  const { span, bytes } = useFormats();
  const { to, state, lagSeconds, waitingBytes, error } = stream;
  const tone = TONES[state];
  return (
    <>
      <span className={`state ${tone}`}>
        {tone !== "ok" && <StatusIcon name="warn" />}
        {t.streams[state]}
      </span>
      <br />
      <code>{to}</code>
      {state === "FAILING" && (
        <>
          <br />
          {t.waiting(bytes(waitingBytes), span(lagSeconds * 1000))} {error}
        </>
      )}
    </>
  );
}

const SILENT_MS = 120_000;

function Standby({ standby }: { readonly standby: NonNullable<StreamOf["standby"]> }) {
  const t = useTexts(serverTexts);
  const { host, seenAt, reachedAt } = standby;
  const isSilent = Date.now() - Date.parse(seenAt) > SILENT_MS;
  const tone = isSilent ? "bad" : reachedAt === null ? "warn" : "ok";
  return (
    <>
      <span className={`state ${tone}`}>
        {tone !== "ok" && <StatusIcon name="warn" />}
        {isSilent ? t.standbySilent(host) : reachedAt === null ? t.standbyStarting(host) : t.standbyFollows(host)}
      </span>
      <br />
      {t.lastSeen} <Time at={seenAt} />
    </>
  );
}
