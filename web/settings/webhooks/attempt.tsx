// One attempt as a row: URL, status, duration, next attempt. It expands to the response.
import { useMutation } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import type { components } from "../../api.gen.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { Facts } from "../../parts/layout.tsx";
import { Label } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { queries } from "../../calls/queries.ts";
import { useDisabledReason } from "../../calls/session.ts";
import { webhooksTexts } from "../../texts/areas.ts";
import { OUTCOME_TONES } from "./state.ts";

type Attempt = components["schemas"]["WebhookAttempt"];

export function AttemptRow({ attempt }: { readonly attempt: Attempt }) {
  const t = useTexts(webhooksTexts);
  const { span } = useFormats();
  const { outcome, status, host, durationMs, at, workflowName, nextAt } = attempt;
  const how = outcome ?? "underWay";
  return (
    <details className="attempt">
      <summary className="line">
        <Label {...OUTCOME_TONES[how]}>{t.states[how]}</Label>
        <span className="cut">
          <b>{host}</b> <span className="dim">{workflowName}</span>
        </span>
        <span className="dim end">{status ?? t.noAnswer}</span>
        <span className="dim end">{durationMs === null ? "" : span(durationMs)}</span>
        <span className="dim small end">
          {nextAt && outcome === "later" ? (
            <>
              {t.next} <Time at={nextAt} />
            </>
          ) : (
            <Time at={at} />
          )}
        </span>
      </summary>
      <Detail attempt={attempt} />
    </details>
  );
}

function Detail({ attempt }: { readonly attempt: Attempt }) {
  const t = useTexts(webhooksTexts);
  const { webhookId, number, at, reply, nextAt, stepName } = attempt;
  return (
    <div className="detail stack">
      <Facts
        facts={[
          [
            t.id,
            <span key="id" className="value">
              <code>{webhookId}</code>
              <CopyButton text={webhookId} what={t.id} />
            </span>,
          ],
          [t.attempt, t.attemptAt(number)],
          [t.at, <Time key="at" at={at} as="exact" />],
          stepName === null ? null : [t.step, stepName],
          nextAt === null ? null : [t.nextAttempt, <Time key="next" at={nextAt} as="exact" />],
        ]}
      />
      {reply ? (
        <div className="code wraps">
          <pre>{reply}</pre>
        </div>
      ) : (
        <p className="dim row-text">{t.noReply}</p>
      )}
      <Retry attempt={attempt} />
    </div>
  );
}

/** Only if no automatic retry is left. */
function Retry({ attempt: { state, workflowId, executionId, stepId } }: { readonly attempt: Attempt }) {
  const t = useTexts(webhooksTexts);
  const disabledReason = useDisabledReason("workflows.run");
  const path = { id: workflowId, executionId, stepId };
  const retry = useMutation({
    mutationFn: () => call("POST /workflows/{id}/executions/{executionId}/steps/{stepId}/retry", path),
    onSuccess: () => {
      showToast(t.again.done);
      return queries.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });
  if (state !== "FAILED") return null;
  return (
    <div>
      <Button small icon="again" disabledReason={disabledReason} busy={retry.isPending} onClick={() => retry.mutate()}>
        {t.again.action}
      </Button>
    </div>
  );
}
