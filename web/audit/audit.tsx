// The audit log, newest first, with filters by person, kind and search, for this workspace or the server.
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { pages } from "../calls/query.ts";
import { compact } from "../base/compact.ts";
import { useTexts } from "../base/language.ts";
import { Line } from "../lists/line.tsx";
import { List } from "../lists/list.tsx";
import { DisabledReason } from "../parts/button.tsx";
import { Empty } from "../parts/layout.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { SettingsBar } from "../settings/settings-bar.tsx";
import { auditTexts } from "../texts/areas.ts";
import { AuditTabs, useMemberName, useNarrow } from "./filters.tsx";
import type { AuditSearch } from "./search.ts";
import { CopyButton } from "../parts/copy.tsx";
import type { IconName } from "../parts/icons/icon.tsx";
import { type AuditEntry, Did, entriesOf, Target, When } from "./what.tsx";

const route = getRouteApi("/frame/settings/team/audit");
const PAGE_SIZE = 50;

export function AuditScreen() {
  const t = useTexts(auditTexts);
  const search = route.useSearch();
  const disabledReason = useDisabledReason("workspace");
  return (
    <>
      <SettingsBar tab="team" title={t.title} call={{ path: "/audit", query: queryOf(search) }} />
      <div className="page narrow">
        {disabledReason === undefined ? (
          <Entries search={search} />
        ) : (
          <>
            <h2 className="title">{t.title}</h2>
            <DisabledReason>{disabledReason}</DisabledReason>
          </>
        )}
      </div>
    </>
  );
}

function Entries({ search }: { readonly search: AuditSearch }) {
  const t = useTexts(auditTexts);
  const { entries, total, ...pages } = useEntries(search);
  const narrow = useNarrow();
  const nameOf = useMemberName();
  const { who } = search;
  const drop = () => narrow({ who: undefined });
  return (
    <List
      isPart
      name={t.title}
      text={t.text}
      texts={{ ...t, noMatch: t.noneFound }}
      search={{
        name: t.find,
        value: search.search,
        onChange: (words) => narrow({ search: words }),
        tokens: who === undefined ? [] : [{ name: "who", text: t.only(nameOf(who)), drop }],
      }}
      tabs={<AuditTabs search={search} narrow={narrow} />}
      className="audit"
      columns={[null, t.kind, t.what, { end: t.when }]}
      items={entries}
      of={pages}
      pages={pages}
      total={total}
      row={(entry) => <Entry key={entry.id} entry={entry} />}
      isNarrowed={Object.keys(search).length > 0}
      clear={() => narrow({ search: undefined, who: undefined, kind: undefined, of: undefined })}
      empty={<Empty title={t.none}>{t.noneText}</Empty>}
    />
  );
}

function useEntries(search: AuditSearch) {
  const { data, ...asked } = useInfiniteQuery(pages("GET /audit", { ...queryOf(search), pageSize: PAGE_SIZE }));
  return { ...asked, entries: data && entriesOf(data.pages), total: data?.pages[0]?.total };
}

function queryOf({ who: by, ...same }: AuditSearch) {
  return compact({ ...same, by });
}

const ICONS = { PERSON: "user", KEY: "key", COMMAND_LINE: "code" } as const satisfies Record<
  AuditEntry["by"]["kind"],
  IconName
>;

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const t = useTexts(auditTexts);
  const { by } = entry;
  const name = by.name ?? t.nameless[by.kind];
  return (
    <Line
      icon={ICONS[by.kind]}
      name={
        by.id === null ? (
          name
        ) : (
          <Link
            from="/settings/team/audit"
            search={({ kind: _, ...before }) => ({ ...before, who: by.id ?? "" })}
            title={t.onlyThis}
          >
            {name}
          </Link>
        )
      }
    >
      <Did entry={entry}>
        <Target entry={entry} />
        {entry.target !== null && !entry.targetName && (
          <span className="target">
            <code title={entry.target}>…{entry.target.slice(-8)}</code>
            <CopyButton text={entry.target} what="ID" />
          </span>
        )}
      </Did>
      <When entry={entry} />
    </Line>
  );
}
