// What the audit log is narrowed to: whose changes, and of which kind.
import { getRouteApi } from "@tanstack/react-router";
import { useTexts } from "../language.ts";
import { ListTabs } from "../lists/tabs.tsx";
import { useMe } from "../session.ts";
import { useMembers } from "../team/data.ts";
import { auditTexts } from "../texts/areas.ts";
import type { AuditSearch } from "./search.ts";

const route = getRouteApi("/frame/settings/team/audit");
const KINDS = ["ALL", "PERSON", "KEY", "COMMAND_LINE"] as const;
const LISTS = ["workspace", "installation"] as const;

type Narrow = (change: Partial<Record<keyof AuditSearch, string | undefined>>) => void;

export function useNarrow(): Narrow {
  const navigate = route.useNavigate();
  return (change) => void navigate({ search: (before) => ({ ...before, ...change }) as AuditSearch, replace: true });
}

export function AuditTabs({ search, narrow }: { readonly search: AuditSearch; readonly narrow: Narrow }) {
  const t = useTexts(auditTexts);
  const { owner } = useMe();
  return (
    <>
      <ListTabs
        label={t.kind}
        tabs={KINDS.map((value) => ({ value, name: t.kinds[value] }))}
        value={search.kind ?? "ALL"}
        onChange={(kind) => narrow({ kind: kind === "ALL" ? undefined : kind, who: undefined })}
      />
      {owner && (
        <ListTabs
          label={t.list}
          tabs={LISTS.map((value) => ({ value, name: t.lists[value] }))}
          value={search.of ?? "workspace"}
          onChange={(of) => narrow({ of: of === "installation" ? of : undefined })}
        />
      )}
    </>
  );
}

/** Of a person or key, by its id. */
export function useMemberName(): (id: string) => string {
  const { all } = useMembers();
  return (id) => all?.find((member) => member.id === id)?.name ?? id.slice(-8);
}
