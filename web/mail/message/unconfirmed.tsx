// An email whose delivery is unconfirmed: why, whether another copy will be sent, and buttons to settle it.
import { useMutation } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { queries } from "../../calls/queries.ts";
import { useDisabledReason } from "../../calls/session.ts";
import { mailTexts } from "../../texts/areas.ts";
import type { WholeMail } from "../calls.ts";

export function Unconfirmed({ mail: { id, error, scheduledFor } }: { readonly mail: WholeMail }) {
  const t = useTexts(mailTexts).perhaps;
  const formats = useFormats();
  const disabledReason = useDisabledReason("mail.send");
  const settling = useMutation({
    mutationFn: (arrived: boolean) =>
      call(arrived ? "POST /emails/{id}/arrived" : "POST /emails/{id}/not-arrived", { id }),
    onSuccess: (_, arrived) => {
      void queries.invalidateQueries({ queryKey: ["mails"] });
      showToast(arrived ? t.settled.arrived : t.settled.lost);
    },
  });
  const button = (arrived: boolean, name: string) => (
    <Button small disabledReason={disabledReason} busy={settling.isPending} onClick={() => settling.mutate(arrived)}>
      {name}
    </Button>
  );
  return (
    <>
      <Banner tone="warn">
        <b>{t.title}</b>
        <p>{t.text}</p>
        <p>{scheduledFor === null ? t.noRepeat : t.repeat(formats.exact(new Date(scheduledFor)))}</p>
        {error && <p className="mono reply">{error}</p>}
      </Banner>
      <p>{t.todo}</p>
      <div className="inline">
        {button(true, t.arrived)}
        {button(false, t.lost)}
      </div>
    </>
  );
}
