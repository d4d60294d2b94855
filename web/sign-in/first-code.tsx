// Without an owner: asks for the code that the first start has printed.
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { Fault } from "../calls/api.ts";
import { useTexts } from "../base/language.ts";
import { Banner } from "../parts/banner.tsx";
import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { Field, Form } from "../parts/fields/form.tsx";
import { Facts } from "../parts/layout.tsx";
import { queries } from "../calls/queries.ts";
import { signInTexts } from "../texts/areas.ts";
import { linkQuery } from "./calls.ts";
import { SignInPage } from "./sign-in-page.tsx";

/** `tried`: the code of a link that did not work, with its `fault`; empty = none. */
type FirstCodeProps = { readonly tried: string; readonly fault: unknown };

export function FirstCode({ tried, fault }: FirstCodeProps) {
  const t = useTexts(signInTexts).firstCode;
  const router = useRouter();
  const looking = useMutation({
    mutationFn: async (code: string) => {
      queries.setQueryData(linkQuery(code).queryKey, await queries.fetchQuery(linkQuery(code)));
      await router.navigate({ to: "/welcome", hash: code });
    },
    meta: { inForm: true },
  });
  const said = looking.isIdle ? fault : looking.error;
  const isUnknown = said instanceof Fault && said.code === "LINK_NOT_FOUND";
  const isElsewhere = said instanceof Fault && said.code === "CROSS_SITE";
  return (
    <SignInPage title={t.title} below={t.below} story={<WhereItIs />}>
      {isElsewhere && <OtherAddress />}
      <Form
        unsaved={false}
        fault={isUnknown || isElsewhere ? null : said}
        onSubmit={({ code = "" }) => looking.mutate(code.trim())}
      >
        <Field
          name="code"
          label={t.code}
          help={t.codeHelp}
          fault={isUnknown ? t.unknown : undefined}
          placeholder="BCDF-GHJK-LMNP"
          defaultValue={tried}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          required
          autoFocus
        />
        <Button kind="first" wide type="submit" busy={looking.isPending}>
          {t.next}
        </Button>
      </Form>
    </SignInPage>
  );
}

/** Session cookies belong to one origin, so the server accepts requests of people only from there. */
function OtherAddress() {
  const t = useTexts(signInTexts).firstCode;
  return (
    <>
      <Banner tone="warn" role="alert">
        <b>{t.elsewhere(location.origin)}</b> {t.elsewhereWhat}
      </Banner>
      <Code title="config.toml" text={`[http]\nbase_url = "${location.origin}"`} />
    </>
  );
}

function WhereItIs() {
  const t = useTexts(signInTexts).firstCode;
  return (
    <>
      <div className="stack tight">
        <h2>{t.where}</h2>
        <p className="dim row-text">{t.whereWhat}</p>
      </div>
      <Code title={t.another} text="posthorn user link" />
      <Facts
        facts={[
          [t.asService, t.asServiceWhat],
          [t.then, t.thenWhat],
        ]}
      />
    </>
  );
}
