// Who changed what, newest first; by person, by kind, in this workspace or on this server.
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api, unwrap } from "../api.ts";
import { compact } from "../compact.ts";
import { useTexts } from "../language.ts";
import { DisabledReason } from "../parts/button.tsx";
import { More } from "../parts/rows.tsx";
import { Skeleton, Empty, Panel } from "../parts/layout.tsx";
import { useDisabledReason } from "../session.ts";
import { SettingsBar } from "../settings/settings-bar.tsx";
import { auditTexts } from "../texts/areas.ts";
import { Filters } from "./filters.tsx";
import type { AuditSearch } from "./route.ts";
import { CopyButton } from "../parts/copy.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
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
        <div className="stack tight">
          <h2 className="title">{t.title}</h2>
          <p className="dim row-text">{t.text}</p>
        </div>
        {disabledReason === undefined ? <List search={search} /> : <DisabledReason>{disabledReason}</DisabledReason>}
      </div>
    </>
  );
}

function List({ search }: { readonly search: AuditSearch }) {
  const t = useTexts(auditTexts);
  const { entries, ...pages } = useEntries(search);
  return (
    <>
      <Filters search={search} />
      <Panel>
        {!entries ? (
          <Skeleton of={pages} className="audit" rows={6} columns={3} />
        ) : entries.length === 0 ? (
          <Empty title={search.search ? t.noneFound : t.none}>{search.search ? t.noneFoundText : t.noneText}</Empty>
        ) : (
          <ul className="rows audit">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
        )}
        <More {...pages} name={t.older} className="pad" large />
      </Panel>
    </>
  );
}

function useEntries(search: AuditSearch) {
  const { data, ...asked } = useInfiniteQuery({
    queryKey: ["team", "audit", search],
    queryFn: ({ pageParam: page }) =>
      unwrap(api.GET("/audit", { params: { query: { ...queryOf(search), page, pageSize: PAGE_SIZE } } })),
    initialPageParam: 1,
    getNextPageParam: ({ page, totalPages }) => (page < totalPages ? page + 1 : undefined),
  });
  return { ...asked, entries: data && entriesOf(data.pages) };
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
    <li className="line">
      <Icon name={ICONS[by.kind]} />
      <span className="cut">
        {by.id === null ? (
          <b>{name}</b>
        ) : (
          <Link
            from="/settings/team/audit"
            search={({ kind: _, ...before }) => ({ ...before, who: by.id ?? "" })}
            title={t.onlyThis}
          >
            {name}
          </Link>
        )}
      </span>
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
    </li>
  );
}
