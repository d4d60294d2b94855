// The settings of a campaign: name, sender, topic, tags and metadata.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { MetadataField } from "../labels/metadata-field.tsx";
import { TagsField } from "../labels/tags-field.tsx";
import { useTexts } from "../base/language.ts";
import { Field } from "../parts/fields/form.tsx";
import { FormDialog } from "../parts/fields/form-dialog.tsx";
import { SenderField } from "../settings/sender-choice.tsx";
import { campaignsTexts, labelsTexts } from "../texts/areas.ts";
import { TopicField } from "../topics/topic-field.tsx";
import { changeSeenCampaign, type Campaign, type CampaignChange } from "./calls.ts";

type SettingsProps = {
  readonly campaign: Campaign;
  /** Saves unsaved text first: saved later, it would meet a changed campaign. */
  readonly flush: () => Promise<void>;
  readonly close: () => void;
};

export function CampaignSettings({ campaign: now, flush, close }: SettingsProps) {
  const [campaign] = useState(now);
  const t = useTexts(campaignsTexts);
  const ofLabels = useTexts(labelsTexts);
  const [tags, setTags] = useState<readonly string[]>(campaign.tags);
  const [metadata, setMetadata] = useState(campaign.metadata);
  const [topic, setTopic] = useState(campaign.topic);
  const saving = useMutation({
    mutationFn: (change: CampaignChange) => flush().then(() => changeSeenCampaign(campaign, change)),
    onSuccess: close,
    meta: { inForm: true },
  });
  const save = ({ name = "", from = "", fromName = "", replyTo = "" }: Readonly<Record<string, string>>) =>
    saving.mutate({
      name: name.trim(),
      from: from.trim(),
      fromName: fromName.trim() || null,
      replyTo: replyTo.trim() || null,
      topic,
      tags: [...tags],
      metadata,
    });
  return (
    <FormDialog title={t.settings} close={close} sending={saving} submit={t.save} onSubmit={save}>
      <Field name="name" label={t.name} defaultValue={campaign.name} autoFocus />
      <Field name="fromName" label={t.fromName} defaultValue={campaign.fromName ?? ""} />
      <SenderField label={t.from} defaultValue={campaign.from} help={t.fromHelp} type="email" />
      <Field name="replyTo" label={t.replyTo} defaultValue={campaign.replyTo ?? ""} type="email" />
      <TopicField value={topic} onChange={setTopic} />
      <TagsField value={tags} onChange={setTags} note={ofLabels.optional} help={ofLabels.tagsHelp} />
      <MetadataField value={metadata} onChange={setMetadata} note={ofLabels.optional} help={ofLabels.metadataHelp} />
    </FormDialog>
  );
}
