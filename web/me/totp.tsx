// The authenticator app: its set-up, recovery codes and removal.
import { useState } from "react";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { Dialog } from "../parts/overlays/dialog.tsx";
import { Question } from "../parts/fields/form-dialog.tsx";
import { Section } from "../parts/section.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { lazyPart, nothing } from "../chunks.tsx";
import { saveFile } from "../base/save-file.ts";
import { useMe } from "../calls/session.ts";
import { meTexts } from "../texts/areas.ts";
import { useRemoveTotp, useRenewRecoveryCodes, useSetUpTotp } from "./data.ts";

const SetUp = lazyPart(() => import("./totp-set-up.tsx"), "TotpSetUp", nothing);

export function Totp() {
  const { totp: t } = useTexts(meTexts);
  const { totp } = useMe();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Section title={t.title} text={t.text}>
      {totp ? <App show={setCodes} /> : <NoApp show={setCodes} />}
      {codes && <RecoveryCodes codes={codes} close={() => setCodes(null)} />}
    </Section>
  );
}

type ShowProps = { readonly show: (codes: readonly string[]) => void };

function NoApp({ show }: ShowProps) {
  const { totp: t } = useTexts(meTexts);
  const setUp = useSetUpTotp();
  const done = (codes: readonly string[]) => {
    setUp.reset();
    show(codes);
  };
  return (
    <div>
      <Button icon="phone" busy={setUp.isPending} onClick={() => setUp.mutate()}>
        {t.setUp}
      </Button>
      {setUp.data && <SetUp made={setUp.data} done={done} close={setUp.reset} />}
    </div>
  );
}

function App({ show }: ShowProps) {
  const { totp: t } = useTexts(meTexts);
  const { recoveryCodesLeft } = useMe();
  const renewal = useRenewRecoveryCodes();
  const renew = () => renewal.mutate(undefined, { onSuccess: ({ recoveryCodes }) => show(recoveryCodes) });
  const [asks, setAsks] = useState(false);
  return (
    <>
      <p className="row-text">
        {t.on} {t.left(recoveryCodesLeft)}
      </p>
      <div className="inline wrap">
        <Button icon="again" busy={renewal.isPending} onClick={renew}>
          {t.renew}
        </Button>
        <Button icon="trash" onClick={() => setAsks(true)}>
          {t.remove}
        </Button>
      </div>
      {asks && <Removal close={() => setAsks(false)} />}
    </>
  );
}

function Removal({ close }: { readonly close: () => void }) {
  const { totp: t } = useTexts(meTexts);
  const removal = useRemoveTotp(() => {
    showToast(t.removed);
    close();
  });
  return (
    <Question
      title={t.removal.title}
      text={t.removal.text}
      action={t.remove}
      risk
      busy={removal.isPending}
      run={() => removal.mutate(undefined)}
      close={close}
    />
  );
}

type CodesProps = { readonly codes: readonly string[]; readonly close: () => void };

function RecoveryCodes({ codes, close }: CodesProps) {
  const { recovery: t } = useTexts(meTexts).totp;
  const text = codes.join("\n");
  const save = () => saveFile("posthorn-recovery-codes.txt", new Blob([`${text}\n`], { type: "text/plain" }));
  const actions = (
    <>
      <Button icon="get" onClick={save}>
        {t.download}
      </Button>
      <Button kind="first" onClick={close}>
        {t.done}
      </Button>
    </>
  );
  return (
    <Dialog title={t.title} isOpen stays onClose={close} actions={actions}>
      <div className="stack">
        <p>{t.text}</p>
        <Code title={t.title} text={text} what={t.title} />
      </div>
    </Dialog>
  );
}
