// Key sets: create, show once, revoke.
import { useState } from "react";
import { curlOf } from "../../calls/curl.ts";
import { useTexts } from "../../base/language.ts";
import { NewButton } from "../../lists/new-button.tsx";
import { Empty } from "../../parts/layout.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { keysTexts } from "../../texts/areas.ts";
import { SettingsBar } from "../settings-bar.tsx";
import { RevokedKeys } from "./revoked.tsx";
import { CREATE, KeysInUse } from "./in-use.tsx";
import { CreateKeyDialog } from "./create-key.tsx";
import "./keys.css";

export function Keys() {
  const t = useTexts(keysTexts);
  const disabledReason = useDisabledReason("keys");
  const [makes, setMakes] = useState(false);
  const make = () => setMakes(true);
  return (
    <>
      <SettingsBar
        tab="keys"
        call={{ path: "/keys" }}
        actions={<NewButton id="make key" icon="key" name={t.make} run={make} disabledReason={disabledReason} />}
      />
      <div className="page narrow">
        {disabledReason === undefined ? (
          <>
            <KeysInUse make={make} />
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
