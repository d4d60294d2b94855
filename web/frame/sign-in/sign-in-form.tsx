// Asks the user of this page to sign in again, and warns if another user signs in, here or in another tab.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { Field, Form } from "../../parts/fields/form.tsx";
import { hasPasskeys } from "../../calls/passkeys.ts";
import { query } from "../../calls/query.ts";
import { useMe, type Me } from "../../calls/session.ts";
import { CodeField, useCodeAsked } from "../../sign-in/code-field.tsx";
import { signInByPassword, signInWithPasskey } from "../../sign-in/calls.ts";
import { ProviderButtons } from "../../sign-in/provider-buttons.tsx";
import { frameTexts } from "../../texts/areas.ts";
import { leaveAtOnce } from "../../base/unsaved.ts";

export function SignInForm({ done }: { readonly done: () => void }) {
  const own = useMe();
  const [other, setOther] = useState<Me | null>(null);
  const enter = (me: Me | null) => (me?.id === own.id ? done() : setOther(me));
  useEffect(() => {
    // A user may have signed in in another tab.
    const look = () => void whoIsSignedIn().then((me) => me && enter(me));
    look();
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, []);
  return other ? (
    <OtherUser own={own} other={other} back={() => setOther(null)} />
  ) : (
    <OwnForm own={own} enter={enter} />
  );
}

/** The user of the cookie. Sent without X-User: with it, the server would refuse another user than this page's. */
async function whoIsSignedIn(): Promise<Me | null> {
  try {
    const response = await fetch("/me");
    return response.ok ? ((await response.json()) as Me) : null;
  } catch {
    return null;
  }
}

function OwnForm({ own, enter }: { readonly own: Me; readonly enter: (me: Me) => void }) {
  const { again: t, proof } = useTexts(frameTexts);
  const options = { onSuccess: enter, meta: { inForm: true } };
  const password = useMutation({ mutationFn: signInByPassword, ...options });
  const passkey = useMutation({ mutationFn: signInWithPasskey, ...options });
  const code = useCodeAsked(password.error);
  const { data: state } = useQuery(query("GET /session", {}, { throwOnError: false }));
  const { providers = [], passwords = true } = state ?? {};
  return (
    <Dialog title={t.title} isOpen stays isFinal onClose={() => undefined}>
      <Form
        unsaved={false}
        fault={code.fault ?? passkey.error}
        onSubmit={({ email = "", password: secret = "", code: typed }) =>
          password.mutate({ email, password: secret, ...(typed ? { code: typed } : {}) })
        }
      >
        <p className="dim">{t.text(own.name)}</p>
        {passwords && (
          <>
            <Field
              name="email"
              type="email"
              label={t.email}
              defaultValue={own.email}
              autoComplete="username webauthn"
            />
            <Field name="password" type="password" label={proof.password} autoComplete="current-password" autoFocus />
          </>
        )}
        {code.isAsked && <CodeField />}
        <div className="actions">
          <ProviderButtons providers={providers} beside />
          {passwords && hasPasskeys() && (
            <Button icon="finger" busy={passkey.isPending} onClick={() => passkey.mutate()}>
              {proof.passkey}
            </Button>
          )}
          {passwords && (
            <Button kind="first" type="submit" busy={password.isPending}>
              {t.action}
            </Button>
          )}
        </div>
      </Form>
    </Dialog>
  );
}

type OtherUserProps = { readonly own: Me; readonly other: Me; readonly back: () => void };

/** The calls of the first user stay waiting: they must not be sent as the other one. */
function OtherUser({ own, other, back }: OtherUserProps) {
  const t = useTexts(frameTexts).again.other;
  const called = ({ name, email }: Me) => (own.name === other.name ? email : name);
  const go = () => {
    leaveAtOnce();
    location.assign("/app");
  };
  const actions = (
    <>
      <Button onClick={go}>{t.go(called(other))}</Button>
      <Button kind="first" onClick={back}>
        {t.own(called(own))}
      </Button>
    </>
  );
  return (
    <Dialog title={t.title} isOpen stays isFinal onClose={() => undefined} actions={actions}>
      <p>{t.text(called(other), called(own))}</p>
    </Dialog>
  );
}
