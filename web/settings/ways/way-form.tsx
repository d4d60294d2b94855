// The dialogs to add or edit a way out. Secrets are never shown: an empty field keeps one.
import { useState } from "react";
import { useTexts } from "../../base/language.ts";
import { Code } from "../../parts/code.tsx";
import { Field, TextField } from "../../parts/fields/form.tsx";
import { FormDialog } from "../../parts/fields/form-dialog.tsx";
import { SegmentedField } from "../../parts/fields/segmented-field.tsx";
import { Select } from "../../parts/fields/select.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { waysTexts } from "../../texts/areas.ts";
import { useAddWay, useChangeWay, type NewWay, type SendingRoute } from "./calls.ts";
import { LoginFields } from "./login.tsx";
import { MoreSettings } from "./more-settings.tsx";
import { Secret } from "./secret.tsx";
import { NONE, settingsIn, type WayKind } from "./settings-in.ts";

const KINDS: readonly WayKind[] = ["smtp", "ses", "graph", "capture"];
const TLS = ["starttls", "implicit", "none"] as const;
const PROVIDERS = [
  ...["mailgun", "postmark", "sendgrid", "resend", "brevo", "mailjet", "sparkpost", "generic"],
] as const;
const NAMES: Readonly<Record<string, string>> = { sendgrid: "SendGrid", sparkpost: "SparkPost" };

export function AddWay({ close }: { readonly close: () => void }) {
  const t = useTexts(waysTexts);
  const [kind, setKind] = useState<WayKind>("smtp");
  const adding = useAddWay(({ name }) => {
    showToast(t.add.done(name));
    close();
  });
  return (
    <FormDialog
      title={t.add.title}
      wide
      close={close}
      sending={adding}
      submit={t.add.submit}
      onSubmit={(values) =>
        adding.mutate({ name: (values["name"] ?? "").trim(), kind, ...settingsIn(values, kind, null) } as NewWay)
      }
    >
      <Field
        name="name"
        label={t.fields.name}
        help={t.fields.nameHelp}
        maxLength={30}
        autoComplete="off"
        autoFocus
        spellCheck={false}
      />
      <SegmentedField
        label={t.fields.kind}
        choices={KINDS.map((value) => ({ value, content: t.fields.kinds[value] }))}
        value={kind}
        onChange={setKind}
        help={kind === "capture" ? t.fields.captureHelp : kind === "graph" ? t.fields.graphHelp : undefined}
      />
      <Settings kind={kind} way={null} />
      <MoreSettings kind={kind} way={null} fault={adding.error} />
    </FormDialog>
  );
}

export function EditWay({ way: now, close }: { readonly way: SendingRoute; readonly close: () => void }) {
  const t = useTexts(waysTexts);
  const [way] = useState(now);
  const changing = useChangeWay(way, (isMine) => {
    if (isMine) showToast(t.edit.done);
    close();
  });
  return (
    <FormDialog
      title={t.edit.title(way.name)}
      wide
      close={close}
      sending={changing}
      submit={t.edit.submit}
      onSubmit={(values) => changing.mutate(settingsIn(values, way.kind, way))}
    >
      <Settings kind={way.kind} way={way} />
      <MoreSettings kind={way.kind} way={way} fault={changing.error} />
      {way.reportsUrl && <Code text={way.reportsUrl} what={t.reports} />}
    </FormDialog>
  );
}

/** `way`: null for a new one. */
function Settings({ kind, way }: { readonly kind: WayKind; readonly way: SendingRoute | null }) {
  const t = useTexts(waysTexts).fields;
  return (
    <>
      {kind === "smtp" && <OfRelay way={way} />}
      {kind === "ses" && <OfSes way={way} />}
      {kind === "graph" && (
        <div className="pairs">
          <LoginFields way={way} logins={["microsoft", "other"]} />
        </div>
      )}
      <div className="pairs">
        <Field
          name="ratePerSecond"
          label={t.ratePerSecond}
          help={t.rateHelp}
          inputMode="decimal"
          defaultValue={String(way === null ? 14 : (way.ratePerSecond ?? 0))}
        />
        <Field
          name="concurrency"
          label={t.concurrency}
          inputMode="numeric"
          defaultValue={String(way?.concurrency ?? 10)}
        />
        <Field name="price" label={t.price} note={t.optional} inputMode="decimal" defaultValue={way?.price ?? ""} />
      </div>
    </>
  );
}

function OfRelay({ way }: { readonly way: SendingRoute | null }) {
  const t = useTexts(waysTexts).fields;
  const options = PROVIDERS.map((id) => ({ id, name: NAMES[id] ?? id.charAt(0).toUpperCase() + id.slice(1) }));
  return (
    <>
      <div className="pairs">
        <Field
          name="host"
          label={t.host}
          defaultValue={way?.host ?? ""}
          placeholder="smtp.example.com"
          spellCheck={false}
        />
        <Field name="port" label={t.port} inputMode="numeric" defaultValue={String(way?.port ?? 587)} />
        <LoginFields way={way} />
        <Select
          name="tls"
          label={t.tls}
          first={way?.tls ?? "starttls"}
          options={TLS.map((id) => ({ id, name: t.tlsKinds[id] }))}
        />
        <Select
          name="provider"
          label={t.provider}
          first={way?.provider ?? NONE}
          options={[{ id: NONE, name: t.noProvider }, ...options]}
          help={t.providerHelp}
        />
      </div>
      <Secret name="providerKey" label={t.providerKey} isKept={way?.hasProviderKey ?? false} />
    </>
  );
}

function OfSes({ way }: { readonly way: SendingRoute | null }) {
  const t = useTexts(waysTexts).fields;
  return (
    <>
      <div className="pairs">
        <Field
          name="region"
          label={t.region}
          defaultValue={way?.region ?? ""}
          placeholder="eu-west-1"
          spellCheck={false}
        />
        <Field
          name="configurationSet"
          label={t.configurationSet}
          note={t.optional}
          defaultValue={way?.configurationSet ?? ""}
          spellCheck={false}
        />
        <Secret name="accessKeyId" label={t.accessKeyId} isKept={way?.hasAccessKey ?? false} />
        <Secret name="secretAccessKey" label={t.secretAccessKey} isKept={way?.hasAccessKey ?? false} />
      </div>
      <TextField
        name="topics"
        label={t.topics}
        note={t.optional}
        help={t.topicsHelp}
        rows={2}
        defaultValue={way?.topics.join("\n") ?? ""}
        spellCheck={false}
      />
    </>
  );
}
