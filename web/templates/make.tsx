// A template is made: what it is called and what it is for; the rest is written.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Form } from "../parts/form.tsx";
import { Seg } from "../parts/seg.tsx";
import { frameTexts } from "../texts/frame.ts";
import { templatesTexts } from "../texts/templates.ts";
import { writingTexts } from "../texts/writing.ts";
import { useMaking, type Template } from "./calls.ts";
import { useFirst } from "./first.ts";

export function MakeTemplate({ close }: { readonly close: () => void }) {
  const t = useTexts(templatesTexts);
  const { cancel } = useTexts(frameTexts);
  const { modes } = useTexts(writingTexts);
  const navigate = useNavigate();
  const [how, setHow] = useState<"visual" | "code">("visual");
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
        <div className="field">
          <span className="label">{t.type}</span>
          <Seg
            label={t.type}
            value={type}
            onChange={setType}
            choices={[
              { value: "TRANSACTIONAL", content: t.types.TRANSACTIONAL },
              { value: "MARKETING", content: t.types.MARKETING },
            ]}
          />
          <span className="help">{t.typeHelp[type]}</span>
        </div>
        <div className="field">
          <span className="label">{t.how}</span>
          <Seg
            label={t.how}
            value={how}
            onChange={setHow}
            choices={[
              { value: "visual", content: modes.visual },
              { value: "code", content: modes.code },
            ]}
          />
          <span className="help">{t.howHelp[how]}</span>
        </div>
        <div className="acts">
          <Button onClick={close}>{cancel}</Button>
          <Button kind="first" type="submit" busy={making.isPending}>
            {t.make}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
