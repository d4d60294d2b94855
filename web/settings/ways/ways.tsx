// The ways out of this server and the rules about them, for owners.
import { useTexts } from "../../language.ts";
import { Empty } from "../../parts/layout.tsx";
import { useDisabledReason } from "../../session.ts";
import { waysTexts } from "../../texts/areas.ts";
import { SettingsBar } from "../settings-bar.tsx";
import { WayList } from "./list.tsx";
import { Warmups } from "./warmups.tsx";
import { Preview } from "./preview.tsx";
import { Rules } from "./rules.tsx";
import "./ways.css";

export function Ways() {
  const t = useTexts(waysTexts);
  const disabledReason = useDisabledReason("installation");
  return (
    <>
      <SettingsBar tab="ways" call={{ path: "/installation/ways", person: true }} />
      <div className="page stack l">
        {disabledReason === undefined ? (
          <>
            <WayList />
            <Warmups />
            <Rules />
            <Preview />
          </>
        ) : (
          <Empty title={t.closed}>
            {disabledReason} {t.ask}
          </Empty>
        )}
      </div>
    </>
  );
}
