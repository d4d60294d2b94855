// The dialogs to try, pause or remove a way out.
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { FaultBanner } from "../../parts/fields/form.tsx";
import { Question } from "../../parts/fields/form-dialog.tsx";
import { Label } from "../../parts/state.tsx";
import type { AnswerOf } from "../../calls/routes.ts";
import { showToast } from "../../parts/overlays/toast.tsx";
import { waysTexts } from "../../texts/areas.ts";
import { tryQuery, useRemoveWay, useTurnWay, type SendingRoute } from "./calls.ts";

type DialogProps = { readonly way: SendingRoute; readonly close: () => void };

export function TryDialog({ way: { name }, close }: DialogProps) {
  const { test: t } = useTexts(waysTexts);
  const trying = useQuery(tryQuery(name));
  const { isFetching, refetch } = trying;
  const actions = (
    <>
      <Button busy={isFetching} onClick={() => void refetch()}>
        {t.again}
      </Button>
      <Button kind="first" onClick={close}>
        {t.close}
      </Button>
    </>
  );
  return (
    <Dialog title={t.title(name)} isOpen onClose={close} actions={actions}>
      <TryResult of={trying} />
    </Dialog>
  );
}

type Trial = Pick<UseQueryResult<AnswerOf<"POST /installation/ways/{name}/try">>, "data" | "error" | "isFetching">;

/** Whether the connection and the login work. */
export function TryResult({ of: { data, error, isFetching } }: { readonly of: Trial }) {
  const { test: t, refuses } = useTexts(waysTexts);
  return (
    <div role="status" className="stack">
      {error && !isFetching && <FaultBanner fault={error} />}
      {isFetching && <p>{t.busy}</p>}
      {!isFetching && data?.works && (
        <Label icon="check" tone="ok">
          {t.works}
        </Label>
      )}
      {!isFetching &&
        data?.refusedDomains.map(({ domain, problem, problemValues }) => (
          <p key={domain}>{refuses(domain, problemValues["reply"] ?? problem ?? "")}</p>
        ))}
      {!isFetching && data && !data.works && (
        <>
          <Label icon="failed" tone="bad">
            {t.fails}
          </Label>
          <p>{data.problem}</p>
        </>
      )}
    </div>
  );
}

export function PauseQuestion({ way: { name }, close }: DialogProps) {
  const t = useTexts(waysTexts).pause;
  const pausing = useTurnWay(name, "pause", () => {
    showToast(t.done(name));
    close();
  });
  return (
    <Question
      title={t.title(name)}
      close={close}
      action={t.submit}
      busy={pausing.isPending}
      run={() => pausing.mutate()}
      text={t.text}
    />
  );
}

export function RemoveQuestion({ way: { name }, close }: DialogProps) {
  const t = useTexts(waysTexts).remove;
  const removing = useRemoveWay(name, () => {
    showToast(t.done(name));
    close();
  });
  return (
    <Question
      title={t.title(name)}
      close={close}
      action={t.submit}
      risk
      busy={removing.isPending}
      run={() => removing.mutate()}
      text={t.text}
    />
  );
}
