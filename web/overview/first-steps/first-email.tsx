// Before the first email: the first steps for each role, each ticked only once the server reports it as done.
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { paletteIsOpen } from "../../commands.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Icon, StatusIcon } from "../../parts/icons/icon.tsx";
import { Facts, KeyHints } from "../../parts/layout.tsx";
import { MOD } from "../../base/keyboard.ts";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { useMe, useDisabledReason, type Role } from "../../calls/session.ts";
import { TestEmail } from "../../settings/test-email.tsx";
import { overviewTexts } from "../../texts/areas.ts";
import { query } from "../../calls/query.ts";
import type { Need, FirstSteps } from "../calls.ts";
import { FirstCall } from "./first-call.tsx";
import { stepsOf } from "./first-steps.ts";
import { NeedsAttention } from "../needs-attention.tsx";
import { StepAction } from "./steps.tsx";

type FirstEmailProps = { readonly steps: FirstSteps; readonly needs: readonly Need[]; readonly role: Role };

/** People with all permissions can switch to the steps of other roles. */
const VIEWS = ["development", "marketing", "support"] as const;
type View = (typeof VIEWS)[number];

const VIEW_OF: Readonly<Record<Role, View>> = {
  OWNER: "development",
  ADMIN: "development",
  DEVELOPER: "development",
  MARKETER: "marketing",
  EDITOR: "marketing",
  SUPPORT: "support",
};

export function FirstEmail({ steps, needs, role }: FirstEmailProps) {
  const t = useTexts(overviewTexts).steps;
  const { name } = useMe();
  const [view, show] = useState<View>(VIEW_OF[role]);
  const shown = view === VIEW_OF[role] ? role : "MARKETER";
  return (
    <div className="page welcome">
      <div className="stack l">
        <div className="stack tight">
          <h2 className="title">{t.welcome[view](name.split(" ")[0] ?? name)}</h2>
          <p className="dim">{t.how[view]}</p>
          {role === "OWNER" && (
            <div className="inline">
              <ButtonLink to="/first-start">{t.setUp}</ButtonLink>
            </div>
          )}
        </div>
        {(role === "OWNER" || role === "ADMIN") && (
          <SegmentedControl
            label={t.views}
            value={view}
            onChange={show}
            choices={VIEWS.map((one) => ({ value: one, content: t.viewNames[one] }))}
          />
        )}
        {needs.length > 0 && <NeedsAttention needs={needs} />}
        {view === "support" ? <Support /> : <StepList steps={steps} role={shown} />}
      </div>
      <Aside callsToo={view === "development"} />
    </div>
  );
}

function StepList({ steps, role }: { readonly steps: FirstSteps; readonly role: Role }) {
  const t = useTexts(overviewTexts).steps;
  const own = stepsOf(role, steps);
  const next = own.find((step) => !steps[step]);
  return (
    <section className="panel" aria-label={t.title}>
      <ol className="firsts">
        {own.map((step, at) =>
          step === "mailSent" ? (
            <SendTest key={step} number={at + 1} isNext={step === next} />
          ) : (
            <FirstStep
              key={step}
              number={at + 1}
              isDone={steps[step]}
              name={t.names[step]}
              what={t.what[step]}
              action={<StepAction step={step} isFirst={step === next} />}
            />
          ),
        )}
      </ol>
    </section>
  );
}

type FirstStepProps = {
  readonly number: number;
  readonly isDone: boolean;
  readonly name: string;
  readonly what: string;
  readonly action: ReactNode;
};

function FirstStep({ number, isDone, name, what, action }: FirstStepProps) {
  const t = useTexts(overviewTexts).steps;
  return (
    <li className={isDone ? "fs done" : "fs"}>
      <span className="nr">{isDone ? <StatusIcon name="check" /> : number}</span>
      <div className="inline l">
        <div>
          <b>{name}</b>
          <p className="dim row-text">{what}</p>
        </div>
        <span className="push">{isDone ? <span className="dim">{t.done}</span> : action}</span>
      </div>
    </li>
  );
}

/** For the role SUPPORT: how to find a person or an email. */
function Support() {
  const t = useTexts(overviewTexts).steps.support;
  return (
    <section className="panel pad stack l" aria-label={t.title}>
      <div>
        <b>{t.title}</b>
        <p className="dim row-text">{t.what}</p>
      </div>
      <div className="inline wrap">
        <Button kind="first" icon="search" onClick={() => paletteIsOpen.set(true)}>
          {t.search}
        </Button>
        <ButtonLink icon="people" to="/people">
          {t.contacts}
        </ButtonLink>
        <ButtonLink icon="mail" to="/mail">
          {t.emails}
        </ButtonLink>
      </div>
    </section>
  );
}

type SendTestProps = { readonly number: number; readonly isNext: boolean };

/** A workspace without a verified domain has one for tests, so this step is always possible. */
function SendTest({ number, isNext }: SendTestProps) {
  const t = useTexts(overviewTexts).steps;
  const disabledReason = useDisabledReason("mail.send");
  const [sends, setSends] = useState(false);
  return (
    <li className="fs open">
      <span className="nr">{number}</span>
      <div className="stack">
        <div>
          <b>{t.names.mailSent}</b>
          <p className="dim row-text">{t.what.mailSent}</p>
        </div>
        <FirstCall />
        <div className="inline waits">
          <Button
            kind={isNext ? "first" : undefined}
            icon="send"
            disabledReason={disabledReason}
            onClick={() => setSends(true)}
          >
            {t.sendFromHere}
          </Button>
          <span className="live" role="status">
            <StatusIcon name="waiting" tone="dim" />
            {t.waiting}
          </span>
        </div>
        {sends && <TestEmail close={() => setSends(false)} />}
      </div>
    </li>
  );
}

function Aside({ callsToo }: { readonly callsToo: boolean }) {
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
          {callsToo && (
            <li className="inline">
              <Icon name="code" />
              <span>{t.asCall}</span>
            </li>
          )}
        </ul>
      </div>
    </aside>
  );
}

function ThisServer() {
  const t = useTexts(overviewTexts).steps;
  const { data } = useQuery(query("GET /installation"));
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
