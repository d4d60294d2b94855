// Before the first email: five steps, each ticked once it has really happened.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../api.ts";
import { useTexts } from "../language.ts";
import { Banner } from "../parts/banner.tsx";
import { Button } from "../parts/button.tsx";
import { Icon, StatusIcon } from "../parts/icon.tsx";
import { Facts, KeyHints } from "../parts/layout.tsx";
import { MOD } from "../keyboard.ts";
import { useMe, useDisabledReason } from "../session.ts";
import { TestEmail } from "../settings/test-email.tsx";
import { overviewTexts } from "../texts/areas.ts";
import type { Need, Steps } from "./calls.ts";
import { FirstCall } from "./first-call.tsx";
import { STEPS } from "./first-steps.ts";
import { NeedsAttention } from "./needs-attention.tsx";
import { StepAction } from "./steps.tsx";

type FirstEmailProps = { readonly steps: Steps; readonly needs: readonly Need[] };

export function FirstEmail({ steps, needs }: FirstEmailProps) {
  const t = useTexts(overviewTexts).steps;
  const { name } = useMe();
  return (
    <div className="page welcome">
      <div className="stack l">
        <div className="stack tight">
          <h2 className="title">{t.welcome(name.split(" ")[0] ?? name)}</h2>
          <p className="dim">{t.how}</p>
        </div>
        {needs.length > 0 && <NeedsAttention needs={needs} />}
        <section className="panel" aria-label={t.title}>
          <ol className="firsts">
            <li className="fs open">
              <span className="nr">1</span>
              <SendTest />
            </li>
            {STEPS.slice(1).map((step, at) => (
              <li className={steps[step] ? "fs done" : "fs"} key={step}>
                <span className="nr">{steps[step] ? <StatusIcon name="check" /> : at + 2}</span>
                <div className="inline l">
                  <div>
                    <b>{t.names[step]}</b>
                    <p className="dim row-text">{t.what[step]}</p>
                  </div>
                  <span className="push">
                    {steps[step] ? <span className="dim">{t.done}</span> : <StepAction step={step} />}
                  </span>
                </div>
              </li>
            ))}
          </ol>
        </section>
      </div>
      <Aside />
    </div>
  );
}

function SendTest() {
  const t = useTexts(overviewTexts).steps;
  const disabledReason = useDisabledReason("mail.send");
  const [sends, setSends] = useState(false);
  return (
    <div className="stack">
      <div>
        <b>{t.names.mailSent}</b>
        <p className="dim row-text">{t.what.mailSent}</p>
      </div>
      <FirstCall />
      <div className="inline waits">
        <Button kind="first" icon="send" disabledReason={disabledReason} onClick={() => setSends(true)}>
          {t.sendFromHere}
        </Button>
        <span className="live" role="status">
          <StatusIcon name="waiting" tone="dim" />
          {t.waiting}
        </span>
      </div>
      {sends && <TestEmail close={() => setSends(false)} />}
    </div>
  );
}

function Aside() {
  const t = useTexts(overviewTexts).steps;
  return (
    <aside className="stack l">
      {useDisabledReason("installation") === undefined && <ThisServer />}
      <div className="stack">
        <h3>{t.goodToKnow}</h3>
        <ul className="stack row-text">
          <li className="inline">
            <KeyHints keys={[MOD, "K"]} />
            <span>{t.palette}</span>
          </li>
          <li className="inline">
            <Icon name="code" />
            <span>{t.asCall}</span>
          </li>
        </ul>
      </div>
    </aside>
  );
}

function ThisServer() {
  const t = useTexts(overviewTexts).steps;
  const { data } = useQuery({ queryKey: ["installation"], queryFn: () => unwrap(api.GET("/installation")) });
  if (!data) return null;
  const { version, engine, transport } = data;
  return (
    <>
      {transport.kind === "capture" && (
        <Banner tone="note">
          <b>{t.capture}</b> {t.captureText}
        </Banner>
      )}
      <div className="stack">
        <h3>{t.server}</h3>
        <Facts
          facts={[
            [t.version, version],
            [t.data, engine],
            [t.transport, transport.target ? `${transport.kind}, ${transport.target}` : transport.kind],
          ]}
        />
      </div>
    </>
  );
}
