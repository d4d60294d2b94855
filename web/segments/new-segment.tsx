// A new segment: its name, and either a condition or nothing yet, for a list that is kept by hand.
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { Fault } from "../api.ts";
import type { Condition } from "../condition/draft.ts";
import { Bar } from "../frame/bar.tsx";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Field, Form } from "../parts/form.tsx";
import { SegmentedField } from "../parts/segmented-field.tsx";
import { showToast } from "../parts/toast.tsx";
import { useDisabledReason } from "../session.ts";
import { segmentsTexts } from "../texts/areas.ts";
import { Builder } from "./builder.tsx";
import { useMake, type Segment } from "./calls.ts";
import "./look.ts";

type Kind = Segment["type"];

const route = getRouteApi("/frame/segments/new");

function whoDid(event: string): Condition {
  return { logic: "AND", groups: [{ filters: [{ field: `event.${event}`, operator: "triggered" }] }] };
}

export function NewSegment() {
  const t = useTexts(segmentsTexts);
  const mayNot = useDisabledReason("campaigns.write");
  const navigate = useNavigate();
  const { event } = route.useSearch();
  const formId = useId();
  const [name, setName] = useState("");
  const [kind, setKind] = useState<Kind>("DYNAMIC");
  const [begun] = useState<Condition | null>(() => (event === undefined ? null : whoDid(event)));
  const [condition, setCondition] = useState(begun);
  const [email, ask] = useState("");
  const [made, setMade] = useState(false);
  const making = useMake(({ id, name }) => {
    setMade(true);
    showToast(t.created(name));
    // The form lets go of what is saved first.
    setTimeout(() => void navigate({ to: "/segments/$id", params: { id } }));
  });
  const disabledReason = mayNot ?? (kind === "DYNAMIC" && condition === null ? t.noCondition : undefined);
  const create = () => {
    if (disabledReason !== undefined) return;
    making.mutate({ name: name.trim(), type: kind, ...(kind === "DYNAMIC" ? { condition } : {}) });
  };
  const head = (
    <Form
      id={formId}
      className="stack l new-segment"
      fault={making.error}
      onSubmit={create}
      unsaved={!made && (name !== "" || condition !== begun)}
    >
      <Field
        name="name"
        label={t.name}
        help={t.nameHelp}
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        autoFocus
      />
      <SegmentedField
        label={t.kindLabel}
        help={t.kindHelp[kind]}
        value={kind}
        onChange={setKind}
        choices={(["DYNAMIC", "STATIC"] as const).map((value) => ({ value, content: t.kinds[value] }))}
      />
    </Form>
  );
  return (
    <>
      <Bar
        title={t.newTitle}
        call={{ method: "POST", path: "/segments", body: { name: t.newTitle, type: kind, condition } }}
        actions={
          <Button kind="first" type="submit" form={formId} disabledReason={disabledReason} busy={making.isPending}>
            {t.create}
          </Button>
        }
      />
      {kind === "STATIC" ? (
        <div className="page">{head}</div>
      ) : (
        <Builder
          condition={condition}
          onChange={setCondition}
          email={email}
          ask={ask}
          faults={making.error instanceof Fault ? making.error.errors : []}
          foot={null}
        >
          {head}
        </Builder>
      )}
    </>
  );
}
