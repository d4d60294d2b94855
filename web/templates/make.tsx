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
import { useMaking, type Template } from "./calls.ts";

/** Complete, so that it can be sent as it is. */
const FIRST_BODY = `<!doctype html>
<html>
  <body style="margin: 0; padding: 32px; font: 16px/26px sans-serif; color: #1d1b16">
    <p>Hello {{ name ?? "there" }},</p>
    <p></p>
  </body>
</html>
`;

export function MakeTemplate({ close }: { readonly close: () => void }) {
  const t = useTexts(templatesTexts);
  const { cancel } = useTexts(frameTexts);
  const navigate = useNavigate();
  const [type, setType] = useState<Template["type"]>("TRANSACTIONAL");
  const making = useMaking(({ id }) => {
    close();
    void navigate({ to: "/templates/$id", params: { id } });
  });
  const make = (name: string) => making.mutate({ name, type, subject: name, body: FIRST_BODY });
  return (
    <Dialog title={t.make} isOpen onClose={close}>
      <Form fault={making.error} onSubmit={({ name = "" }) => make(name.trim())}>
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
