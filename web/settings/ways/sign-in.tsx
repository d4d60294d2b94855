// The dialog to sign in for a way out: a code to enter at the service, and whether the person has agreed there.
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../../language.ts";
import { Button } from "../../parts/button.tsx";
import { Code } from "../../parts/code.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FaultBanner } from "../../parts/form.tsx";
import { Label } from "../../parts/state.tsx";
import { waysTexts } from "../../texts/areas.ts";
import { signedInQuery, signInQuery, type SendingRoute } from "./calls.ts";

type SignInProps = { readonly way: SendingRoute; readonly close: () => void };

export function SignInDialog({ way: { name }, close }: SignInProps) {
  const t = useTexts(waysTexts).signIn;
  const { data, error, isFetching } = useQuery(signInQuery(name));
  const actions = (
    <Button kind="first" onClick={close}>
      {t.close}
    </Button>
  );
  return (
    <Dialog title={t.title(name)} isOpen onClose={close} actions={actions}>
      <div className="stack">
        {error && !isFetching && <FaultBanner fault={error} />}
        {isFetching && <p role="status">{t.busy}</p>}
        {!isFetching && data && (
          <>
            <p>
              {t.open}{" "}
              <a href={data.url} target="_blank" rel="noopener noreferrer">
                {data.url}
              </a>
              {t.enter}
            </p>
            <Code text={data.code} what={t.code} />
            <Agreement name={name} code={data} />
          </>
        )}
      </div>
    </Dialog>
  );
}

type AgreementProps = { readonly name: string; readonly code: Parameters<typeof signedInQuery>[1] };

function Agreement({ name, code }: AgreementProps) {
  const t = useTexts(waysTexts).signIn;
  const { data } = useQuery(signedInQuery(name, code));
  return (
    <div role="status" className="stack">
      {data?.state === "DONE" && (
        <Label icon="check" tone="ok">
          {t.done}
        </Label>
      )}
      {data?.state === "FAILED" && (
        <>
          <Label icon="failed" tone="bad">
            {t.failed}
          </Label>
          <p>{data.problem}</p>
        </>
      )}
      {(data === undefined || data.state === "WAITING") && <p className="dim">{t.waits}</p>}
    </div>
  );
}
