// The key sets that were revoked, and the way to what they have scheduled.
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, unwrap } from "../../api.ts";
import { useTexts } from "../../language.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ResourceActions } from "../../parts/resource-actions.tsx";
import { ColumnNames, More } from "../../parts/rows.tsx";
import { Time } from "../../parts/time.tsx";
import { keysTexts } from "../../texts/areas.ts";
import type { KeySet } from "./key-dialogs.tsx";
import { CancelScheduled } from "./revoke-key.tsx";
import { Limits } from "./rows.tsx";
import { scheduledBy } from "./scheduled.tsx";

const A_PAGE = 10;

const revokedQuery = infiniteQueryOptions({
  queryKey: ["keys", "revoked"],
  queryFn: ({ pageParam }) =>
    unwrap(api.GET("/keys", { params: { query: { revoked: true, page: pageParam, pageSize: A_PAGE } } })),
  initialPageParam: 1,
  getNextPageParam: ({ page, totalPages }) => (page < totalPages ? page + 1 : undefined),
});

export function RevokedKeys() {
  const t = useTexts(keysTexts);
  const { data, ...pages } = useInfiniteQuery(revokedQuery);
  const keys = data?.pages.flatMap((page) => page.data) ?? [];
  if (keys.length === 0) return null;
  return (
    <section className="panel" aria-label={t.revoked}>
      <header>
        <h2>{t.revoked}</h2>
      </header>
      <div className="rows keys-list">
        <ColumnNames columns={[null, t.name, t.may, t.revokedOn, t.used, null]} />
        {keys.map((key) => (
          <Row key={key.id} keySet={key} />
        ))}
      </div>
      <More {...pages} name={t.more} className="pad" large />
    </section>
  );
}

function Row({ keySet }: { readonly keySet: KeySet }) {
  const t = useTexts(keysTexts);
  const navigate = useNavigate();
  const { id, name, revokedAt, lastUsedAt } = keySet;
  return (
    <div className="line">
      <Icon name="key" />
      <span className="inline">
        <span className="cut">{name ?? t.unnamed}</span>
        <CopyButton text={id} what={t.id} />
      </span>
      <Limits keySet={keySet} />
      <span className="dim small" data-label={t.revokedOn}>
        {revokedAt !== null && <Time at={revokedAt} as="brief" />}
      </span>
      <span className="dim small" data-label={t.used}>
        {lastUsedAt === null ? t.never : <Time at={lastUsedAt} as="brief" />}
      </span>
      <ResourceActions
        label={t.actions(name ?? t.unnamed)}
        actions={[
          {
            id: "scheduled",
            name: t.scheduled.show,
            icon: "mail",
            reads: true,
            run: () => void navigate({ to: "/mail", search: scheduledBy(id) }),
          },
          {
            id: "cancel",
            name: t.scheduled.action,
            icon: "trash",
            risk: true,
            dialog: (close) => <CancelScheduled {...{ keySet, close }} />,
          },
        ]}
      />
    </div>
  );
}
