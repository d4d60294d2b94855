// How a way out logs in at its relay: with a password, or with access tokens of Microsoft, Google or another service.
import { useState } from "react";
import { useTexts } from "../../base/language.ts";
import { Field } from "../../parts/fields/form.tsx";
import { Select } from "../../parts/fields/select.tsx";
import { waysTexts } from "../../texts/areas.ts";
import type { SendingRoute } from "./calls.ts";
import { Secret } from "./secret.tsx";
import { LOGINS, loginOf, type Login } from "./settings-in.ts";

/** `way`: null for a new one. */
type LoginProps = { readonly way: SendingRoute | null };
type LoginFieldsProps = LoginProps & { /** All unless given. */ readonly logins?: readonly Login[] };

export function LoginFields({ way, logins = LOGINS }: LoginFieldsProps) {
  const t = useTexts(waysTexts).fields;
  const [login, setLogin] = useState<Login>(logins.find((one) => one === loginOf(way)) ?? logins[0] ?? "password");
  const options = logins.map((id) => ({ id, name: t.logins[id] }));
  return (
    <>
      <Select
        name="login"
        label={t.login}
        first={login}
        options={options}
        {...(login === "password" ? {} : { help: login === "google" ? t.googleHelp : t.loginHelp })}
        onChange={(id) => setLogin(id as Login)}
      />
      <Field name="user" label={t.user} autoComplete="off" defaultValue={way?.user ?? ""} spellCheck={false} />
      {login === "password" && <Secret name="password" label={t.password} isKept={way?.hasPassword ?? false} />}
      {login === "microsoft" && <Plain name="tenant" value={way?.tenant} />}
      {login === "other" && <Plain name="tokenUrl" value={way?.tokenUrl} />}
      {(login === "microsoft" || login === "google" || login === "other") && <OfClient way={way} />}
      {login === "other" && <Plain name="scope" value={way?.scope} />}
      {login === "serviceAccount" && (
        <Secret name="serviceAccount" label={t.serviceAccount} isKept={way?.hasServiceAccount ?? false} />
      )}
    </>
  );
}

function OfClient({ way }: LoginProps) {
  const t = useTexts(waysTexts).fields;
  return (
    <>
      <Plain name="clientId" value={way?.clientId} />
      <Secret name="clientSecret" label={t.clientSecret} isKept={way?.hasClientSecret ?? false} />
      <Secret name="refreshToken" label={t.refreshToken} isKept={way?.hasRefreshToken ?? false} />
    </>
  );
}

type PlainProps = {
  readonly name: "tenant" | "tokenUrl" | "clientId" | "scope";
  readonly value: string | null | undefined;
};

function Plain({ name, value }: PlainProps) {
  const t = useTexts(waysTexts).fields;
  const note = name === "scope" ? { note: t.optional } : {};
  return (
    <Field name={name} label={t[name]} {...note} autoComplete="off" defaultValue={value ?? ""} spellCheck={false} />
  );
}
