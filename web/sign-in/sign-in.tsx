// Sign-in: passkey first, then email address and password.
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Navigate, useRouter } from "@tanstack/react-router";
import { useTexts } from "../base/language.ts";
import { Button, DisabledReason } from "../parts/button.tsx";
import { Field, Form } from "../parts/fields/form.tsx";
import { hasPasskeys } from "../calls/passkeys.ts";
import { signedIn, type Me } from "../calls/session.ts";
import { signInTexts } from "../texts/areas.ts";
import { query } from "../calls/query.ts";
import { CodeField, useCodeAsked } from "./code-field.tsx";
import { signInByPassword, signInWithPasskey } from "./calls.ts";
import { ProviderButtons } from "./provider-buttons.tsx";
import { SignInPage } from "./sign-in-page.tsx";
import { SignInHelp } from "./sign-in-help.tsx";

const route = getRouteApi("/sign-in");

export function SignIn() {
  const t = useTexts(signInTexts);
  const { data: state, isLoading, failureCount } = useQuery(query("GET /session"));
  const { password, passkey } = useSignInMethods();
  const { next } = route.useSearch();
  const code = useCodeAsked(password.error);
  const { providers = [], passwords = true } = state ?? {};
  const offered = passwords && hasPasskeys() && state?.passkeys.offered !== false;
  if (isLoading && failureCount === 0) return null;
  if (state?.hasUsers === false) return <Navigate to="/welcome" replace />;
  return (
    <SignInPage title={t.signIn.title} below={location.host} story={<SignInHelp />}>
      <ProviderButtons providers={providers} next={next} />
      {offered && (
        <Button wide icon="finger" busy={passkey.isPending} onClick={() => passkey.mutate()}>
          {t.signIn.passkey}
        </Button>
      )}
      {passwords && (offered || providers.length > 0) && <div className="or">{t.or}</div>}
      {passwords && (
        <Form
          unsaved={false}
          fault={code.fault ?? passkey.error}
          onSubmit={({ email = "", password: secret = "", code: typed }) =>
            password.mutate({ email, password: secret, ...(typed ? { code: typed } : {}) })
          }
        >
          <Field name="email" type="email" label={t.email} autoComplete="username webauthn" autoFocus />
          <Field name="password" type="password" label={t.password} autoComplete="current-password" />
          {code.isAsked && <CodeField />}
          <Button kind="first" wide type="submit" busy={password.isPending}>
            {t.signIn.action}
          </Button>
        </Form>
      )}
      {state && passwords && !offered && state.passkeys.reason && (
        <DisabledReason>{state.passkeys.reason}</DisabledReason>
      )}
      <p className="disabled-reason">{t.signIn.stay}</p>
    </SignInPage>
  );
}

function useSignInMethods() {
  const router = useRouter();
  const { next } = route.useSearch();
  const enter = (me: Me) => {
    signedIn(me);
    router.history.push(`/app${next ?? ""}`);
  };
  const password = useMutation({ mutationFn: signInByPassword, onSuccess: enter, meta: { inForm: true } });
  const passkey = useMutation({ mutationFn: signInWithPasskey, onSuccess: enter, meta: { inForm: true } });
  return { password, passkey };
}
