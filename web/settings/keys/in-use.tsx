// The active key sets, with their actions: change, replace, revoke.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../calls/api.ts";
import { curlOf } from "../../calls/curl.ts";
import { useTexts } from "../../base/language.ts";
import { List } from "../../lists/list.tsx";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/layout.tsx";
import type { ResourceAction } from "../../parts/overlays/resource-actions.tsx";
import { keysTexts } from "../../texts/areas.ts";
import { allPages, PAGE_SIZE } from "../all-pages.ts";
import { ChangeKey, RotateKey, type KeySet } from "./key-dialogs.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { KeyRow } from "./rows.tsx";

export const CREATE = { method: "POST", path: "/keys", body: { name: "shop" } } as const;

const inUseQuery = {
  queryKey: ["keys", "all"],
  queryFn: () => allPages((page) => call("GET /keys", { page, pageSize: PAGE_SIZE })),
};

export function KeysInUse({ make }: { readonly make: () => void }) {
  const t = useTexts(keysTexts);
  const { data: keys, ...asked } = useQuery(inUseQuery);
  const managing = keys?.filter(isManaging) ?? [];
  return (
    <List
      isPart
      name={t.inUse}
      text={t.what}
      texts={t}
      className="keys-list"
      columns={[null, t.name, t.may, t.made, t.used, null]}
      items={keys}
      of={asked}
      row={(key) => <Row key={key.id} keySet={key} isLast={isManaging(key) && managing.length === 1} />}
      empty={
        <Empty
          title={t.empty.title}
          curl={curlOf(CREATE)}
          action={
            <Button icon="plus" onClick={make}>
              {t.make}
            </Button>
          }
        >
          {t.empty.text}
        </Empty>
      }
    />
  );
}

function isManaging({ domains, permissions, expiresAt }: KeySet): boolean {
  return domains === null && permissions === "full" && expiresAt === null;
}

type RowProps = { readonly keySet: KeySet; readonly isLast: boolean };

function Row({ keySet, isLast }: RowProps) {
  const t = useTexts(keysTexts);
  const [isOpen, setOpen] = useState(false);
  return (
    <KeyRow
      keySet={keySet}
      since={[t.made, keySet.createdAt]}
      never={t.unused}
      open={() => setOpen(true)}
      actions={actionsOf(keySet, t, isLast ? t.lastOne : undefined)}
    >
      {isOpen && <ChangeKey keySet={keySet} close={() => setOpen(false)} />}
    </KeyRow>
  );
}

function actionsOf(
  keySet: KeySet,
  t: Readonly<Record<"change" | "rotate" | "revoke", { readonly action: string }>>,
  disabledReason: string | undefined,
): readonly ResourceAction[] {
  return [
    {
      id: "change",
      name: t.change.action,
      icon: "pencil",
      dialog: (close) => <ChangeKey {...{ keySet, close }} />,
    },
    {
      id: "rotate",
      name: t.rotate.action,
      icon: "again",
      dialog: (close) => <RotateKey {...{ keySet, close }} />,
    },
    "line",
    {
      id: "revoke",
      name: t.revoke.action,
      icon: "trash",
      risk: true,
      disabledReason,
      dialog: (close) => <RevokeKey {...{ keySet, close }} />,
    },
  ];
}
