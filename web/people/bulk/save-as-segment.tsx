// Saves people as a static segment; optionally starts a campaign to it.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../../calls/api.ts";
import { useTexts } from "../../base/language.ts";
import { Field } from "../../parts/fields/form.tsx";
import { FormDialog } from "../../parts/fields/form-dialog.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { useNewCampaignTo } from "../../campaigns/use-new-campaign-to.ts";
import { peopleTexts } from "../../texts/areas.ts";
import { peopleChanged } from "../calls.ts";
import { moveMembers, type MemberSelection } from "../use-members.ts";

export type NextScreen = "segment" | "campaign";

type SaveAsSegmentProps = {
  readonly whom: MemberSelection;
  /** The number of people. */
  readonly count: string;
  readonly then: NextScreen;
  readonly close: () => void;
  readonly done: () => void;
};

export function SaveAsSegment({ whom, count, then, close, done }: SaveAsSegmentProps) {
  const t = useTexts(peopleTexts);
  const navigate = useNavigate();
  const campaignTo = useNewCampaignTo();
  const making = useMutation({
    mutationFn: async (name: string) => {
      const segment = await call("POST /segments", { body: { name, type: "STATIC" } });
      const adding = moveMembers({ ...segment, action: "add", whom });
      // Adds members or deletes the segment again: an empty one would keep the name.
      const added = await adding.catch(async (error: unknown) => {
        await call("DELETE /segments/{id}", { id: segment.id }).catch(() => undefined);
        throw error;
      });
      return { segment, added };
    },
    onSuccess: ({ segment, added }) => {
      close();
      done();
      if (then === "campaign") {
        campaignTo.mutate(segment);
        return;
      }
      const { id, name } = segment;
      const show = { name: t.send.show, run: () => void navigate({ to: "/segments/$id", params: { id } }) };
      showToast(t.bulk.added(added, name), show);
    },
    onSettled: peopleChanged,
    meta: { inForm: true },
  });
  return (
    <FormDialog
      title={t.bulk.make[then]}
      stays={making.isPending}
      close={close}
      sending={making}
      submit={t.bulk.makeAct[then]}
      onSubmit={({ name = "" }) => making.mutate(name.trim())}
    >
      <p className="dim row-text">{t.bulk.makeHelp[then](count)}</p>
      <Field name="name" label={t.bulk.segmentName} maxLength={100} autoComplete="off" autoFocus />
    </FormDialog>
  );
}
