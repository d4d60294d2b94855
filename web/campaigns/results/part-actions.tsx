// Actions on the recipients of one outcome: send again, save as a segment, export.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { accountTexts } from "../../texts/areas.ts";
import { useResend, type Campaign } from "../calls.ts";
import type { RecipientFilter } from "./calls.ts";
import { type PartName, partOf } from "./parts.ts";
import { SaveAsSegment } from "./save-as-segment.tsx";
import { call } from "../../calls/api.ts";
import { saveFile } from "../../base/save-file.ts";

type ActionsProps = {
  readonly campaign: Campaign;
  readonly name: PartName;
  readonly filter: RecipientFilter;
  readonly total: number;
  /** The list has all recipients of the state, so that a new campaign for the state goes to exactly these people. */
  readonly hasAgain: boolean;
};

export function PartActions({ campaign, name, filter, total, hasAgain }: ActionsProps) {
  const t = useTexts(accountTexts);
  const { number } = useFormats();
  const navigate = useNavigate();
  const [makes, setMakes] = useState(false);
  const mayNotWrite = useDisabledReason("campaigns.write");
  const mayNotExport = useDisabledReason("people.bulk");
  const { again } = partOf(name);
  const repeating = useResend(campaign.id, ({ id, name: called }) => {
    showToast(t.again.done(called));
    void navigate({ to: "/campaigns/$id", params: { id }, search: { tab: "check" } });
  });
  const saving = useMutation({ mutationFn: () => saveCsv(campaign, name, filter) });
  const nobody = total === 0 ? t.nobody : undefined;
  return (
    <>
      {again && hasAgain && (
        <Button
          small
          icon="send"
          disabledReason={mayNotWrite ?? nobody}
          busy={repeating.isPending}
          onClick={() => repeating.mutate([again])}
        >
          {t.again.action(total, number(total))}
        </Button>
      )}
      <Button small icon="segments" disabledReason={mayNotWrite ?? nobody} onClick={() => setMakes(true)}>
        {t.segment.action}
      </Button>
      <Button
        small
        kind="quiet"
        icon="get"
        className="push"
        disabledReason={mayNotExport}
        busy={saving.isPending}
        onClick={() => saving.mutate()}
      >
        CSV
      </Button>
      {makes && (
        <SaveAsSegment
          campaign={campaign}
          filter={filter}
          suggested={`${campaign.name}: ${t.parts[name]}`}
          close={() => setMakes(false)}
        />
      )}
    </>
  );
}

async function saveCsv({ id, name }: Campaign, part: PartName, filter: RecipientFilter): Promise<void> {
  const file: unknown = await call("GET /campaigns/{id}/recipients/export", { id, ...filter, parseAs: "blob" });
  saveFile(`${name} ${part}.csv`, file as Blob);
}
