// New keys, shown only once.
import { curlOf } from "../../curl.ts";
import { useTexts } from "../../language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button, DisabledReason } from "../../parts/button.tsx";
import { Code } from "../../parts/code.tsx";
import { keysTexts } from "../../texts/areas.ts";
import { NO_SENDER, useSenders } from "../sender.ts";

type NewKeysProps = {
  readonly keys: { readonly public: string; readonly secret: string; readonly domains: readonly string[] | null };
  readonly close: () => void;
};

export function NewKeys({ keys, close }: NewKeysProps) {
  const t = useTexts(keysTexts).fresh;
  const senders = useSenders(keys.domains);
  const body = { to: "you@example.com", from: senders?.[0] ?? NO_SENDER, subject: t.subject, body: t.body };
  const curl = curlOf({ method: "POST", path: "/v1/send", body }).replace("$KEY", keys.secret);
  return (
    <div className="stack l">
      <Banner tone="warn">
        <b>{t.once}</b> {t.onceText}
      </Banner>
      <Code title={t.secret} what={t.secret} text={keys.secret} />
      <Code title={t.public} what={t.public} text={keys.public} />
      <Code title={t.try} what={t.call} text={curl} />
      {senders?.length === 0 && <DisabledReason>{t.noSender}</DisabledReason>}
      <div className="actions">
        <Button kind="first" onClick={close}>
          {t.done}
        </Button>
      </div>
    </div>
  );
}
