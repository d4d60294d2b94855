// The steps of a first start, for owners. Each can be done later.
import { getRouteApi, Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { lazyPart } from "../chunks.tsx";
import { Bar } from "../parts/bar.tsx";
import { useTexts } from "../base/language.ts";
import { ButtonLink } from "../parts/button.tsx";
import { StatusIcon } from "../parts/icons/icon.tsx";
import { Panel, Skeleton } from "../parts/layout.tsx";
import { OwnersOnly } from "../settings/owners-only.tsx";
import { firstStartTexts } from "../texts/areas.ts";
import { AddressStep } from "./address.tsx";
import { useDone } from "./state.ts";
import { STEPS, stepAfter, stepIn } from "./step-names.ts";
import "./first-start.css";

const route = getRouteApi("/frame/first-start");

const PARTS = {
  address: AddressStep,
  way: lazyPart(() => import("./way.tsx"), "WayStep"),
  domain: lazyPart(() => import("./domain.tsx"), "DomainStep"),
  next: lazyPart(() => import("./next.tsx"), "NextStep"),
};

export function FirstStart() {
  const t = useTexts(firstStartTexts);
  return (
    <>
      <Bar title={t.title} call={{ path: "/installation", person: true }} />
      <div className="page">
        <OwnersOnly>
          <Steps />
        </OwnersOnly>
      </div>
    </>
  );
}

function Steps() {
  const t = useTexts(firstStartTexts);
  const { step = "address" } = route.useSearch();
  const done = useDone();
  const Part = PARTS[step];
  const following = stepAfter(step);
  return (
    <div className="cols first-start">
      <StepList done={done} />
      <div className="stack l">
        <Panel title={t.steps[step].title}>
          <div className="pad stack l">
            <p className="row-text">{t.steps[step].text}</p>
            <Suspense fallback={<Skeleton of={null} rows={4} columns={2} />}>
              <Part />
            </Suspense>
          </div>
        </Panel>
        <div className="actions">
          {step === "next" ? (
            <ButtonLink kind="first" to="/">
              {t.toOverview}
            </ButtonLink>
          ) : (
            <>
              <ButtonLink to="/">{t.leave}</ButtonLink>
              <ButtonLink kind="first" to="/first-start" search={{ step: stepIn(following) }}>
                {done[step] ? t.continue : t.later}
              </ButtonLink>
            </>
          )}
        </div>
      </div>
    </div>
  );
}

function StepList({ done }: { readonly done: ReturnType<typeof useDone> }) {
  const t = useTexts(firstStartTexts);
  return (
    <nav aria-label={t.title}>
      <ol className="first-start-steps">
        <li>
          <StatusIcon name="delivered" tone="ok" />
          <span className="dim">{t.owner}</span>
          <span className="hidden-text">{t.done}</span>
        </li>
        {STEPS.map((step) => (
          <li key={step}>
            <StatusIcon name={done[step] ? "delivered" : "waiting"} tone={done[step] ? "ok" : "dim"} />
            <Link
              to="/first-start"
              search={{ step: stepIn(step) }}
              activeOptions={{ exact: true, includeSearch: true }}
            >
              {t.steps[step].name}
            </Link>
            {done[step] && <span className="hidden-text">{t.done}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
