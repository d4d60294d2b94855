// One entry: who, what, on which record, when.
import { Link } from "@tanstack/react-router";
import type { components } from "../api.gen.ts";
import { useTexts } from "../language.ts";
import { CopyButton } from "../parts/copy.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { Time } from "../parts/time.tsx";
import { auditTexts } from "../texts/areas.ts";

export type AuditEntry = components["schemas"]["AuditEntry"];

const ICONS = { PERSON: "user", KEY: "key", COMMAND_LINE: "code" } as const satisfies Record<
  AuditEntry["by"]["kind"],
  IconName
>;

export function Entry({ entry: { at, action, by, target } }: { readonly entry: AuditEntry }) {
  const t = useTexts(auditTexts);
  const name = by.name ?? t.nameless[by.kind];
  return (
    <li className="line">
      <Icon name={ICONS[by.kind]} />
      <span className="cut">
        {by.id === null ? (
          <b>{name}</b>
        ) : (
          <Link
            from="/set-up/team/audit"
            search={({ kind: _, ...before }) => ({ ...before, who: by.id ?? "" })}
            title={t.onlyThis}
          >
            {name}
          </Link>
        )}
      </span>
      <span className="what">
        <span>{(t.actions as Readonly<Record<string, string>>)[action] ?? inWords(action)}</span>
        {target !== null && (
          <span className="target">
            <code title={target}>…{target.slice(-8)}</code>
            <CopyButton text={target} what="ID" />
          </span>
        )}
      </span>
      <span className="dim small end">
        <Time at={at} />
      </span>
    </li>
  );
}

/** `rotateDomainKey` as "rotate domain key". */
function inWords(action: string): string {
  return action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
