// The first steps of a role that are still open after the first email, each with its button.
import { useTexts } from "../../base/language.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { StatusIcon } from "../../parts/icons/icon.tsx";
import { Panel } from "../../parts/layout.tsx";
import type { Role } from "../../calls/session.ts";
import { overviewTexts } from "../../texts/areas.ts";
import type { FirstSteps } from "../calls.ts";
import { stepsOf, type StepName } from "./first-steps.ts";

type StepsPanelProps = { readonly steps: FirstSteps; readonly role: Role };

export function StepsPanel({ steps, role }: StepsPanelProps) {
  const t = useTexts(overviewTexts).steps;
  const own = stepsOf(role, steps);
  const done = own.filter((step) => steps[step]).length;
  const actions = (
    <>
      <span className="dim row-text">{t.count(done, own.length)}</span>
      {role === "OWNER" && (
        <ButtonLink small to="/first-start">
          {t.setUp}
        </ButtonLink>
      )}
    </>
  );
  return (
    <Panel title={t.title} actions={actions}>
      <ol className="steps pad">
        {own.map((step) => (
          <li key={step} className={steps[step] ? "done" : ""}>
            <StatusIcon name={steps[step] ? "delivered" : "waiting"} tone={steps[step] ? "ok" : "dim"} />
            <span>{t.names[step]}</span>
            {steps[step] ? <span className="hidden-text">{t.done}</span> : <StepAction step={step} />}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

const PLACES = {
  named: { to: "/settings/workspace" },
  domainVerified: { to: "/settings/domains/{-$id}", params: { id: undefined } },
  mailSent: { to: "/settings/smtp", search: { by: "api" } },
  bouncesSetUp: { to: "/settings/server" },
  contacts: { to: "/people/import" },
  team: { to: "/settings/team" },
  brand: { to: "/settings/brand" },
  template: { to: "/templates" },
  campaign: { to: "/campaigns" },
  webhook: { to: "/settings/webhooks", search: { outcome: "all" } },
} as const satisfies Readonly<Record<StepName, object>>;

type StepActionProps = { readonly step: StepName; readonly isFirst?: boolean };

/** `isFirst`: this step is the next one. */
export function StepAction({ step, isFirst = false }: StepActionProps) {
  const t = useTexts(overviewTexts).steps.actions;
  return (
    <ButtonLink small={!isFirst} kind={isFirst ? "first" : undefined} {...PLACES[step]}>
      {t[step]}
    </ButtonLink>
  );
}
