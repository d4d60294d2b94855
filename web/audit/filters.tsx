// Filters of the audit log: whose changes, and of which kind.
import { getRouteApi } from "@tanstack/react-router";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { SearchField } from "../parts/search-field.tsx";
import { SegmentedControl } from "../parts/segmented-control.tsx";
import { useMe } from "../session.ts";
import { useMembers } from "../team/data.ts";
import { auditTexts } from "../texts/areas.ts";
import type { AuditSearch } from "./route.ts";

const route = getRouteApi("/frame/settings/team/audit");
const KINDS = ["ALL", "PERSON", "KEY", "COMMAND_LINE"] as const;
const LISTS = ["workspace", "installation"] as const;

export function Filters({ search }: { readonly search: AuditSearch }) {
  const t = useTexts(auditTexts);
  const { owner } = useMe();
  const navigate = route.useNavigate();
  const set = (change: Partial<Record<keyof AuditSearch, string | undefined>>) =>
    void navigate({ search: (before) => ({ ...before, ...change }) as AuditSearch, replace: true });
  return (
    <div className="inline l find">
      <SearchField name={t.find} value={search.search} onChange={(words) => set({ search: words })} />
      <SegmentedControl
        label={t.kind}
        choices={KINDS.map((value) => ({ value, content: t.kinds[value] }))}
        value={search.kind ?? "ALL"}
        onChange={(kind) => set({ kind: kind === "ALL" ? undefined : kind, who: undefined })}
      />
      {owner && (
        <SegmentedControl
          label={t.list}
          choices={LISTS.map((value) => ({ value, content: t.lists[value] }))}
          value={search.of ?? "workspace"}
          onChange={(of) => set({ of: of === "installation" ? of : undefined })}
        />
      )}
      {search.who !== undefined && <Only id={search.who} clear={() => set({ who: undefined })} />}
    </div>
  );
}

/** Narrows to one person or key. */
function Only({ id, clear }: { readonly id: string; readonly clear: () => void }) {
  const t = useTexts(auditTexts);
  const name = useMembers().all?.find((member) => member.id === id)?.name;
  return (
    <Button small icon="x" onClick={clear}>
      {t.only(name ?? id.slice(-8))}
    </Button>
  );
}
