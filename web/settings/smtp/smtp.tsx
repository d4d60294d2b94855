// How to send: snippets for SMTP and the API with this server's host, ports and key.
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Skeleton, Facts, Panel } from "../../parts/layout.tsx";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { smtpTexts } from "../../texts/areas.ts";
import { useCommands } from "../../commands.ts";
import { SettingsBar } from "../settings-bar.tsx";
import { TestEmail } from "../test-email.tsx";
import { Snippets } from "./snippets.tsx";
import { useSubmission, type Submission } from "./submission.ts";
import { Banner } from "../../parts/banner.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import "./smtp.css";

const route = getRouteApi("/frame/settings/smtp");

export function Smtp() {
  const t = useTexts(smtpTexts);
  const disabledReason = useDisabledReason("mail.send");
  const [tests, setTests] = useState(false);
  const test = () => setTests(true);
  useCommands([{ id: "test mail", name: t.testMail, icon: "send", run: test, disabledReason }]);
  const { data, ...asked } = useSubmission();
  const button = (
    <Button icon="send" disabledReason={disabledReason} onClick={test}>
      {t.testMail}
    </Button>
  );
  return (
    <>
      <SettingsBar tab="smtp" call={{ path: "/submission" }} actions={button} />
      <div className="page smtp">
        {data ? <SendingWays submission={data} /> : <Skeleton of={asked} rows={6} columns={2} />}
      </div>
      {tests && <TestEmail close={() => setTests(false)} />}
    </>
  );
}

function SendingWays({ submission }: { readonly submission: Submission }) {
  const t = useTexts(smtpTexts);
  const { by } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <div className="inline l">
        <SegmentedControl
          label={t.way}
          choices={[
            { value: "smtp", content: "SMTP" },
            { value: "api", content: "API" },
          ]}
          value={by}
          onChange={(chosen) => void navigate({ search: (known) => ({ ...known, by: chosen }), replace: true })}
        />
        <p className="dim row-text">{t.ways[by]}</p>
      </div>
      {by === "smtp" && <Connection submission={submission} />}
      {(by === "api" || submission.ports.length > 0) && <Snippets submission={submission} />}
    </>
  );
}

/** Host, port, user name and password. */
function Connection({ submission }: { readonly submission: Submission }) {
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

type SmtpValueProps = { readonly text: string; readonly what: string; readonly note?: string };

function Value({ text, what, note }: SmtpValueProps) {
  return (
    <span className="value">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
      {note && <span className="dim">{note}</span>}
    </span>
  );
}
