// Sends a test email through the API and links to its page.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, type ReactNode } from "react";
import { call } from "../calls/api.ts";
import { useTexts } from "../base/language.ts";
import { ButtonLink } from "../parts/button.tsx";
import { Dialog } from "../parts/overlays/dialog.tsx";
import { Field, Form, FormActions } from "../parts/fields/form.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { queries } from "../calls/queries.ts";
import { useMe } from "../calls/session.ts";
import { SenderSelect } from "./sender-choice.tsx";
import { testMailTexts } from "../texts/areas.ts";
import { useSenders } from "./sender.ts";

/** Addresses of the simulator: email to them never leaves, and has the outcome in the name (docs/index.md). */
const SIMULATED = [
  "delivered",
  "bounced",
  "soft-bounced",
  "complained",
  "deferred",
  "failed",
  "opened",
  "clicked",
  "slow",
];

type TestFormProps = {
  readonly senders: readonly string[];
  /** `id`: the id of the email. */
  readonly onSent: (id: string) => void;
  /** Only if the form is the first element of its dialog. */
  readonly autoFocus?: boolean;
  /** The buttons of the form. */
  readonly children: (busy: boolean) => ReactNode;
};
type TestInput = { readonly to: string; readonly from: string; readonly subject: string };

export function TestEmail({ close }: { readonly close: () => void }) {
  const t = useTexts(testMailTexts);
  const senders = useSenders();
  const navigate = useNavigate();
  const tell = (id: string) => {
    close();
    showToast(t.sent, { name: t.follow, run: () => void navigate({ to: "/mail/$id", params: { id } }) });
  };
  return (
    <Dialog title={t.title} isOpen onClose={close}>
      {senders && senders.length > 0 && (
        <TestForm senders={senders} onSent={tell} autoFocus>
          {(busy) => <FormActions close={close} submit={t.send} icon="send" busy={busy} />}
        </TestForm>
      )}
      {senders?.length === 0 && <NoSender />}
    </Dialog>
  );
}

export function TestForm({ senders, onSent, autoFocus = false, children }: TestFormProps) {
  const t = useTexts(testMailTexts);
  const { email } = useMe();
  const places = useId();
  const sending = useSendTest(onSent);
  return (
    <Form
      fault={sending.error}
      onSubmit={({ to = "", from = "", subject = "" }) => sending.mutate({ to: to.trim(), from, subject })}
    >
      <Field
        name="to"
        type="email"
        label={t.to}
        help={t.toHelp}
        defaultValue={email}
        list={places}
        autoFocus={autoFocus}
      />
      <datalist id={places}>
        {[email, ...SIMULATED.map((name) => `${name}@simulator.test`)].map((address) => (
          <option key={address} value={address} />
        ))}
      </datalist>
      <SenderSelect label={t.from} senders={senders} />
      <Field name="subject" label={t.subject} defaultValue={t.itWorks} />
      {children(sending.isPending)}
    </Form>
  );
}

function useSendTest(onSent: (id: string) => void) {
  const t = useTexts(testMailTexts);
  return useMutation({
    mutationFn: ({ to, from, subject }: TestInput) =>
      call("POST /v1/send", { body: { to, from, subject, body: t.body } }),
    onSuccess: ({ data }) => {
      void queries.invalidateQueries({ queryKey: ["mails"] });
      void queries.invalidateQueries({ queryKey: ["overview"] });
      const id = data.emails[0]?.email;
      if (id !== undefined) onSent(id);
    },
    meta: { inForm: true },
  });
}

function NoSender() {
  const t = useTexts(testMailTexts);
  return (
    <>
      <p>{t.noSender}</p>
      <ButtonLink to="/settings/domains/{-$id}" params={{ id: undefined }} kind="first">
        {t.toDomains}
      </ButtonLink>
    </>
  );
}
