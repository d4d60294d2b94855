// The active key sets, and revoking one.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api.ts";
import type { components } from "../../api.gen.ts";
import { useTexts } from "../../language.ts";
import { Button } from "../../parts/button.tsx";
import { ColumnNames } from "../../parts/rows.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { Question } from "../../parts/form-dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Time } from "../../parts/time.tsx";
import { showToast } from "../../parts/toast.tsx";
import { queries } from "../../queries.ts";
import { keysTexts } from "../../texts/areas.ts";

type KeySet = components["schemas"]["KeySet"];

export function KeyRows({ keys }: { readonly keys: readonly KeySet[] }) {
  const t = useTexts(keysTexts);
  const [asked, ask] = useState<KeySet | null>(null);
  const unscoped = keys.filter(({ domains }) => domains === null);
  return (
    <section className="panel" aria-label={t.inUse}>
      <div className="rows keys-list">
        <ColumnNames columns={[null, t.name, t.scope, t.made, t.used, null]} />
        {keys.map((key) => (
          <Row key={key.id} keySet={key} isLast={key.domains === null && unscoped.length === 1} revoke={ask} />
        ))}
      </div>
      {asked && <Revoke keySet={asked} close={() => ask(null)} />}
    </section>
  );
}

type RowProps = { readonly keySet: KeySet; readonly isLast: boolean; readonly revoke: (keySet: KeySet) => void };

function Row({ keySet, isLast, revoke }: RowProps) {
  const t = useTexts(keysTexts);
  const { id, name, domains, createdAt, lastUsedAt } = keySet;
  return (
    <div className="line">
      <Icon name="key" />
      <span className="inline">
        <b className="cut">{name ?? t.unnamed}</b>
        <CopyButton text={id} what={t.id} />
      </span>
      <span className="dim cut" title={domains?.join(", ")}>
        {domains === null ? t.allDomains : domains.join(", ")}
      </span>
      <span className="dim small" data-label={t.made}>
        <Time at={createdAt} as="brief" />
      </span>
      <span className="dim small" data-label={t.used}>
        {lastUsedAt === null ? t.unused : <Time at={lastUsedAt} as="brief" />}
      </span>
      <Button small kind="risk" disabledReason={isLast ? t.lastOne : undefined} onClick={() => revoke(keySet)}>
        {t.revoke.action}
      </Button>
    </div>
  );
}

function Revoke({ keySet, close }: { readonly keySet: KeySet; readonly close: () => void }) {
  const t = useTexts(keysTexts);
  const { id, name } = keySet;
  const revocation = useMutation({
    mutationFn: () => unwrap(api.DELETE("/keys/{id}", { params: { path: { id } } })),
    onSuccess: () => {
      showToast(t.revoke.done(name ?? t.unnamed));
      return queries.invalidateQueries({ queryKey: ["keys"] });
    },
    onSettled: close,
  });
  return (
    <Question
      title={t.revoke.title(name ?? t.unnamed)}
      close={close}
      action={t.revoke.confirm}
      risk
      busy={revocation.isPending}
      run={() => revocation.mutate()}
      text={t.revoke.text}
    />
  );
}
