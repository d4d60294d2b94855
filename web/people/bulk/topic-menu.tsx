// Opts the selected contacts in to a topic, or out of it. Renders nothing without topics.
import { useState } from "react";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Question } from "../../parts/fields/form-dialog.tsx";
import { Menu } from "../../parts/overlays/menu.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import { useTopicName, useTopics } from "../../topics/calls.ts";
import type { BulkTopicChange } from "./use-bulk.ts";

type TopicMenuProps = {
  /** The number of selected contacts. */
  readonly count: string;
  readonly disabledReason: string | undefined;
  readonly isRunning: boolean;
  readonly change: (topic: BulkTopicChange) => void;
};

export function TopicMenu({ count, disabledReason, isRunning, change }: TopicMenuProps) {
  const t = useTexts(peopleTexts).bulk;
  const nameOf = useTopicName();
  const topics = useTopics();
  const [asked, ask] = useState<BulkTopicChange | null>(null);
  if (topics.length === 0) return null;
  if (disabledReason !== undefined || isRunning)
    return (
      <Button small disabledReason={disabledReason} busy={isRunning}>
        {t.topic}
      </Button>
    );
  const changes = (choice: BulkTopicChange["choice"]) =>
    topics.map((topic) => {
      const name = nameOf(topic);
      const run = () => ask({ key: topic.key, name, choice });
      return { id: `${choice} ${topic.key}`, name: t.topicChoice[choice](name), run };
    });
  return (
    <>
      <Menu label={t.topic} className="btn s" entries={[...changes("in"), "line", ...changes("out")]}>
        {t.topic}
      </Menu>
      {asked && (
        <Question
          title={t.topicAsk[asked.choice](count, asked.name)}
          text={t.topicMeans[asked.choice]}
          close={() => ask(null)}
          action={t.topicAct[asked.choice]}
          run={() => {
            ask(null);
            change(asked);
          }}
        />
      )}
    </>
  );
}
