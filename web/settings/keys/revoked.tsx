// The revoked key sets, with links to their scheduled emails.
import { useNavigate } from "@tanstack/react-router";
import { useTexts } from "../../base/language.ts";
import { List } from "../../lists/list.tsx";
import { keysTexts } from "../../texts/areas.ts";
import { pages, usePages } from "../../calls/query.ts";
import type { KeySet } from "./key-dialogs.tsx";
import { CancelScheduled } from "./revoke-key.tsx";
import { KeyRow } from "./rows.tsx";
import { scheduledBy } from "./scheduled.tsx";

const A_PAGE = 10;

export function RevokedKeys() {
  const t = useTexts(keysTexts);
  const { all: keys = [], first, ...asked } = usePages(pages("GET /keys", { revoked: true, pageSize: A_PAGE }));
  if (keys.length === 0) return null;
  return (
    <List
      isPart
      isSecond
      name={t.revoked}
      texts={t}
      className="keys-list"
      columns={[null, t.name, t.may, t.revokedOn, t.used, null]}
      items={keys}
      of={asked}
      pages={asked}
      total={first?.total}
      row={(key) => <Row key={key.id} keySet={key} />}
      empty={null}
    />
  );
}

function Row({ keySet }: { readonly keySet: KeySet }) {
  const t = useTexts(keysTexts);
  const navigate = useNavigate();
  return (
    <KeyRow
      keySet={keySet}
      since={[t.revokedOn, keySet.revokedAt]}
      never={t.never}
      actions={[
        {
          id: "scheduled",
          name: t.scheduled.show,
          icon: "mail",
          reads: true,
          run: () => void navigate({ to: "/mail", search: scheduledBy(keySet.id) }),
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
  );
}
