// What any program asks for: host, port, name and password.
import { useTexts } from "../../language.ts";
import { Banner } from "../../parts/banner.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { Facts, Panel } from "../../parts/layout.tsx";
import { smtpTexts } from "../../texts/areas.ts";
import type { Submission } from "./submission.ts";

export function Connection({ submission }: { readonly submission: Submission }) {
  const t = useTexts(smtpTexts);
  const { host, ports, user, isSelfSigned, isLocal } = submission;
  if (ports.length === 0)
    return (
      <Banner tone="warn">
        <b>{t.closed}</b> {t.closedText}
      </Banner>
    );
  return (
    <>
      <Panel title={t.connection}>
        <div className="pad">
          <Facts
            facts={[
              [t.host, <Value key="host" text={host} what={t.host} />],
              ...ports.map(
                ({ port, tls }) =>
                  [t.ports[tls], <Value key={port} text={String(port)} what={t.ports[tls]} />] as const,
              ),
              [t.user, <Value key="user" text={user} what={t.user} note={t.anyUser} />],
              [t.password, t.aKey],
            ]}
          />
        </div>
      </Panel>
      {(isLocal || isSelfSigned) && (
        <Banner tone="note">
          {isLocal && t.local} {isSelfSigned && t.selfSigned}
        </Banner>
      )}
    </>
  );
}

type ValueProps = { readonly text: string; readonly what: string; readonly note?: string };

function Value({ text, what, note }: ValueProps) {
  return (
    <span className="value">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
      {note && <span className="dim">{note}</span>}
    </span>
  );
}
