// The first mail as a call that works when it is pasted: with a key that is made for it.
import { useState } from "react";
import { useTexts } from "../language.ts";
import { Button, OffWhy } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { Bones } from "../parts/layout.tsx";
import { Seg } from "../parts/seg.tsx";
import { showFault } from "../parts/toast.tsx";
import { useMe, useOff } from "../session.ts";
import { useMakingKeys } from "../set-up/keys/make.tsx";
import { NO_SENDER, useSenders } from "../set-up/sender.ts";
import { API } from "../set-up/smtp/lines/api.ts";
import { overviewTexts } from "../texts/areas.ts";

const SHOWN = ["curl", "node", "python", "php"];
const PLACEHOLDER = "$KEY";

export function FirstCall() {
  const t = useTexts(overviewTexts).steps;
  const [chosen, choose] = useState("curl");
  const off = useOff("keys");
  const making = useMakingKeys();
  const { email } = useMe();
  const senders = useSenders();
  // Without its sender the call would be refused.
  if (!senders) return <Bones rows={3} columns={1} />;
  const languages = API.filter(({ id }) => SHOWN.includes(id));
  const password = making.data?.secret ?? PLACEHOLDER;
  const text = languages
    .find(({ id }) => id === chosen)
    ?.text({ password, origin: location.origin, to: email, from: senders[0] ?? NO_SENDER });
  const make = () => making.mutate({ name: t.keyName, domains: [] }, { onError: showFault });
  return (
    <>
      <Code
        what={t.call}
        text={text ?? ""}
        title={
          <Seg
            small
            label={t.language}
            choices={languages.map(({ id, name }) => ({ value: id, content: name }))}
            value={chosen}
            onChange={choose}
          />
        }
      />
      {senders.length === 0 && <OffWhy>{t.noSender}</OffWhy>}
      {making.data ? (
        <p className="off-why">{t.keyIsIn}</p>
      ) : (
        <div className="inline">
          <Button small icon="key" off={off} busy={making.isPending} onClick={make}>
            {t.makeKey}
          </Button>
          <span className="dim small">{off ?? t.placeholder}</span>
        </div>
      )}
    </>
  );
}
