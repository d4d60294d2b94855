// What can be done with a whole campaign, beside sending it: renamed, copied, deleted.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { FaultBanner } from "../parts/form.tsx";
import { Menu } from "../parts/menu.tsx";
import { showToast } from "../parts/toast.tsx";
import { useDisabledReason } from "../session.ts";
import { campaignsTexts, frameTexts } from "../texts/areas.ts";
import { useVerbs } from "../verbs.ts";
import { isUnsent, useDuplicating, useRemoving, type Campaign } from "./calls.ts";
import { CampaignSettings } from "./settings.tsx";

type ActionsProps = {
  readonly campaign: Campaign;
  /** What is being written is saved first. */
  readonly flush: () => Promise<void>;
};

export function CampaignActions({ campaign, flush }: ActionsProps) {
  const t = useTexts(campaignsTexts);
  const navigate = useNavigate();
  const disabledReason = useDisabledReason("campaigns.write");
  const [open, setOpen] = useState<"settings" | "remove" | null>(null);
  const copying = useDuplicating(({ id, name }) => {
    showToast(t.copied(name));
    void navigate({ to: "/campaigns/$id", params: { id } });
  });
  const copy = () => void flush().then(() => copying.mutate(campaign.id));
  const isRemovable = campaign.status === "DRAFT" || campaign.status === "CANCELLED";
  const notRemovable = disabledReason ?? (isRemovable ? undefined : t.notRemovable);
  const notSettable = disabledReason ?? (isUnsent(campaign) ? undefined : t.isSent);
  const settings = () => setOpen("settings");
  const remove = () => setOpen("remove");
  useVerbs([
    { id: "campaign settings", name: t.settings, icon: "pencil", run: settings, disabledReason: notSettable },
    { id: "duplicate campaign", name: t.duplicate, icon: "copy", run: copy, disabledReason },
    { id: "delete campaign", name: t.remove, icon: "trash", run: remove, disabledReason: notRemovable },
  ]);
  return (
    <>
      <Menu
        label={t.what(campaign.name)}
        className="btn quiet only"
        entries={[
          { id: "settings", name: t.settings, icon: "pencil", run: settings, disabledReason: notSettable },
          { id: "duplicate", name: t.duplicate, icon: "copy", run: copy, disabledReason },
          "line",
          { id: "delete", name: t.remove, icon: "trash", risk: true, run: remove, disabledReason: notRemovable },
        ]}
      />
      {open === "settings" && <CampaignSettings campaign={campaign} flush={flush} close={() => setOpen(null)} />}
      {open === "remove" && <Remove campaign={campaign} close={() => setOpen(null)} />}
    </>
  );
}

function Remove({ campaign, close }: { readonly campaign: Campaign; readonly close: () => void }) {
  const t = useTexts(campaignsTexts);
  const { cancel } = useTexts(frameTexts);
  const navigate = useNavigate();
  const removing = useRemoving(({ name }) => {
    close();
    showToast(t.removed(name));
    void navigate({ to: "/campaigns" });
  });
  return (
    <Dialog
      title={t.removeTitle(campaign.name)}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{cancel}</Button>
          <Button kind="risk" busy={removing.isPending} onClick={() => removing.mutate(campaign)}>
            {t.remove}
          </Button>
        </>
      }
    >
      {removing.error != null && <FaultBanner fault={removing.error} />}
      <p>{t.removeText}</p>
    </Dialog>
  );
}
