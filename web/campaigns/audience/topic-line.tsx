// The topic of a campaign, shown with its audience and its checks: people who left the topic get nothing.
import { Icon } from "../../parts/icons/icon.tsx";
import { useTexts } from "../../base/language.ts";
import { campaignsTexts } from "../../texts/areas.ts";
import { useTopicName, useTopics } from "../../topics/calls.ts";
import type { Campaign } from "../calls.ts";

export function TopicLine({ campaign: { topic: key } }: { readonly campaign: Campaign }) {
  const { ofTopic: t } = useTexts(campaignsTexts);
  const topics = useTopics();
  const nameOf = useTopicName();
  const topic = topics.find((one) => one.key === key);
  // A workspace without topics has nothing to choose.
  if (key === null && topics.length === 0) return null;
  return (
    <p className="inline row-text">
      <Icon name="flag" />
      {key === null ? t.none : t.is(topic ? nameOf(topic) : key, topic?.default ?? "in")}
    </p>
  );
}
