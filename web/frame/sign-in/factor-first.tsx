// The only page for a user who needs a second factor and has none: its set-up.
import { Suspense } from "react";
import { ProofDialog } from "./proof.tsx";
import { SignInAgain } from "./sign-in-again.tsx";
import { useSignOut } from "../user-menu.tsx";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Horn } from "../../parts/icons/icon.tsx";
import { Sections } from "../../parts/section.tsx";
import { useMe } from "../../calls/session.ts";
import { frameTexts, meTexts } from "../../texts/areas.ts";
import { Passkeys } from "../../me/passkeys.tsx";
import { Totp } from "../../me/totp.tsx";

export function FactorFirst({ done }: { readonly done: () => void }) {
  const { factorFirst: t } = useTexts(meTexts);
  const { signOut: out } = useTexts(frameTexts);
  const { email, secondFactorDueAt } = useMe();
  const signOut = useSignOut();
  return (
    <main id="main" className="page narrow factor-first">
      <Horn />
      <h1>{t.title}</h1>
      <p className="dim">{t.text(email)}</p>
      <Suspense>
        <Sections>
          <Totp />
          <Passkeys />
        </Sections>
      </Suspense>
      <div className="inline">
        <Button icon="out" onClick={() => void signOut()}>
          {out}
        </Button>
        <Button kind="first" disabledReason={secondFactorDueAt === null ? undefined : t.first} onClick={done}>
          {t.done}
        </Button>
      </div>
      <ProofDialog />
      <SignInAgain />
    </main>
  );
}
