// The topic of an email: one of the workspace's, or none. Renders nothing without topics.
import { useTexts } from "../base/language.ts";
import { Select } from "../parts/fields/select.tsx";
import { topicsTexts } from "../texts/areas.ts";
import { useTopicName, useTopics } from "./calls.ts";

const NONE = "-";

type TopicFieldProps = {
  /** The key; null = none. */
  readonly value: string | null;
  readonly onChange: (topic: string | null) => void;
  /** The label of the empty choice, if it does not mean "no topic". */
  readonly none?: string;
  readonly disabledReason?: string | undefined;
};

export function TopicField({ value, onChange, none, disabledReason }: TopicFieldProps) {
  const t = useTexts(topicsTexts);
  const nameOf = useTopicName();
  const topics = useTopics();
  if (topics.length === 0 && value === null) return null;
  const known = topics.map((topic) => ({ id: topic.key, name: nameOf(topic) }));
  const gone = value === null || known.some(({ id }) => id === value) ? [] : [{ id: value, name: value }];
  return (
    <Select
      name="topic"
      label={t.field}
      help={t.fieldHelp}
      options={[{ id: NONE, name: none ?? t.none }, ...known, ...gone]}
      value={value ?? NONE}
      disabledReason={disabledReason}
      onChange={(id) => onChange(id === NONE ? null : id)}
    />
  );
}
