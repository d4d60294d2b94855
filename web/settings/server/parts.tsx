// The sections of the server page.
import type { ReactNode } from "react";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Code } from "../../parts/code.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { StatusIcon } from "../../parts/icons/icon.tsx";
import { Facts, Panel } from "../../parts/layout.tsx";
import { Time } from "../../parts/time.tsx";
import { serverTexts } from "../../texts/areas.ts";
import { Disk } from "./disk.tsx";
import type { Installation } from "./installation.ts";

type PartProps = { readonly installation: Installation };

export function AboutServer({ installation }: PartProps) {
  const t = useTexts(serverTexts);
  const { number, bytes } = useFormats();
  const { version, engine, schema, startedAt, residentBytes, baseUrl, counts } = installation;
  return (
    <Panel title={t.what}>
      <div className="pad">
        <Facts
          facts={[
            [t.version, version],
            [t.engine, t.engineIs(engine, schema)],
            [t.started, <Time key="at" at={startedAt} />],
            [t.memory, bytes(residentBytes)],
            [
              t.address,
              <span key="url" className="value">
                <code>{baseUrl}</code>
                <CopyButton text={baseUrl} what={t.address} />
              </span>,
            ],
            [t.workspaces, number(counts.workspaces)],
            [t.people, number(counts.people)],
            [t.contacts, number(counts.contacts)],
          ]}
        />
      </div>
    </Panel>
  );
}

type RelayTextProps = { readonly relay: Omit<Installation["relay"], "ways">; readonly place?: string | null };

/** `place`: the name of the way, if there are several. */
function RelayText({ relay: { state, since, reply }, place = null }: RelayTextProps) {
  const t = useTexts(serverTexts);
  return (
    <span>
      {place && `${place}, `}
      {t.relays[state]}
      {since && state !== "UNKNOWN" && (
        <>
          {" "}
          {t.since} <Time at={since} as="brief" />
        </>
      )}
      {state === "AWAY" && reply && `: ${reply}`}
    </span>
  );
}

export function Sending({ installation }: PartProps) {
  const t = useTexts(serverTexts);
  const { transport, relay, reports, ports, certificate, httpCertificate } = installation;
  const inWords = (port: string) => port.replace("email from outside", t.fromOutside);
  const { kind, target, returnPathDomain } = transport;
  return (
    <Panel title={t.sending}>
      <div className="pad stack">
        <Facts
          facts={[
            [t.transport, target ? `${t.transports[kind]}, ${target}` : t.transports[kind]],
            kind === "capture" || relay.ways.length > 0 ? null : [t.relay, <RelayText key="relay" relay={relay} />],
            ...relay.ways.map((way): [string, ReactNode] => [
              t.way(way.name),
              <RelayText key={way.name} relay={way} place={way.place} />,
            ]),
            [t.returnPath, returnPathDomain ?? t.none],
            reports && [
              t.lastReport,
              reports.lastAt === null ? (
                <span key="last" className="state warn">
                  <StatusIcon name="warn" />
                  {t.noReport}
                </span>
              ) : (
                <Time key="last" at={reports.lastAt} />
              ),
            ],
            [t.ports, ports.length > 0 ? <Lines key="ports" lines={ports.map(inWords)} /> : t.noPorts],
            certificate && [t.certificate, <Certificate key="tls" certificate={certificate} />],
            httpCertificate && [t.httpCertificate, <Certificate key="https" certificate={httpCertificate} />],
          ]}
        />
        {returnPathDomain === null && kind !== "ses" && reports === null && (
          <p className="disabled-reason">{t.noReturnPath}</p>
        )}
        {reports && (
          <>
            <p className="row-text">{t.enterUrl}</p>
            <Code text={reports.url} what={t.reports} />
          </>
        )}
      </div>
    </Panel>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function Certificate({ certificate }: { readonly certificate: NonNullable<Installation["certificate"]> }) {
  const t = useTexts(serverTexts);
  const { subject, issuer, validTo, isSelfSigned, endsSoon, fault } = certificate;
  return (
    <>
      {subject}, {isSelfSigned ? t.selfSigned : t.issuedBy(issuer)}
      <br />
      <span className={endsSoon ? "state warn" : "dim"}>
        {endsSoon && <StatusIcon name="warn" />}
        {t.validTo} <Time at={validTo} as="brief" />
      </span>
      {fault !== null && (
        <>
          <br />
          <span className="state bad">
            <StatusIcon name="failed" />
            {t.notRenewed} {fault}
          </span>
        </>
      )}
    </>
  );
}

export function Limits({ installation: { limits } }: PartProps) {
  const t = useTexts(serverTexts);
  const { number, bytes } = useFormats();
  const { ratePerSecond, burst, concurrency, requestsPerMinute, bodyBytes, importBytes, executionDays } = limits;
  return (
    <Panel title={t.limits}>
      <div className="pad">
        <Facts
          facts={[
            [t.rate, ratePerSecond === null ? t.unlimited : t.aSecond(number(ratePerSecond), number(burst))],
            [t.concurrency, number(concurrency)],
            [t.requests, requestsPerMinute === null ? t.unlimited : number(requestsPerMinute)],
            [t.body, bytes(bodyBytes)],
            [t.import, bytes(importBytes)],
            [t.traces, executionDays === null ? t.forever : t.daysLong(number(executionDays))],
          ]}
        />
      </div>
    </Panel>
  );
}

export function Storage({ installation: { dataDirectory, database } }: PartProps) {
  const t = useTexts(serverTexts);
  const { bytes } = useFormats();
  return (
    <Panel title={t.room}>
      <div className="pad stack">
        <Facts facts={[[t.database, database.bytes === null ? t.unknown : bytes(database.bytes)]]} />
        <Disk name={t.dataDirectory} space={dataDirectory} />
        {database.space && database.space.path !== dataDirectory.path && (
          <Disk name={t.databaseFile} space={database.space} />
        )}
      </div>
    </Panel>
  );
}
