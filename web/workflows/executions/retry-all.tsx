// Retries a step for all people for whom it failed.
import { useDrawn } from "../canvas/on-canvas.ts";
import { Button } from "../../parts/button.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { useRetry } from "../calls.ts";
import type { DrawnStep } from "../drawing.ts";

export function isRetriable({ type }: DrawnStep): boolean {
  return type === "WEBHOOK" || type === "SEND_EMAIL";
}

export function RetryAll({ step }: { readonly step: string }) {
  const { id, words, disabledReason } = useDrawn();
  const { t, number } = words;
  const { mutate, isPending } = useRetry(id, (count) =>
    showToast(count === 0 ? t.panel.noneRetried : t.panel.retried(number(count), count)),
  );
  return (
    <Button
      kind="quiet"
      small
      icon="again"
      busy={isPending}
      disabledReason={disabledReason}
      onClick={() => mutate(step)}
    >
      {t.panel.retryAll}
    </Button>
  );
}
