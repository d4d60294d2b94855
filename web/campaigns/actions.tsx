// Actions on a whole campaign besides sending: rename, duplicate, delete.
import { useNavigate } from "@tanstack/react-router";
import { useChangesAction } from "../audit/changes-action.tsx";
import { useTexts } from "../base/language.ts";
import { Question } from "../parts/fields/form-dialog.tsx";
import { ResourceActions } from "../parts/overlays/resource-actions.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { campaignsTexts } from "../texts/areas.ts";
import { isUnsent, useDuplicate, useDelete, type Campaign } from "./calls.ts";
import { CampaignSettings } from "./settings.tsx";

type ActionsProps = {
  readonly campaign: Campaign;
  /** Saves unsaved text, before an action on the saved campaign. */
  readonly flush: () => Promise<void>;
};

export function CampaignActions({ campaign, flush }: ActionsProps) {
  const t = useTexts(campaignsTexts);
  const navigate = useNavigate();
  const copying = useDuplicate(({ id, name }) => {
    showToast(t.copied(name));
    void navigate({ to: "/campaigns/$id", params: { id } });
  });
  const changes = useChangesAction(campaign);
  const isRemovable = campaign.status === "DRAFT" || campaign.status === "CANCELLED";
  return (
    <ResourceActions
      label={t.what(campaign.name)}
      className="btn quiet only"
      kind="campaign"
      disabledReason={useDisabledReason("campaigns.write")}
      actions={[
        {
          id: "settings",
          name: t.settings,
          icon: "pencil",
          disabledReason: isUnsent(campaign) ? undefined : t.isSent,
          dialog: (close) => <CampaignSettings campaign={campaign} flush={flush} close={close} />,
        },
        {
          id: "duplicate",
          name: t.duplicate,
          icon: "copy",
          run: () => void flush().then(() => copying.mutate(campaign.id)),
        },
        changes,
        "line",
        {
          id: "delete",
          name: t.remove,
          icon: "trash",
          risk: true,
          disabledReason: isRemovable ? undefined : t.notRemovable,
          dialog: (close) => <DeleteQuestion campaign={campaign} close={close} />,
        },
      ]}
    />
  );
}

function DeleteQuestion({ campaign, close }: { readonly campaign: Campaign; readonly close: () => void }) {
  const t = useTexts(campaignsTexts);
  const navigate = useNavigate();
  const removing = useDelete(({ name }) => {
    close();
    showToast(t.removed(name));
    void navigate({ to: "/campaigns" });
  });
  return (
    <Question
      title={t.removeTitle(campaign.name)}
      close={close}
      action={t.remove}
      risk
      busy={removing.isPending}
      fault={removing.error}
      run={() => removing.mutate(campaign)}
      text={t.removeText}
    />
  );
}
