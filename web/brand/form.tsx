// The brand form. The sample shows changes before they are saved.
import { Suspense, useState } from "react";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Field, Form, TextField } from "../parts/fields/form.tsx";
import { Section, Sections } from "../parts/section.tsx";
import { SenderField } from "../settings/sender-choice.tsx";
import { brandTexts } from "../texts/areas.ts";
import { PLAIN_LOOK } from "../writing/visual/document.ts";
import { COLOURS, type useSaveBrand, type Brand, type BrandChange } from "./calls.ts";
import { lazyPart, nothing } from "../chunks.tsx";

const ImagePicker = lazyPart(() => import("../images/picker.tsx"), "ImagePicker", nothing);

type BrandFormProps = {
  /** For the submit button, which is in the head of the screen. */
  readonly id: string;
  readonly saving: ReturnType<typeof useSaveBrand>;
  readonly saved: Brand;
  readonly shown: Brand;
  readonly show: (brand: Brand) => void;
  readonly disabledReason: string | undefined;
};

export function BrandForm({ id, saving, saved, shown, show, disabledReason }: BrandFormProps) {
  const t = useTexts(brandTexts);
  const save = (values: Readonly<Record<string, string>>) =>
    saving.mutate({ ...textsIn(values), colors: shown.colors, logoUrl: shown.logoUrl });
  return (
    <Form id={id} fault={saving.error} disabledReason={disabledReason} onSubmit={save}>
      <Sections>
        <Section title={t.colours} text={t.coloursText}>
          <div className="colours">
            {COLOURS.map((name) => (
              <label key={name}>
                <input
                  type="color"
                  value={shown.colors[name] ?? PLAIN_LOOK[name]}
                  disabled={disabledReason !== undefined}
                  onChange={({ target }) => show({ ...shown, colors: { ...shown.colors, [name]: target.value } })}
                />
                {t.names[name]}
              </label>
            ))}
          </div>
          <Field
            name="font"
            label={t.font}
            help={t.fontHelp}
            defaultValue={saved.font ?? ""}
            onChange={({ target }) => show({ ...shown, font: target.value || null })}
          />
        </Section>
        <Section title={t.logo}>
          <Logo shown={shown} show={show} disabledReason={disabledReason} />
          <Field
            name="logoAlt"
            label={t.logoAlt}
            defaultValue={saved.logoAlt ?? ""}
            onChange={({ target }) => show({ ...shown, logoAlt: target.value || null })}
          />
        </Section>
        <Section title={t.sender} text={t.senderText}>
          <Field name="fromName" label={t.fromName} defaultValue={saved.fromName ?? ""} />
          <SenderField label={t.from} defaultValue={saved.from ?? ""} />
          <Field name="replyTo" label={t.replyTo} defaultValue={saved.replyTo ?? ""} />
        </Section>
        <Section title={t.footer} text={t.footerText}>
          <TextField
            name="footer"
            label={t.footerLabel}
            defaultValue={saved.footer ?? ""}
            onChange={({ target }) => show({ ...shown, footer: target.value || null })}
          />
        </Section>
        <Section title={t.pages} text={t.pagesText}>
          <TextField
            name="pageFooter"
            label={t.pageFooter}
            help={t.pageFooterHelp}
            maxLength={500}
            defaultValue={saved.pageFooter ?? ""}
          />
        </Section>
      </Sections>
    </Form>
  );
}

const TEXTS = ["font", "logoAlt", "fromName", "from", "replyTo", "footer", "pageFooter"] as const;

function textsIn(values: Readonly<Record<string, string>>): BrandChange {
  return Object.fromEntries(TEXTS.map((name) => [name, values[name]?.trim() || null]));
}

function Logo({ shown, show, disabledReason }: Omit<BrandFormProps, "id" | "saved" | "saving">) {
  const t = useTexts(brandTexts);
  const [picks, pick] = useState(false);
  return (
    <div className="inline">
      <span className="cut dim row-text">{shown.logoUrl ?? t.noLogo}</span>
      <Button small icon="image" disabledReason={disabledReason} onClick={() => pick(true)}>
        {t.choose}
      </Button>
      {shown.logoUrl && (
        <Button
          kind="quiet"
          small
          icon="x"
          label={t.without}
          disabledReason={disabledReason}
          onClick={() => show({ ...shown, logoUrl: null })}
        />
      )}
      <Suspense>
        {picks && (
          <ImagePicker
            disabledReason={disabledReason}
            pick={({ url }) => show({ ...shown, logoUrl: url })}
            close={() => pick(false)}
          />
        )}
      </Suspense>
    </div>
  );
}
