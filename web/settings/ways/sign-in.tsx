// The dialogs to sign in for a way out: a code to enter at the service or a redirect to it, and the result.
import { useEffect } from "react";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Code } from "../../parts/code.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { FaultBanner } from "../../parts/fields/form.tsx";
import { Label } from "../../parts/state.tsx";
import { showWarning } from "../../parts/overlays/toast.tsx";
import { waysTexts } from "../../texts/areas.ts";
import { signedInQuery, signInQuery, type SendingRoute, type SignInAnswer } from "./calls.ts";
import { forgetSignIn, goToSignIn, type SignInReturn } from "./return.ts";

type SignInProps = { readonly way: SendingRoute; readonly close: () => void };

export function SignInDialog({ way: { name }, close }: SignInProps) {
  const t = useTexts(waysTexts).signIn;
  const { data, error, isFetching } = useQuery(signInQuery(name));
  const isAtGoogle = data?.code === null;
  const actions = (
    <>
      <Button kind={isAtGoogle ? undefined : "first"} onClick={close}>
        {t.close}
      </Button>
      {isAtGoogle && (
        <Button kind="first" onClick={() => goToSignIn(data.url, { name, ticket: data.ticket })}>
          {t.leave}
        </Button>
      )}
    </>
  );
  return (
    <Dialog title={t.title(name)} isOpen onClose={close} actions={actions}>
      <div className="stack">
        {error && !isFetching && <FaultBanner fault={error} />}
        {isFetching && <p role="status">{t.busy}</p>}
        {!isFetching && isAtGoogle && (
          <>
            <p>{t.comeBack}</p>
            <Code
              title={t.registered}
              text={new URL(data.url).searchParams.get("redirect_uri") ?? ""}
              what={t.address}
            />
          </>
        )}
        {!isFetching && data && data.code !== null && (
          <>
            <p>
              {t.open}{" "}
              <a href={data.url} target="_blank" rel="noopener noreferrer">
                {data.url}
              </a>
              {t.enter}
            </p>
            <Code text={data.code} what={t.code} />
            <Agreement name={name} ending={data} />
          </>
        )}
      </div>
    </Dialog>
  );
}

type ReturnDialogProps = { readonly back: SignInReturn; readonly close: () => void };

/** After the redirect back: sends the answer and removes it from the URL. */
export function ReturnDialog({ back: { pending, answer }, close }: ReturnDialogProps) {
  const t = useTexts(waysTexts).signIn;
  const { history } = useRouter();
  useEffect(() => {
    forgetSignIn();
    history.replace("/app/settings/ways");
    if (pending === null) showWarning(t.elsewhere);
  }, [history, pending, t]);
  if (pending === null) return null;
  const { name, ticket } = pending;
  const actions = (
    <Button kind="first" onClick={close}>
      {t.close}
    </Button>
  );
  return (
    <Dialog title={t.title(name)} isOpen onClose={close} actions={actions}>
      <Agreement name={name} ending={{ ticket, answer, intervalSeconds: null }} />
    </Dialog>
  );
}

type AgreementProps = { readonly name: string; readonly ending: SignInAnswer };

function Agreement({ name, ending }: AgreementProps) {
  const t = useTexts(waysTexts).signIn;
  const { data, error } = useQuery(signedInQuery(name, ending));
  if (error && data === undefined) return <FaultBanner fault={error} />;
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
          <p>{data.problemCode === null ? data.problem : t.problems[data.problemCode]}</p>
        </>
      )}
      {(data === undefined || data.state === "WAITING") && <p className="dim">{ending.answer ? t.ends : t.waits}</p>}
    </div>
  );
}
