// Gives an authenticator app its key, and confirms it by the first code.
import { useTexts } from "../base/language.ts";
import { Code } from "../parts/code.tsx";
import { Field } from "../parts/fields/form.tsx";
import { FormDialog } from "../parts/fields/form-dialog.tsx";
import type { Schemas } from "../calls/schemas.ts";
import { frameTexts, meTexts } from "../texts/areas.ts";
import { useConfirmTotp } from "./data.ts";
import { QrCode } from "./qr-code.tsx";

type SetUpProps = {
  readonly made: Schemas["TotpSetUp"];
  readonly done: (recoveryCodes: readonly string[]) => void;
  readonly close: () => void;
};

export function TotpSetUp({ made, done, close }: SetUpProps) {
  const { totp: t } = useTexts(meTexts);
  const { code } = useTexts(frameTexts);
  const confirmation = useConfirmTotp();
  const confirm = (typed: string) =>
    confirmation.mutate({ code: typed }, { onSuccess: ({ recoveryCodes }) => done(recoveryCodes) });
  return (
    <FormDialog
      title={t.setUp}
      stays
      unsaved={false}
      close={close}
      sending={confirmation}
      submit={t.confirm}
      onSubmit={({ code: typed = "" }) => confirm(typed)}
    >
      <p>{t.scan}</p>
      <QrCode text={made.uri} label={t.picture} />
      <Code title={t.key} text={made.secret} what={t.key} />
      <Field
        name="code"
        label={code.label}
        autoComplete="one-time-code"
        inputMode="numeric"
        pattern="[0-9 ]*"
        maxLength={10}
      />
    </FormDialog>
  );
}
