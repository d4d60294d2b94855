// The only page for a user who needs a second factor and has none: its set-up.
import { Suspense } from "react";
import { ProofDialog } from "../frame/proof.tsx";
import { SignInAgain } from "../frame/sign-in-again.tsx";
import { useSignOut } from "../frame/user-menu.tsx";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Horn } from "../parts/icon.tsx";
import { Sections } from "../parts/section.tsx";
import { useMe } from "../session.ts";
import { frameTexts, meTexts } from "../texts/areas.ts";
import { Passkeys } from "./passkeys.tsx";
import { Totp } from "./totp.tsx";

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
