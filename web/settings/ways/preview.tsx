// The way that an email would take now.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Field, Form } from "../../parts/fields/form.tsx";
import { Panel } from "../../parts/layout.tsx";
import { SegmentedField } from "../../parts/fields/segmented-field.tsx";
import { Select } from "../../parts/fields/select.tsx";
import { waysTexts } from "../../texts/areas.ts";
import { workspacesQuery } from "../server/workspaces/calls.ts";
import { usePreview } from "./calls.ts";

type EmailType = "TRANSACTIONAL" | "MARKETING";
const KINDS: readonly EmailType[] = ["TRANSACTIONAL", "MARKETING"];
const ANY = "any";

export function Preview() {
  const t = useTexts(waysTexts);
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const [kind, setKind] = useState<EmailType>("TRANSACTIONAL");
  const asking = usePreview();
  const ask = ({ from = "", to = "", tag = "", workspaceId = ANY }: Readonly<Record<string, string>>) =>
    asking.mutate({
      ...{ from: from.trim(), to: to.trim(), kind },
      workspaceId: workspaceId === ANY ? null : workspaceId,
      tags: tag.trim() === "" ? [] : [tag.trim()],
    });
  return (
    <Panel title={t.preview.title}>
      <div className="pad">
        <Form fault={asking.error} unsaved={false} onSubmit={ask}>
          <div className="pairs">
            <Field name="from" label={t.preview.from} placeholder="shop@shop.example" spellCheck={false} />
            <Field name="to" label={t.preview.to} placeholder="ada@gmail.com" spellCheck={false} />
            <Select
              name="workspaceId"
              label={t.rules.workspace}
              first={ANY}
              options={[{ id: ANY, name: t.rules.anyWorkspace }, ...workspaces.map(({ id, name }) => ({ id, name }))]}
            />
            <Field name="tag" label={t.rules.tag} note={t.fields.optional} maxLength={100} />
          </div>
          <SegmentedField
            label={t.rules.kind}
            choices={KINDS.map((value) => ({ value, content: t.rules.kinds[value] }))}
            value={kind}
            onChange={setKind}
          />
          <div>
            <Button type="submit" busy={asking.isPending}>
              {t.preview.submit}
            </Button>
          </div>
        </Form>
        <div role="status">{asking.data && <Found found={asking.data} />}</div>
      </div>
    </Panel>
  );
}

type FoundProps = { readonly found: NonNullable<ReturnType<typeof usePreview>["data"]> };

function Found({ found: { rule, ways, waits } }: FoundProps) {
  const t = useTexts(waysTexts).preview;
  const { number } = useFormats();
  return (
    <div className="stack found-way">
      <p>
        <b>{rule === null ? t.noRule : t.rule(rule.name)}</b> {t.order}
      </p>
      <ol>
        {ways.map(({ name, share, isUsable }) => (
          <li key={name}>
            {share > 0 ? t.share(name, number(share)) : name}
            {!isUsable && <span className="dim">, {t.unusable}</span>}
          </li>
        ))}
      </ol>
      {waits && <p className="disabled-reason">{t.waits}</p>}
    </div>
  );
}
