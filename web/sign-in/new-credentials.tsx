// A new user enters a name and chooses a password or passkey; a recovered user chooses a new one.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Field, Form } from "../parts/fields/form.tsx";
import { SegmentedControl } from "../parts/fields/segmented-control.tsx";
import { Checkbox } from "../parts/fields/checkbox.tsx";
import { hasPasskeys, makePasskey } from "../calls/passkeys.ts";
import { signInTexts } from "../texts/areas.ts";
import { query } from "../calls/query.ts";
import { useAccept } from "./accept.ts";
import { newPasskeyOptions, type Acceptance, type LinkFacts } from "./calls.ts";

type NewCredentialsProps = { readonly token: string; readonly facts: LinkFacts };
type SignInMethod = "password" | "passkey";
type LinkWords = Awaited<ReturnType<typeof signInTexts>>["link"];

export function NewCredentials({ token, facts }: NewCredentialsProps) {
  const t = useTexts(signInTexts);
  const [way, setWay] = useState<SignInMethod>("password");
  const { data: session } = useQuery(query("GET /session"));
  const offer = session?.passkeys;
  const { enter, error, isPending } = useEnter({ token, way, kind: facts.kind });
  const hasFactors = facts.passkeys.length > 0 || facts.totp;
  const choose = ({ endPasskeys, ...values }: Record<string, string>) =>
    enter(!hasFactors ? values : { ...values, keepPasskeys: endPasskeys === undefined });
  const ways = [
    { value: "password" as const, content: t.password },
    { value: "passkey" as const, content: t.passkey },
  ];
  return (
    <Form unsaved={false} fault={error} onSubmit={choose}>
      {facts.email === null && <Field name="email" type="email" label={t.email} autoComplete="username" autoFocus />}
      {!facts.known && (
        <Field
          name="name"
          label={t.name}
          autoComplete="name"
          defaultValue={facts.name ?? ""}
          autoFocus={facts.email !== null}
        />
      )}
      {facts.nameProposal !== null && (
        <Field
          name="workspaceName"
          label={t.link.workspaceName}
          help={t.link.workspaceNameHelp}
          autoComplete="organization"
          defaultValue={facts.nameProposal}
        />
      )}
      {hasPasskeys() && offer?.offered && (
        <SegmentedControl label={t.link.way} choices={ways} value={way} onChange={setWay} />
      )}
      {way === "password" ? (
        <Field
          name="password"
          type="password"
          label={t.password}
          help={t.link.passwordHelp}
          autoComplete="new-password"
          autoFocus={facts.known}
        />
      ) : (
        <p className="dim row-text">{t.link.passkeyHelp}</p>
      )}
      {hasFactors && (
        <Checkbox name="endPasskeys" defaultChecked>
          {facts.totp ? t.link.endFactors(facts.passkeys.join(", ")) : t.link.endPasskeys(facts.passkeys.join(", "))}
        </Checkbox>
      )}
      <Button kind="first" wide type="submit" busy={isPending}>
        {wordOf(facts, way, t.link)}
      </Button>
    </Form>
  );
}

type EnterOptions = { readonly token: string; readonly way: SignInMethod; readonly kind: LinkFacts["kind"] };

function useEnter({ token, way, kind }: EnterOptions) {
  const accept = useAccept(kind === "WELCOME" ? "/first-start" : "/");
  const passkey = useMutation({
    mutationFn: async ({ keepPasskeys = false, ...values }: Omit<Acceptance, "token">) =>
      accept.mutateAsync({
        token,
        ...values,
        keepPasskeys,
        passkey: await makePasskey(await newPasskeyOptions({ token, ...values })),
      }),
    meta: { inForm: true },
  });
  return {
    enter: (values: Omit<Acceptance, "token">) =>
      way === "passkey" ? passkey.mutate(values) : accept.mutate({ token, ...values }),
    error: accept.error ?? passkey.error,
    isPending: accept.isPending || passkey.isPending,
  };
}

/** The label of the button: "join" for an invitation, otherwise "continue". */
function wordOf({ kind, workspace }: LinkFacts, way: SignInMethod, t: LinkWords): string {
  if (kind !== "INVITATION") return way === "password" ? t.enter : t.enterByPasskey;
  return way === "password" ? t.join(workspace ?? "Posthorn") : t.joinByPasskey(workspace ?? "Posthorn");
}
