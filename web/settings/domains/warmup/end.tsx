// Ends a warm-up, or states that the domain is warm already: with a reason, which the audit log keeps.
import { useTexts } from "../../../base/language.ts";
import { Field } from "../../../parts/fields/form.tsx";
import { FormDialog } from "../../../parts/fields/form-dialog.tsx";
import { warmupTexts } from "../../../texts/areas.ts";
import { useWarmupEnd, type WarmupSubject } from "./calls.ts";

type EndProps = { readonly of: WarmupSubject; readonly name: string; readonly close: () => void };

export function EndWarmup({ of, name, close }: EndProps) {
  const t = useTexts(warmupTexts);
  const ending = useWarmupEnd(of, close);
  return (
    <FormDialog
      title={"domain" in of ? t.skipTitle(name) : t.skipTitleOfWay(name)}
      close={close}
      sending={ending}
      submit={t.skip}
      onSubmit={({ reason = "" }) => ending.mutate(reason.trim())}
    >
      <p>{t.skipText}</p>
      <Field name="reason" label={t.reason} help={t.reasonHelp} maxLength={500} autoFocus />
    </FormDialog>
  );
}
