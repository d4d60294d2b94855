// The first steps that remain once email has been sent, each with its button.
import { useTexts } from "../language.ts";
import { curlOf } from "../curl.ts";
import { ButtonLink } from "../parts/button.tsx";
import { CopyWords } from "../parts/copy.tsx";
import { StatusIcon } from "../parts/icon.tsx";
import { Panel } from "../parts/layout.tsx";
import { overviewTexts } from "../texts/areas.ts";
import type { Steps } from "./calls.ts";
import { STEPS, type StepName } from "./first-steps.ts";

export function StepsPanel({ steps }: { readonly steps: Steps }) {
  const t = useTexts(overviewTexts).steps;
  const done = STEPS.filter((step) => steps[step]).length;
  return (
    <Panel title={t.title} actions={<span className="dim row-text">{t.count(done, STEPS.length)}</span>}>
      <ol className="steps pad">
        {STEPS.map((step) => (
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

const FIRST_PERSON = {
  method: "POST",
  path: "/contacts",
  body: { email: "ada@example.com", subscribed: true },
} as const;

export function StepAction({ step }: { readonly step: StepName }) {
  const t = useTexts(overviewTexts).steps.actions;
  switch (step) {
    case "mailSent":
      return (
        <ButtonLink small to="/settings/smtp" search={{ by: "api" }}>
          {t.mailSent}
        </ButtonLink>
      );
    case "domainVerified":
      return (
        <ButtonLink small to="/settings/domains/{-$id}" params={{ id: undefined }}>
          {t.domainVerified}
        </ButtonLink>
      );
    case "bouncesSetUp":
      return (
        <ButtonLink small to="/settings/server">
          {t.bouncesSetUp}
        </ButtonLink>
      );
    case "contacts":
      return <CopyWords text={curlOf(FIRST_PERSON)} name={t.contacts} />;
    case "team":
      return (
        <ButtonLink small to="/settings/team">
          {t.team}
        </ButtonLink>
      );
  }
}
