// Sends a test email through the API and links to its page.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId } from "react";
import { call } from "../api.ts";
import { useTexts } from "../language.ts";
import { ButtonLink } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Form, FormActions } from "../parts/form.tsx";
import { showToast } from "../parts/toast.tsx";
import { queries } from "../queries.ts";
import { useMe } from "../session.ts";
import { SenderSelect } from "./sender-choice.tsx";
import { testMailTexts } from "../texts/areas.ts";
import { useSenders } from "./sender.ts";

/** They never leave, and come to what their names say (docs/index.md). */
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

type TestInput = { readonly to: string; readonly from: string; readonly subject: string };

export function TestEmail({ close }: { readonly close: () => void }) {
  const t = useTexts(testMailTexts);
  const senders = useSenders();
  return (
    <Dialog title={t.title} isOpen onClose={close}>
      {senders && (senders.length > 0 ? <TestForm senders={senders} close={close} /> : <NoSender />)}
    </Dialog>
  );
}

function TestForm({ senders, close }: { readonly senders: readonly string[]; readonly close: () => void }) {
  const t = useTexts(testMailTexts);
  const { email } = useMe();
  const places = useId();
  const sending = useSendTest(close);
  return (
    <Form
      fault={sending.error}
      onSubmit={({ to = "", from = "", subject = "" }) => sending.mutate({ to: to.trim(), from, subject })}
    >
      <Field name="to" type="email" label={t.to} help={t.toHelp} defaultValue={email} list={places} autoFocus />
      <datalist id={places}>
        {[email, ...SIMULATED.map((name) => `${name}@simulator.test`)].map((address) => (
          <option key={address} value={address} />
        ))}
      </datalist>
      <SenderSelect label={t.from} senders={senders} />
      <Field name="subject" label={t.subject} defaultValue={t.itWorks} />
      <FormActions close={close} submit={t.send} icon="send" busy={sending.isPending} />
    </Form>
  );
}

function useSendTest(close: () => void) {
  const t = useTexts(testMailTexts);
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ to, from, subject }: TestInput) =>
      call("POST /v1/send", { body: { to, from, subject, body: t.body } }),
    onSuccess: ({ data }) => {
      close();
      void queries.invalidateQueries({ queryKey: ["mails"] });
      void queries.invalidateQueries({ queryKey: ["overview"] });
      const id = data.emails[0]?.email;
      showToast(
        t.sent,
        id === undefined
          ? undefined
          : { name: t.follow, run: () => void navigate({ to: "/mail/$id", params: { id } }) },
      );
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
