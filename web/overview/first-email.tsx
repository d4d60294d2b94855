// Before the first email: the first steps for each role, each ticked once it is really done.
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { api, unwrap } from "../api.ts";
import { useTexts } from "../language.ts";
import { Banner } from "../parts/banner.tsx";
import { brandQuery } from "../brand/calls.ts";
import { paletteIsOpen } from "../palette/open.ts";
import { Button, ButtonLink } from "../parts/button.tsx";
import { Icon, StatusIcon } from "../parts/icon.tsx";
import { Facts, KeyHints } from "../parts/layout.tsx";
import { MOD } from "../keyboard.ts";
import { SegmentedControl } from "../parts/segmented-control.tsx";
import { useMe, useDisabledReason, useMembership, type Role } from "../session.ts";
import { TestEmail } from "../settings/test-email.tsx";
import { overviewTexts } from "../texts/areas.ts";
import { campaignsQuery, type Need, type Steps } from "./calls.ts";
import { FirstCall } from "./first-call.tsx";
import { STEPS } from "./first-steps.ts";
import { NeedsAttention } from "./needs-attention.tsx";
import { StepAction } from "./steps.tsx";

type FirstEmailProps = { readonly steps: Steps; readonly needs: readonly Need[] };

const VIEWS = ["marketing", "development", "support"] as const;
type View = (typeof VIEWS)[number];

/** Whose steps a role sees first. */
const FIRST_VIEW: Readonly<Record<Role, View>> = {
  OWNER: "development",
  ADMIN: "development",
  DEVELOPER: "development",
  MARKETER: "marketing",
  EDITOR: "marketing",
  SUPPORT: "support",
};

export function FirstEmail({ steps, needs }: FirstEmailProps) {
  const t = useTexts(overviewTexts).steps;
  const { name } = useMe();
  const role = useMembership()?.role ?? "OWNER";
  const [view, show] = useState<View>(FIRST_VIEW[role]);
  return (
    <div className="page welcome">
      <div className="stack l">
        <div className="stack tight">
          <h2 className="title">{t.welcome(name.split(" ")[0] ?? name)}</h2>
          <p className="dim">{t.how[view]}</p>
        </div>
        <SegmentedControl
          label={t.views}
          value={view}
          onChange={show}
          choices={VIEWS.map((one) => ({ value: one, content: t.viewNames[one] }))}
        />
        {needs.length > 0 && <NeedsAttention needs={needs} />}
        {view === "development" && <Development steps={steps} />}
        {view === "marketing" && <Marketing steps={steps} />}
        {view === "support" && <Support />}
      </div>
      <Aside />
    </div>
  );
}

function Development({ steps }: { readonly steps: Steps }) {
  const t = useTexts(overviewTexts).steps;
  return (
    <section className="panel" aria-label={t.title}>
      <ol className="firsts">
        <li className="fs open">
          <span className="nr">1</span>
          <SendTest />
        </li>
        {STEPS.slice(1).map((step, at) => (
          <FirstStep
            key={step}
            number={at + 2}
            isDone={steps[step]}
            name={t.names[step]}
            what={t.what[step]}
            action={<StepAction step={step} />}
          />
        ))}
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

/** Contacts, the brand, a campaign. */
function Marketing({ steps }: { readonly steps: Steps }) {
  const t = useTexts(overviewTexts).steps;
  const { data: brand } = useQuery({ ...brandQuery, throwOnError: false });
  const { data: campaigns } = useQuery({ ...campaignsQuery, throwOnError: false });
  const hasBrand = brand !== undefined && (brand.logoUrl !== null || Object.keys(brand.colors).length > 0);
  return (
    <section className="panel" aria-label={t.title}>
      <ol className="firsts">
        <FirstStep
          number={1}
          isDone={steps.contacts}
          name={t.names.contacts}
          what={t.marketing.contacts}
          action={
            <ButtonLink kind="first" to="/people/import">
              {t.marketing.import}
            </ButtonLink>
          }
        />
        <FirstStep
          number={2}
          isDone={hasBrand}
          name={t.marketing.brand}
          what={t.marketing.brandWhat}
          action={<ButtonLink to="/settings/brand">{t.marketing.toBrand}</ButtonLink>}
        />
        <FirstStep
          number={3}
          isDone={(campaigns?.data.length ?? 0) > 0}
          name={t.marketing.campaign}
          what={t.marketing.campaignWhat}
          action={<ButtonLink to="/campaigns">{t.marketing.toCampaigns}</ButtonLink>}
        />
      </ol>
    </section>
  );
}

/** Support finds a person or an email. */
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
