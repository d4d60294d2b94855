// The topics in their order: add, edit, move and delete.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useFormats } from "../base/formats.ts";
import { formsQuery } from "../forms/calls.ts";
import { useTexts } from "../base/language.ts";
import { Line } from "../lists/line.tsx";
import { ListScreen } from "../lists/list-screen.tsx";
import { ResourceActions } from "../parts/overlays/resource-actions.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { topicsTexts } from "../texts/areas.ts";
import { topicsQuery, useMove, useTopicName, useTopicNumbers, type Topic, type TopicPeople } from "./calls.ts";
import { DeleteQuestion, TopicForm } from "./form.tsx";
import "./topics.css";

const route = getRouteApi("/frame/topics");
const CREATE = { method: "POST", path: "/topics", body: { key: "news", name: { en: "Product news" } } } as const;

export function Topics() {
  const t = useTexts(topicsTexts);
  const { make: makes, search } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: all, ...asked } = useQuery(topicsQuery);
  const numbers = useTopicNumbers(all ?? []);
  const disabledReason = useDisabledReason("campaigns.write");
  const found = search ? { search } : {};
  const find = (next: string | undefined) => void navigate({ search: next ? { search: next } : {}, replace: true });
  const words = (search ?? "").toLowerCase();
  return (
    <ListScreen
      texts={t}
      call={{ path: "/topics" }}
      make={{
        id: "new topic",
        icon: "flag",
        run: () => void navigate({ search: { ...found, make: true } }),
        disabledReason,
      }}
      example={CREATE}
      search={{ value: search, onChange: find }}
      clear={() => find(undefined)}
      className="topics"
      columns={[null, t.name, t.key, t.forWhom, { end: t.people.title }, null]}
      items={all?.filter(({ key, name }) => [key, ...Object.values(name)].join("\n").toLowerCase().includes(words))}
      of={asked}
      row={(topic) => (
        <Row key={topic.id} topic={topic} last={(all?.length ?? 0) - 1} people={numbers.get(topic.key)} />
      )}
    >
      {makes && disabledReason === undefined && (
        <TopicForm close={() => void navigate({ search: found, replace: true })} />
      )}
    </ListScreen>
  );
}

type RowProps = { readonly topic: Topic; readonly last: number; readonly people: TopicPeople | undefined };

function Row({ topic, last, people }: RowProps) {
  const t = useTexts(topicsTexts);
  const { number } = useFormats();
  const name = useTopicName()(topic);
  const moving = useMove();
  const disabledReason = useDisabledReason("campaigns.write");
  const navigate = useNavigate();
  const { id, key, position, visible } = topic;
  const { data: all = [] } = useQuery({ ...formsQuery, throwOnError: false });
  const [isOpen, setOpen] = useState(false);
  const forms = all.filter(({ topics }) => topics.includes(key)).length;
  const move = (by: number) => () => moving.mutate({ id, position: position + by });
  return (
    <Line
      icon="flag"
      name={name}
      more={!visible && t.hidden}
      open={disabledReason === undefined ? () => setOpen(true) : undefined}
    >
      <span className="dim cut">
        <code>{key}</code>
      </span>
      <span className="dim cut">{t.defaults[topic.default].short}</span>
      <span className="end dim">
        {people ? (people.isAbout ? t.people.about : t.people.exact)(number(people.gets), number(people.not)) : "…"}
      </span>
      <ResourceActions
        label={t.actions(name)}
        disabledReason={disabledReason}
        actions={[
          { id: "edit", name: t.edit, icon: "pencil", dialog: (close) => <TopicForm topic={topic} close={close} /> },
          {
            id: "up",
            name: t.up,
            icon: "moveUp",
            run: move(-1),
            disabledReason: position === 0 ? t.isFirst : undefined,
          },
          {
            id: "down",
            name: t.down,
            icon: "moveDown",
            run: move(1),
            disabledReason: position === last ? t.isLast : undefined,
          },
          {
            id: "forms",
            name: t.forms(forms),
            icon: "form",
            run: () => void navigate({ to: "/forms", search: { topic: key } }),
            disabledReason: forms === 0 ? t.noForms : undefined,
            reads: true,
          },
          "line",
          {
            id: "delete",
            name: t.remove,
            icon: "trash",
            risk: true,
            dialog: (close) => <DeleteQuestion topic={topic} close={close} />,
          },
        ]}
      />
      {isOpen && <TopicForm topic={topic} close={() => setOpen(false)} />}
    </Line>
  );
}
