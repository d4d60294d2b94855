// The page of a sign-in link: first owner, invitation or recovery. The token is in the fragment. Without an owner, the
// page asks for the code of the first start.
import { useQuery } from "@tanstack/react-query";
import { Navigate, useRouterState } from "@tanstack/react-router";
import { Fault } from "../calls/api.ts";
import { useTexts } from "../base/language.ts";
import { ButtonLink, Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { Facts } from "../parts/layout.tsx";
import { Time } from "../parts/time.tsx";
import { signInTexts } from "../texts/areas.ts";
import { linkQuery, type LinkFacts } from "./calls.ts";
import { FirstCode } from "./first-code.tsx";
import { SignInPage } from "./sign-in-page.tsx";
import { query } from "../calls/query.ts";
import { ProviderButtons } from "./provider-buttons.tsx";
import { NewCredentials } from "./new-credentials.tsx";
import { FaultBanner } from "../parts/fields/form.tsx";
import { useAccept } from "./accept.ts";

export function LinkPage() {
  const t = useTexts(signInTexts);
  // The hash of the page shown: once the form is sent, the router is navigating to another.
  const token = useRouterState({ select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).hash });
  const link = useQuery({ ...linkQuery(token), enabled: token !== "" });
  const { data: state, isLoading } = useQuery({ ...query("GET /session"), staleTime: 0, throwOnError: false });
  if (link.isLoading || isLoading) return null;
  if (!link.data && state?.hasUsers === false) return <FirstCode tried={token} fault={link.error} />;
  if (token === "" && state) return <Navigate to="/sign-in" replace />;
  if (!link.data) return <InvalidLink known={link.error instanceof Fault && link.error.status === 404} />;
  const facts = link.data;
  return (
    <SignInPage title={titleOf(facts, t)} below={subtitleOf(facts, t)} story={<LinkMeaning facts={facts} />}>
      {facts.kind === "INVITATION" && facts.known ? (
        <JoinForm token={token} facts={facts} />
      ) : (
        <NewPerson token={token} facts={facts} />
      )}
    </SignInPage>
  );
}

/** An invited person may join through a provider; an owner only through the link. */
function NewPerson({ token, facts }: { readonly token: string; readonly facts: LinkFacts }) {
  const t = useTexts(signInTexts);
  const { data: state } = useQuery(query("GET /session"));
  const isOffered = facts.kind === "INVITATION" && facts.role !== "OWNER" && (state?.providers.length ?? 0) > 0;
  if (!state || !isOffered) return <NewCredentials token={token} facts={facts} />;
  return (
    <>
      <ProviderButtons providers={state.providers} />
      {state.passwords && (
        <>
          <div className="or">{t.or}</div>
          <NewCredentials token={token} facts={facts} />
        </>
      )}
    </>
  );
}

type SignInWords = Awaited<ReturnType<typeof signInTexts>>;

function titleOf({ kind, workspace }: LinkFacts, { link }: SignInWords): string {
  if (kind === "WELCOME") return link.welcome;
  return kind === "RECOVERY" ? link.recovery : link.invitation(workspace ?? "Posthorn");
}

function subtitleOf({ email }: LinkFacts, { link }: SignInWords): string {
  return email ?? link.firstOwner;
}

function LinkMeaning({ facts }: { readonly facts: LinkFacts }) {
  const t = useTexts(signInTexts);
  // Null after a recovery: a new password changes no role.
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
          [t.link.thisLink, <Expiry key="until" at={facts.expiresAt} />],
        ]}
      />
    </>
  );
}

function Expiry({ at }: { readonly at: string }) {
  const { link } = useTexts(signInTexts);
  return (
    <>
      {link.worksUntil} <Time at={at} as="exact" />
    </>
  );
}

/** Unknown, used and expired links look the same. */
function InvalidLink({ known }: { readonly known: boolean }) {
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

/** An existing user joins another workspace after signing in. */
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
