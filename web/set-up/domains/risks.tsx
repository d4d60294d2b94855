// What is asked before it is done: a new DKIM key, and the end of a domain.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, unwrap } from "../../api.ts";
import { useTexts } from "../../language.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { queries } from "../../queries.ts";
import { domainsTexts, frameTexts } from "../../texts/areas.ts";
import { takeUp, type Domain } from "./calls.ts";

type AskedProps = { readonly domain: Domain; readonly close: () => void };

export function RotateKey({ domain, close }: AskedProps) {
  const t = useTexts(domainsTexts).rotate;
  const path = { id: domain.id };
  const rotation = useMutation({
    mutationFn: () => unwrap(api.POST("/domains/{id}/rotate", { params: { path } })),
    onSuccess: takeUp,
    onSettled: close,
  });
  return (
    <Dialog
      title={t.title(domain.domain)}
      isOpen
      onClose={close}
      actions={<Actions close={close} action={t.action} busy={rotation.isPending} run={() => rotation.mutate()} />}
    >
      <p>{t.text}</p>
    </Dialog>
  );
}

export function RemoveDomain({ domain, close }: AskedProps) {
  const t = useTexts(domainsTexts).remove;
  const navigate = useNavigate();
  const path = { id: domain.id };
  const removal = useMutation({
    mutationFn: () => unwrap(api.DELETE("/domains/{id}", { params: { path } })),
    onSuccess: async () => {
      await navigate({ to: "/set-up/domains/{-$id}", params: { id: undefined } });
      await queries.invalidateQueries({ queryKey: ["domains", "all"] });
    },
    onSettled: close,
  });
  return (
    <Dialog
      title={t.title(domain.domain)}
      isOpen
      onClose={close}
      actions={<Actions close={close} action={t.action} busy={removal.isPending} run={() => removal.mutate()} risk />}
    >
      <p>{t.text}</p>
    </Dialog>
  );
}

type ActionsProps = {
  readonly close: () => void;
  readonly action: string;
  readonly busy: boolean;
  readonly run: () => void;
  readonly risk?: boolean;
};

function Actions({ close, action, busy, run, risk }: ActionsProps) {
  const { cancel } = useTexts(frameTexts);
  return (
    <>
      <Button onClick={close}>{cancel}</Button>
      <Button kind={risk ? "risk" : "first"} busy={busy} onClick={run}>
        {action.replace(/…$/, "")}
      </Button>
    </>
  );
}
