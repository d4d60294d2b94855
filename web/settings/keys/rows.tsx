// The active key sets, and what is done with each.
import { useTexts } from "../../language.ts";
import { ColumnNames } from "../../parts/rows.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ResourceActions } from "../../parts/resource-actions.tsx";
import { Time } from "../../parts/time.tsx";
import { keysTexts } from "../../texts/areas.ts";
import { ChangeKey, RotateKey, type KeySet } from "./key-dialogs.tsx";
import { RevokeKey } from "./revoke-key.tsx";

export function KeyRows({ keys }: { readonly keys: readonly KeySet[] }) {
  const t = useTexts(keysTexts);
  const managing = keys.filter(isManaging);
  return (
    <section className="panel" aria-label={t.inUse}>
      <div className="rows keys-list">
        <ColumnNames columns={[null, t.name, t.may, t.made, t.used, null]} />
        {keys.map((key) => (
          <Row key={key.id} keySet={key} isLast={isManaging(key) && managing.length === 1} />
        ))}
      </div>
    </section>
  );
}

function isManaging({ domains, permissions, expiresAt }: KeySet): boolean {
  return domains === null && permissions === "full" && expiresAt === null;
}

type RowProps = { readonly keySet: KeySet; readonly isLast: boolean };

function Row({ keySet, isLast }: RowProps) {
  const t = useTexts(keysTexts);
  const { id, name, createdAt, lastUsedAt } = keySet;
  return (
    <div className="line">
      <Icon name="key" />
      <span className="inline">
        <b className="cut">{name ?? t.unnamed}</b>
        <CopyButton text={id} what={t.id} />
      </span>
      <Limits keySet={keySet} />
      <span className="dim small" data-label={t.made}>
        <Time at={createdAt} as="brief" />
      </span>
      <span className="dim small" data-label={t.used}>
        {lastUsedAt === null ? t.unused : <Time at={lastUsedAt} as="brief" />}
      </span>
      <ResourceActions
        label={t.actions(name ?? t.unnamed)}
        actions={[
          {
            id: "change",
            name: t.change.action,
            icon: "pencil",
            dialog: (close) => <ChangeKey {...{ keySet, close }} />,
          },
          {
            id: "rotate",
            name: t.rotate.action,
            icon: "again",
            dialog: (close) => <RotateKey {...{ keySet, close }} />,
          },
          "line",
          {
            id: "revoke",
            name: t.revoke.action,
            icon: "trash",
            risk: true,
            disabledReason: isLast ? t.lastOne : undefined,
            dialog: (close) => <RevokeKey {...{ keySet, close }} />,
          },
        ]}
      />
    </div>
  );
}

export function Limits({ keySet: { domains, permissions, allowedIps, expiresAt } }: { readonly keySet: KeySet }) {
  const t = useTexts(keysTexts);
  const of = [t.permissions[permissions], domains?.join(", "), allowedIps && t.from(allowedIps.join(", "))];
  const text = of.filter(Boolean).join(" · ");
  return (
    <span className="dim cut" title={text}>
      {text}
      {expiresAt !== null && (
        <>
          {" · "}
          {t.until} <Time at={expiresAt} as="brief" />
        </>
      )}
    </span>
  );
}
