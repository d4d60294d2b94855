// Who comes by a link: the first owner, somebody who was invited, somebody who was locked out. The link stands in the
// fragment.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Fault } from "../api.ts";
import { useTexts } from "../language.ts";
import { ButtonLink, Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { Facts } from "../parts/layout.tsx";
import { Time } from "../parts/time.tsx";
import { signInTexts } from "../texts/areas.ts";
import { lookAtLink, type LinkFacts } from "./calls.ts";
import { SignInPage } from "./sign-in-page.tsx";
import { NewSecret } from "./new-secret.tsx";
import { FaultBanner } from "../parts/form.tsx";
import { useAccept } from "./accept.ts";

export function LinkPage() {
  const t = useTexts(signInTexts);
  const [token] = useState(() => location.hash.slice(1));
  const looked = useQuery({
    queryKey: ["link", token],
    queryFn: () => lookAtLink(token),
    retry: false,
    throwOnError: false,
    staleTime: Infinity,
  });
  if (looked.isPending) return null;
  if (looked.isError) return <Gone known={looked.error instanceof Fault && looked.error.status === 404} />;
  const facts = looked.data;
  return (
    <SignInPage title={titleOf(facts, t)} below={belowOf(facts, t)} story={<Meaning facts={facts} />}>
      {facts.kind === "INVITATION" && facts.known ? (
        <JoinForm token={token} facts={facts} />
      ) : (
        <NewSecret token={token} facts={facts} />
      )}
    </SignInPage>
  );
}

type Words = Awaited<ReturnType<typeof signInTexts>>;

function titleOf({ kind, workspace }: LinkFacts, { link }: Words): string {
  if (kind === "WELCOME") return link.welcome;
  return kind === "RECOVERY" ? link.recovery : link.invitation(workspace ?? "Posthorn");
}

function belowOf({ email }: LinkFacts, { link }: Words): string {
  return email ?? link.firstOwner;
}

function Meaning({ facts }: { readonly facts: LinkFacts }) {
  const t = useTexts(signInTexts);
  // A new password changes no role.
  const { role } = facts;
  return (
    <>
      <div className="stack tight">
        <h2>{role === null ? t.link.recovered : t.link.role(t.roles[role])}</h2>
        <p className="dim row-text">{role === null ? t.link.recoveredWhat : t.roleMeans[role]}</p>
      </div>
      <Facts
        facts={[
          [t.link.then, facts.kind === "WELCOME" ? t.link.thenSteps : t.link.thenOverview],
          [t.link.thisLink, <Until key="until" at={facts.expiresAt} />],
        ]}
      />
    </>
  );
}

function Until({ at }: { readonly at: string }) {
  const { link } = useTexts(signInTexts);
  return (
    <>
      {link.worksUntil} <Time at={at} as="exact" />
    </>
  );
}

/** Unknown, used and expired links look alike from here. */
function Gone({ known }: { readonly known: boolean }) {
  const t = useTexts(signInTexts);
  return (
    <SignInPage
      title={known ? t.link.gone : t.link.failed}
      story={<Code title={t.story.onServer} text={`posthorn user link ${t.story.address}`} />}
    >
      <p className="row-text">{t.link.goneWhat}</p>
      <ButtonLink to="/sign-in" wide>
        {t.signIn.action}
      </ButtonLink>
    </SignInPage>
  );
}

/** Somebody who has an account already joins one more workspace; they sign in first. */
function JoinForm({ token, facts }: { readonly token: string; readonly facts: LinkFacts }) {
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
