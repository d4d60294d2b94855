// Progress and result of a retry.
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "../../calls/api.ts";
import type { components } from "../../api.gen.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { StatusIcon } from "../../parts/icons/icon.tsx";
import { queries } from "../../calls/queries.ts";
import { frameTexts, mailTexts } from "../../texts/areas.ts";

type Job = components["schemas"]["RetryJob"];
type ProgressProps = { readonly job: Job; readonly close: () => void };

export function RetryProgress({ job, close }: ProgressProps) {
  const t = useTexts(mailTexts);
  const { close: closeName } = useTexts(frameTexts);
  const { number } = useFormats();
  const isOver = job.status !== "PENDING" && job.status !== "PROCESSING";
  const { successCount = 0, failureCount = 0 } = job.result ?? {};
  return (
    <span className="retrying" role="status">
      {isOver ? (
        <>
          <StatusIcon
            name={failureCount > 0 || job.status !== "COMPLETED" ? "warn" : "delivered"}
            tone={failureCount > 0 ? "warn" : "ok"}
          />
          <span>
            {t.retry.over[job.status](number(successCount))}
            {failureCount > 0 && ` ${t.retry.notQueued(number(failureCount))}`} {job.failedReason}
          </span>
          <FirstFault job={job} />
          <Button kind="quiet" small icon="x" label={closeName} onClick={close} />
        </>
      ) : (
        <>
          <progress aria-label={t.retry.name} max={100} value={job.progress} />
          <span>{t.retry.progress(number(job.progress))}</span>
          <Stop job={job} />
        </>
      )}
    </span>
  );
}

/** The reason of the first skipped email, with a link. */
function FirstFault({ job: { result } }: { readonly job: Job }) {
  const fault = result?.errors[0];
  if (!fault) return null;
  return (
    <Link className="opens cut" to="/mail/$id" params={{ id: fault.emailId }} search={{}} preload={false}>
      {fault.error}
    </Link>
  );
}

function Stop({ job: { id } }: { readonly job: Job }) {
  const t = useTexts(mailTexts);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => call("POST /emails/retry/jobs/{jobId}/cancel", { jobId: id }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ["mails"] }),
  });
  return (
    <Button kind="quiet" small busy={isPending} onClick={() => mutate()}>
      {t.retry.stop}
    </Button>
  );
}
