// Rare settings of a way out, in a fold; and the removal of its secrets.
import { Fault } from "../../calls/api.ts";
import { useTexts } from "../../base/language.ts";
import { Checkbox } from "../../parts/fields/checkbox.tsx";
import { Field } from "../../parts/fields/form.tsx";
import { waysTexts } from "../../texts/areas.ts";
import type { SendingRoute } from "./calls.ts";
import { Secret } from "./secret.tsx";
import { CLEAR, type WayKind } from "./settings-in.ts";

/** `way`: null for a new one. `fault`: the error of the form. */
type MoreSettingsProps = { readonly kind: WayKind; readonly way: SendingRoute | null; readonly fault: unknown };

const FOLDED = ["timeoutSeconds", "burst", "endpoint", "sessionToken"];

export function MoreSettings({ kind, way, fault }: MoreSettingsProps) {
  const t = useTexts(waysTexts).fields;
  const isRefused = fault instanceof Fault && fault.errors.some(({ field }) => FOLDED.includes(field));
  return (
    <details open={isRefused || undefined}>
      <summary>{t.more}</summary>
      <div className="stack l more-settings">
        <div className="pairs">
          <Field
            name="burst"
            label={t.burst}
            help={t.burstHelp}
            inputMode="numeric"
            defaultValue={String(way?.burst ?? 1)}
          />
          {kind === "smtp" && (
            <Field
              name="timeoutSeconds"
              label={t.timeout}
              help={t.timeoutHelp}
              inputMode="numeric"
              defaultValue={String(way?.timeoutSeconds ?? 60)}
            />
          )}
          {kind === "ses" && <OfSes way={way} />}
        </div>
        {kind === "smtp" && (
          <>
            <Checkbox name="verifyCertificate" defaultChecked={way?.verifyCertificate ?? true}>
              {t.verifyCertificate}
            </Checkbox>
            <Checkbox name="providerTracking" defaultChecked={way?.providerTracking ?? false}>
              {t.providerTracking}
            </Checkbox>
          </>
        )}
        {way?.hasPassword && <Checkbox name={`${CLEAR}password`}>{t.clear.password}</Checkbox>}
        {way?.hasProviderKey && <Checkbox name={`${CLEAR}providerKey`}>{t.clear.providerKey}</Checkbox>}
        {way?.hasAccessKey && <Checkbox name={`${CLEAR}keys`}>{t.clear.keys}</Checkbox>}
      </div>
    </details>
  );
}

function OfSes({ way }: Pick<MoreSettingsProps, "way">) {
  const t = useTexts(waysTexts).fields;
  return (
    <>
      <Field
        name="endpoint"
        label={t.endpoint}
        note={t.optional}
        help={t.endpointHelp}
        defaultValue={way?.endpoint ?? ""}
        placeholder="https://…"
        spellCheck={false}
      />
      <Secret name="sessionToken" label={t.sessionToken} isKept={false} />
    </>
  );
}
