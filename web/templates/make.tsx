// A template is made: what it is called and what it is for; the rest is written.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { brandQuery, useLook } from "../brand/calls.ts";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Form } from "../parts/form.tsx";
import { Seg } from "../parts/seg.tsx";
import { frameTexts } from "../texts/frame.ts";
import { templatesTexts } from "../texts/templates.ts";
import { visualTexts } from "../texts/visual.ts";
import { writingTexts } from "../texts/writing.ts";
import { firstDocument, type Look } from "../writing/visual/document.ts";
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

/** MJML is large: it is loaded here at the first visual mail. */
async function visually({ hello, there }: { readonly hello: string; readonly there: string }, look: Look) {
  const { htmlOf } = await import("../writing/visual/html.ts");
  const source = firstDocument(hello, there);
  return { body: await htmlOf(source, look), design: { kind: "visual", source: { ...source } } };
}

export function MakeTemplate({ close }: { readonly close: () => void }) {
  const t = useTexts(templatesTexts);
  const { cancel } = useTexts(frameTexts);
  const { modes } = useTexts(writingTexts);
  const visual = useTexts(visualTexts);
  const look = useLook();
  const { data: brand } = useQuery({ ...brandQuery, throwOnError: false });
  const navigate = useNavigate();
  const [how, setHow] = useState<"visual" | "code">("visual");
  const [type, setType] = useState<Template["type"]>("TRANSACTIONAL");
  const making = useMaking(({ id }) => {
    void navigate({ to: "/templates/$id", params: { id }, replace: true });
  });
  const make = async (name: string) => {
    const written = how === "code" ? { body: FIRST_BODY } : await visually(visual, look);
    const sender = brand?.from ? { from: brand.from, ...(brand.fromName ? { fromName: brand.fromName } : {}) } : {};
    making.mutate({ name, type, subject: name, ...sender, ...written });
  };
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
