// Who changed what, newest first; by person, by kind, in this workspace or on this server.
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api, unwrap } from "../api.ts";
import { useTexts } from "../language.ts";
import { Button, DisabledReason } from "../parts/button.tsx";
import { Skeleton, Empty, Panel } from "../parts/layout.tsx";
import { useDisabledReason } from "../session.ts";
import { SetUpBar } from "../set-up/bar.tsx";
import { auditTexts } from "../texts/areas.ts";
import { Entry, type AuditEntry } from "./entry.tsx";
import { Filters } from "./filters.tsx";
import type { AuditSearch } from "./route.ts";
import "./audit.css";

const route = getRouteApi("/frame/set-up/team/audit");
const PAGE_SIZE = 50;

export function AuditScreen() {
  const t = useTexts(auditTexts);
  const search = route.useSearch();
  const disabledReason = useDisabledReason("workspace");
  return (
    <>
      <SetUpBar tab="team" title={t.title} call={{ path: "/audit", query: queryOf(search) }} />
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
  const { entries, hasNextPage, fetchNextPage, isFetchingNextPage } = useEntries(search);
  return (
    <>
      <Filters search={search} />
      <Panel>
        {!entries ? (
          <Skeleton className="audit" rows={6} columns={3} />
        ) : entries.length === 0 ? (
          <Empty title={t.none}>{t.noneText}</Empty>
        ) : (
          <ul className="rows audit">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
        )}
        {hasNextPage && (
          <div className="pad">
            <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t.older}
            </Button>
          </div>
        )}
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
  return { ...asked, entries: data && once(data.pages.flatMap((page) => page.data)) };
}

function queryOf({ of, who, kind }: AuditSearch) {
  return { ...(of ? { of } : {}), ...(who === undefined ? {} : { by: who }), ...(kind ? { kind } : {}) };
}

/** What is new moves the pages on, so that an entry may come twice. */
function once(entries: readonly AuditEntry[]): readonly AuditEntry[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}
