// A key set as a row of a list: its name, its permissions, when it was created and used, and its actions.
import type { ReactNode } from "react";
import { useTexts } from "../../base/language.ts";
import { Line } from "../../lists/line.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { ResourceActions, type ResourceAction } from "../../parts/overlays/resource-actions.tsx";
import { Time } from "../../parts/time.tsx";
import { keysTexts } from "../../texts/areas.ts";
import type { KeySet } from "./key-dialogs.tsx";

type KeyRowProps = {
  readonly keySet: KeySet;
  /** The time by which the list is ordered, and its name. */
  readonly since: readonly [name: string, at: string | null];
  readonly never: string;
  readonly open?: () => void;
  readonly actions: readonly ResourceAction[];
  readonly children?: ReactNode;
};

export function KeyRow({ keySet, since: [what, at], never, open, actions, children }: KeyRowProps) {
  const t = useTexts(keysTexts);
  const { id, name, lastUsedAt } = keySet;
  return (
    <Line icon="key" name={name ?? t.unnamed} more={<CopyButton text={id} what={t.id} />} open={open}>
      <Limits keySet={keySet} />
      <span className="dim small" data-label={what}>
        {at !== null && <Time at={at} as="brief" />}
      </span>
      <span className="dim small" data-label={t.used}>
        {lastUsedAt === null ? never : <Time at={lastUsedAt} as="brief" />}
      </span>
      <ResourceActions label={t.actions(name ?? t.unnamed)} actions={actions} />
      {children}
    </Line>
  );
}

function Limits({ keySet: { domains, permissions, allowedIps, expiresAt } }: { readonly keySet: KeySet }) {
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
