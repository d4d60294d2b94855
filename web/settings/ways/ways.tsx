// The ways out of this server and the rules about them, for owners.
import { useState } from "react";
import { useTexts } from "../../base/language.ts";
import { NewButton } from "../../lists/new-button.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { waysTexts } from "../../texts/areas.ts";
import { OwnersOnly } from "../owners-only.tsx";
import { SettingsBar } from "../settings-bar.tsx";
import { WayList } from "./list.tsx";
import { Warmups } from "./warmups.tsx";
import { returnIn } from "./return.ts";
import { Preview } from "./preview.tsx";
import { Rules } from "./rules.tsx";
import { ReturnDialog } from "./sign-in.tsx";
import { AddWay } from "./way-form.tsx";
import "./ways.css";

export function Ways() {
  const t = useTexts(waysTexts);
  const disabledReason = useDisabledReason("installation");
  const [adds, setAdds] = useState(false);
  const [back, setBack] = useState(returnIn);
  return (
    <>
      <SettingsBar
        tab="ways"
        call={{ path: "/installation/ways", person: true }}
        actions={
          <NewButton
            id="add way"
            icon="out"
            name={t.add.action}
            run={() => setAdds(true)}
            disabledReason={disabledReason}
          />
        }
      />
      <div className="page stack l">
        <OwnersOnly>
          <WayList />
          <Warmups />
          <Rules />
          <Preview />
          {back && <ReturnDialog back={back} close={() => setBack(null)} />}
        </OwnersOnly>
      </div>
      {adds && <AddWay close={() => setAdds(false)} />}
    </>
  );
}
