// Asks for the password or a passkey again.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { call } from "../../calls/api.ts";
import type { components } from "../../api.gen.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { Field, Form } from "../../parts/fields/form.tsx";
import { hasPasskeys, provePasskey } from "../../calls/passkeys.ts";
import { query } from "../../calls/query.ts";
import { useMe } from "../../calls/session.ts";
import { CodeField, useCodeAsked } from "../../sign-in/code-field.tsx";
import { ProviderButtons } from "../../sign-in/provider-buttons.tsx";
import { frameTexts } from "../../texts/areas.ts";

type Proof = components["schemas"]["ProveIdentityRequest"];

export function ProofForm({ answer }: { readonly answer: (proven: boolean) => void }) {
  const t = useTexts(frameTexts);
  const me = useMe();
  const proof = useMutation({
    mutationFn: (body: Proof) => call("POST /session/proof", { body }),
    onSuccess: () => answer(true),
    meta: { inForm: true },
  });
  const passkey = useMutation({
    mutationFn: async () => {
      const { options } = await call("POST /session/passkey-options", { body: {} });
      return proof.mutateAsync({ passkey: await provePasskey(options) });
    },
    meta: { inForm: true },
  });
  const code = useCodeAsked(proof.error);
  const { data: identities = [] } = useQuery(query("GET /me/identities", {}, { throwOnError: false }));
  const providers = identities.flatMap(({ provider: { name, label } }) => (name === null ? [] : [{ name, label }]));
  useEffect(() => {
    if (providers.length === 0) return undefined;
    // The proof may have been given in another tab.
    const look = () => void call("GET /me").then(({ session }) => session.provenUntil !== null && answer(true));
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, [providers.length]);
  const field = useRef<HTMLInputElement>(null);
  // A dialog below this one takes the focus back after `autoFocus`.
  useEffect(() => {
    const frame = requestAnimationFrame(() => field.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <Dialog title={t.proof.title} isOpen onClose={() => answer(false)}>
      <Form
        unsaved={false}
        onSubmit={({ password = "", code: typed }) => proof.mutate({ password, ...(typed ? { code: typed } : {}) })}
        fault={code.fault}
      >
        <p className="dim">{t.proof.text}</p>
        {me.hasPassword && (
          <Field ref={field} name="password" label={t.proof.password} type="password" autoComplete="current-password" />
        )}
        {code.isAsked && <CodeField />}
        <div className="actions">
          <ProviderButtons providers={providers} errand="prove" beside />
          {hasPasskeys() && (
            <Button icon="finger" busy={passkey.isPending} onClick={() => passkey.mutate()}>
              {t.proof.passkey}
            </Button>
          )}
          <Button onClick={() => answer(false)}>{t.cancel}</Button>
          {me.hasPassword && (
            <Button kind="first" type="submit" busy={proof.isPending}>
              {t.proof.confirm}
            </Button>
          )}
        </div>
      </Form>
    </Dialog>
  );
}
