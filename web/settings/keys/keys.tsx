// Key sets: create, show once, revoke.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api.ts";
import { curlOf } from "../../curl.ts";
import { useTexts } from "../../language.ts";
import { Button } from "../../parts/button.tsx";
import { Skeleton, Empty } from "../../parts/layout.tsx";
import { useDisabledReason } from "../../session.ts";
import { keysTexts } from "../../texts/areas.ts";
import { useCommands } from "../../commands.ts";
import { SettingsBar } from "../settings-bar.tsx";
import { allPages, PAGE_SIZE } from "../all-pages.ts";
import { RevokedKeys } from "./revoked.tsx";
import { KeyRows } from "./rows.tsx";
import { CreateKeyDialog } from "./create-key.tsx";
import "./keys.css";

const CREATE = { method: "POST", path: "/keys", body: { name: "shop" } } as const;

export function Keys() {
  const t = useTexts(keysTexts);
  const disabledReason = useDisabledReason("keys");
  const [makes, setMakes] = useState(false);
  const make = () => setMakes(true);
  useCommands([{ id: "make key", name: t.make, icon: "key", run: make, disabledReason }]);
  const button = (
    <Button icon="plus" disabledReason={disabledReason} onClick={make}>
      {t.make}
    </Button>
  );
  return (
    <>
      <SettingsBar tab="keys" call={{ path: "/keys" }} actions={button} />
      <div className="page narrow">
        <p className="dim">{t.what}</p>
        {disabledReason === undefined ? (
          <>
            <KeyList make={make} />
            <RevokedKeys />
          </>
        ) : (
          <Empty title={t.closed} curl={curlOf(CREATE)}>
            {disabledReason} {t.ask}
          </Empty>
        )}
      </div>
      {makes && <CreateKeyDialog close={() => setMakes(false)} />}
    </>
  );
}

function KeyList({ make }: { readonly make: () => void }) {
  const t = useTexts(keysTexts);
  const { data, ...asked } = useQuery({
    queryKey: ["keys", "all"],
    queryFn: () => allPages((page) => unwrap(api.GET("/keys", { params: { query: { page, pageSize: PAGE_SIZE } } }))),
  });
  if (!data) return <Skeleton of={asked} rows={3} columns={3} className="keys-list" />;
  if (data.length > 0) return <KeyRows keys={data} />;
  return (
    <Empty
      title={t.empty.title}
      curl={curlOf(CREATE)}
      action={
        <Button kind="first" icon="plus" onClick={make}>
          {t.make}
        </Button>
      }
    >
      {t.empty.text}
    </Empty>
  );
}
