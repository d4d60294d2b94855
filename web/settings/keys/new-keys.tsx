// New keys, shown only once.
import { curlOf } from "../../calls/curl.ts";
import type { ReactNode } from "react";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button, DisabledReason } from "../../parts/button.tsx";
import { Code } from "../../parts/code.tsx";
import { keysTexts } from "../../texts/areas.ts";
import { NO_SENDER, useSenders } from "../sender.ts";

type KeysOnceProps = {
  readonly keys: { readonly public: string; readonly secret: string };
  readonly close: () => void;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
};

export function KeysOnce({ keys, close, actions, children }: KeysOnceProps) {
  const t = useTexts(keysTexts).fresh;
  return (
    <div className="stack l">
      <Banner tone="warn">
        <b>{t.once}</b> {t.onceText}
      </Banner>
      <Code title={t.secret} what={t.secret} text={keys.secret} />
      <Code title={t.public} what={t.public} text={keys.public} />
      {children}
      <div className="actions">
        {actions}
        <Button kind="first" onClick={close}>
          {t.done}
        </Button>
      </div>
    </div>
  );
}

type NewKeysProps = KeysOnceProps & {
  readonly keys: KeysOnceProps["keys"] & { readonly domains: readonly string[] | null };
};

export function NewKeys({ keys, close }: NewKeysProps) {
  const t = useTexts(keysTexts).fresh;
  const senders = useSenders(keys.domains);
  const body = { to: "you@example.com", from: senders?.[0] ?? NO_SENDER, subject: t.subject, body: t.body };
  const curl = curlOf({ method: "POST", path: "/v1/send", body }).replace("$KEY", keys.secret);
  return (
    <KeysOnce keys={keys} close={close}>
      <Code title={t.try} what={t.call} text={curl} />
      {senders?.length === 0 && <DisabledReason>{t.noSender}</DisabledReason>}
    </KeysOnce>
  );
}
