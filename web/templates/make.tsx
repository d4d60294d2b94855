// A template is made: what it is called and what it is for; the rest is written.
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Form } from "../parts/form.tsx";
import { SegmentedField } from "../parts/segmented-field.tsx";
import { frameTexts, templatesTexts } from "../texts/areas.ts";
import type { How } from "../writing/first.ts";
import { HowChoice } from "../writing/how.tsx";
import { useMaking, type Template } from "./calls.ts";
import { useFirst } from "./first.ts";

export function MakeTemplate({ close }: { readonly close: () => void }) {
  const t = useTexts(templatesTexts);
  const { cancel } = useTexts(frameTexts);
  const navigate = useNavigate();
  const [how, setHow] = useState<How>("visual");
  const [type, setType] = useState<Template["type"]>("TRANSACTIONAL");
  const making = useMaking(({ id }) => {
    void navigate({ to: "/templates/$id", params: { id }, replace: true });
  });
  const first = useFirst();
  const make = async (name: string) => making.mutate(await first({ name, type, how }));
  return (
    <Dialog title={t.make} isOpen onClose={close}>
      <Form fault={making.error} onSubmit={({ name = "" }) => void make(name.trim())}>
        <Field name="name" label={t.name} autoFocus />
        <SegmentedField
          label={t.type}
          help={t.typeHelp[type]}
          value={type}
          onChange={setType}
          choices={(["TRANSACTIONAL", "MARKETING"] as const).map((value) => ({ value, content: t.types[value] }))}
        />
        <Suspense>
          <HowChoice how={how} choose={setHow} />
        </Suspense>
        <div className="actions">
          <Button onClick={close}>{cancel}</Button>
          <Button kind="first" type="submit" busy={making.isPending}>
            {t.make}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
