// The result of a step in a test run: the rendered email, the webhook request, the branch taken.
import { useState } from "react";
import { useDrawn } from "../canvas/on-canvas.ts";
import { Button } from "../../parts/button.tsx";
import { Code } from "../../parts/code.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { StatusIcon } from "../../parts/icons/icon.tsx";
import { Time } from "../../parts/time.tsx";
import { DraftFrame, type PreviewLook } from "../../writing/preview/frame.tsx";
import type { Person } from "../../writing/preview/people.ts";
import type { DrawnStep } from "../drawing.ts";
import { branchName } from "../describe-step.ts";
import type { TestRun, TestedStep } from "./test-run.ts";

type TestedMail = {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
};
type Request = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

type TestedStepProps = { readonly step: DrawnStep; readonly person: Person; readonly trial: TestRun };

export function TestedStepPanel({ step, person, trial }: TestedStepProps) {
  const { words } = useDrawn();
  const { panel: t } = words.t;
  const tried = trial.stepAt(step.ref);
  if (!trial.found || step.type === "TRIGGER") return null;
  if (!tried) return <p className="help">{t.notReached(person.name)}</p>;
  const title =
    step.type === "SEND_EMAIL"
      ? t.wouldGet(person.name)
      : step.type === "WEBHOOK"
        ? t.wouldSend
        : t.wouldBe(person.name);
  return (
    <section className="stack tight" aria-label={title}>
      <h3>{title}</h3>
      <Outcome step={step} tried={tried} />
    </section>
  );
}

function Outcome({ step, tried: { status, output, at } }: { readonly step: DrawnStep; readonly tried: TestedStep }) {
  const { words } = useDrawn();
  const { panel: t } = words.t;
  const { mail, request, reason, branch, found, data } = output as {
    readonly mail?: TestedMail;
    readonly request?: Request;
    readonly reason?: string;
    readonly branch?: string;
    readonly found?: unknown;
    readonly data?: unknown;
  };
  if (mail) return <TestedEmail mail={mail} />;
  if (request) return <TestedRequest request={request} />;
  return (
    <div className="stack tight row-text">
      {status !== "COMPLETED" && (
        <p className="inline">
          <StatusIcon name={status === "SKIPPED" ? "skipped" : "failed"} tone={status === "SKIPPED" ? "dim" : "bad"} />
          <span>
            {status === "SKIPPED" ? t.skippedFor : t.failedFor} {reason}
          </span>
        </p>
      )}
      {step.type === "CONDITION" && found !== undefined && (
        <p>{found === null ? t.foundNone : t.found(JSON.stringify(found))}</p>
      )}
      {branch !== undefined && <p>{t.goesBy(branchName(branch, step, words))}</p>}
      {step.type === "DELAY" && (
        <p>
          {t.later} <Time at={String(output["resumeAt"] ?? at)} />
        </p>
      )}
      {data !== undefined && <Code text={JSON.stringify(data, null, 2)} />}
    </div>
  );
}

const EMAIL_LOOK: PreviewLook = { width: "wide", scheme: "light", hasImages: false };

function TestedEmail({ mail }: { readonly mail: TestedMail }) {
  const { words } = useDrawn();
  const { panel: t } = words.t;
  const [isWhole, showWhole] = useState(false);
  return (
    <div className="mini">
      <p>
        <b>{mail.subject}</b>
      </p>
      <p className="dim small cut">
        {mail.from} → {mail.to}
      </p>
      <p className="mail-text">{mail.text}</p>
      <Button small icon="eye" onClick={() => showWhole(true)}>
        {t.whole}
      </Button>
      <Dialog title={mail.subject} wide isOpen={isWhole} onClose={() => showWhole(false)}>
        <div className="whole-mail">
          <DraftFrame html={mail.html} title={mail.subject} look={EMAIL_LOOK} />
        </div>
      </Dialog>
    </div>
  );
}

function TestedRequest({ request: { url, method, headers, body } }: { readonly request: Request }) {
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return <Code text={`${lines.join("\n")}${body === null ? "" : `\n\n${readable(body)}`}`} />;
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
