// The filters of the audit log: the kind of author, and the list (this workspace or the server).
import { getRouteApi } from "@tanstack/react-router";
import { useTexts } from "../base/language.ts";
import { ListTabs } from "../lists/tabs.tsx";
import { useMe } from "../calls/session.ts";
import { useMembers } from "../team/data.ts";
import { auditTexts } from "../texts/areas.ts";
import type { AuditSearch } from "./search.ts";

const route = getRouteApi("/frame/settings/team/audit");
const KINDS = ["ALL", "PERSON", "KEY", "COMMAND_LINE"] as const;
const LISTS = ["workspace", "installation"] as const;

type FilterSetter = (change: Partial<Record<keyof AuditSearch, string | undefined>>) => void;

export function useNarrow(): FilterSetter {
  const navigate = route.useNavigate();
  return (change) => void navigate({ search: (before) => ({ ...before, ...change }) as AuditSearch, replace: true });
}

export function AuditTabs({ search, narrow }: { readonly search: AuditSearch; readonly narrow: FilterSetter }) {
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

/** Gets the name of a member by id; for another id, such as a key set's, its last eight characters. */
export function useMemberName(): (id: string) => string {
  const { all } = useMembers();
  return (id) => all?.find((member) => member.id === id)?.name ?? id.slice(-8);
}
