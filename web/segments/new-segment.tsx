// A new segment: its name, and a condition or none for a static segment.
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useId, useRef, useState } from "react";
import { Fault } from "../calls/api.ts";
import type { SegmentCondition } from "../condition/draft.ts";
import { Bar } from "../parts/bar.tsx";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Field, Form } from "../parts/fields/form.tsx";
import { SegmentedField } from "../parts/fields/segmented-field.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { useDisabledReason } from "../calls/session.ts";
import { segmentsTexts } from "../texts/areas.ts";
import { SegmentBuilder } from "./builder/builder.tsx";
import { useCreate, type Segment } from "./calls.ts";
import { SegmentStarters } from "./starters.tsx";
import "./styles.ts";

type SegmentType = Segment["type"];

const route = getRouteApi("/frame/segments/new");

function conditionForEvent(event: string): SegmentCondition {
  return { logic: "AND", groups: [{ filters: [{ field: `event.${event}`, operator: "triggered" }] }] };
}

export function NewSegment() {
  const t = useTexts(segmentsTexts);
  const denied = useDisabledReason("campaigns.write");
  const navigate = useNavigate();
  const { event } = route.useSearch();
  const formId = useId();
  const [name, setName] = useState("");
  const [kind, setKind] = useState<SegmentType>("DYNAMIC");
  const [initial] = useState<SegmentCondition | null>(() => (event === undefined ? null : conditionForEvent(event)));
  const [condition, setCondition] = useState(initial);
  const [email, ask] = useState("");
  const addFirst = useRef<() => void>(null);
  const [isCreated, setCreated] = useState(false);
  const creating = useCreate(({ id, name }) => {
    setCreated(true);
    showToast(t.created(name));
    // After the next render, which removes the guard of unsaved changes.
    setTimeout(() => void navigate({ to: "/segments/$id", params: { id } }));
  });
  const disabledReason = denied ?? (kind === "DYNAMIC" && condition === null ? t.noCondition : undefined);
  const create = () => {
    if (disabledReason !== undefined) return;
    creating.mutate({ name: name.trim(), type: kind, ...(kind === "DYNAMIC" ? { condition } : {}) });
  };
  const head = (
    <Form
      id={formId}
      className="stack l new-segment"
      fault={creating.error}
      onSubmit={create}
      unsaved={!isCreated && (name !== "" || condition !== initial)}
    >
      <Field
        name="name"
        label={t.name}
        help={t.nameHelp}
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || kind !== "DYNAMIC" || condition !== null) return;
          event.preventDefault();
          addFirst.current?.();
        }}
        autoFocus
      />
      <SegmentedField
        label={t.kindLabel}
        help={t.kindHelp[kind]}
        value={kind}
        onChange={setKind}
        choices={(["DYNAMIC", "STATIC"] as const).map((value) => ({ value, content: t.kinds[value] }))}
      />
      {kind === "DYNAMIC" && condition === null && (
        <SegmentStarters name={name} disabledReason={denied} busy={creating.isPending} create={creating.mutate} />
      )}
    </Form>
  );
  return (
    <>
      <Bar
        title={t.newTitle}
        call={{ method: "POST", path: "/segments", body: { name: t.newTitle, type: kind, condition } }}
        actions={
          <Button kind="first" type="submit" form={formId} disabledReason={disabledReason} busy={creating.isPending}>
            {t.create}
          </Button>
        }
      />
      {kind === "STATIC" ? (
        <div className="page">{head}</div>
      ) : (
        <SegmentBuilder
          condition={condition}
          onChange={setCondition}
          email={email}
          ask={ask}
          faults={creating.error instanceof Fault ? creating.error.errors : []}
          addFirst={addFirst}
        >
          {head}
        </SegmentBuilder>
      )}
    </>
  );
}
