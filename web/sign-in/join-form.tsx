// Somebody who has an account already joins one more workspace; they sign in first.
import { Fault } from "../api.ts";
import { useTexts } from "../language.ts";
import { Button, ButtonLink } from "../parts/button.tsx";
import { FaultBanner } from "../parts/form.tsx";
import { signInTexts } from "../texts/areas.ts";
import { useAccept } from "./accept.ts";
import type { LinkFacts } from "./calls.ts";

export function JoinForm({ token, facts }: { readonly token: string; readonly facts: LinkFacts }) {
  const t = useTexts(signInTexts);
  const accept = useAccept();
  const isOut = accept.error instanceof Fault && accept.error.status === 401;
  const here = `/invitation#${token}`;
  return (
    <div className="stack">
      {accept.error && !isOut && <FaultBanner fault={accept.error} />}
      {isOut ? (
        <>
          <p className="row-text">{t.link.signInFirst(facts.email ?? "")}</p>
          <ButtonLink kind="first" wide to="/sign-in" search={{ next: here }}>
            {t.signIn.action}
          </ButtonLink>
        </>
      ) : (
        <Button kind="first" wide busy={accept.isPending} onClick={() => accept.mutate({ token })}>
          {t.link.join(facts.workspace ?? "Posthorn")}
        </Button>
      )}
    </div>
  );
}
