// The first email as an API call that works when pasted, with a key created for it.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../../base/language.ts";
import { Button, DisabledReason } from "../../parts/button.tsx";
import { Code } from "../../parts/code.tsx";
import { Skeleton } from "../../parts/layout.tsx";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { showFault } from "../../parts/overlays/toast.tsx";
import { useMe, useDisabledReason } from "../../calls/session.ts";
import { useCreateKeys } from "../../settings/keys/create-key.tsx";
import { domainsQuery } from "../../settings/domains/calls.ts";
import { NO_SENDER, useSenders } from "../../settings/sender.ts";
import { API } from "../../settings/smtp/snippets/api.ts";
import { overviewTexts } from "../../texts/areas.ts";

const SHOWN = ["curl", "node", "python", "php"];
const PLACEHOLDER = "$KEY";

export function FirstCall() {
  const t = useTexts(overviewTexts).steps;
  const [chosen, choose] = useState("curl");
  const disabledReason = useDisabledReason("keys");
  const creating = useCreateKeys();
  const { email } = useMe();
  const senders = useSenders();
  const domains = useQuery({ ...domainsQuery, throwOnError: false });
  // Without a sender the server would refuse the call.
  if (!senders) return <Skeleton of={domains} rows={3} columns={1} />;
  const languages = API.filter(({ id }) => SHOWN.includes(id));
  const password = creating.data?.secret ?? PLACEHOLDER;
  const text = languages
    .find(({ id }) => id === chosen)
    ?.text({ password, origin: location.origin, to: email, from: senders[0] ?? NO_SENDER });
  const create = () => creating.mutate({ name: t.keyName, domains: [] }, { onError: showFault });
  return (
    <>
      <Code
        what={t.call}
        text={text ?? ""}
        title={
          <SegmentedControl
            small
            label={t.language}
            choices={languages.map(({ id, name }) => ({ value: id, content: name }))}
            value={chosen}
            onChange={choose}
          />
        }
      />
      {senders.length === 0 && <DisabledReason>{t.noSender}</DisabledReason>}
      {creating.data ? (
        <p className="disabled-reason">{t.keyIsIn}</p>
      ) : (
        <div className="inline">
          <Button small icon="key" disabledReason={disabledReason} busy={creating.isPending} onClick={create}>
            {t.makeKey}
          </Button>
          <span className="dim small">{disabledReason ?? t.placeholder}</span>
        </div>
      )}
    </>
  );
}
