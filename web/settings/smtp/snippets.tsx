// Snippets for one program or language. A key created here is filled in until the page is left.
import { getRouteApi, Link } from "@tanstack/react-router";
import { useTexts } from "../../base/language.ts";
import { Button, DisabledReason } from "../../parts/button.tsx";
import { Code } from "../../parts/code.tsx";
import { showFault } from "../../parts/overlays/toast.tsx";
import { useMe, useDisabledReason } from "../../calls/session.ts";
import { smtpTexts } from "../../texts/areas.ts";
import { useCreateKeys } from "../keys/create-key.tsx";
import { NO_SENDER, useSenders } from "../sender.ts";
import { API } from "./snippets/api.ts";
import type { SnippetValues, Snippet } from "./snippets/values.ts";
import { LANGUAGES } from "./snippets/languages.ts";
import { MORE_LANGUAGES } from "./snippets/more-languages.ts";
import { PROGRAMS } from "./snippets/programs.ts";
import type { Submission } from "./submission.ts";

const route = getRouteApi("/frame/settings/smtp");

/** Stands for the key until one is created. */
const PLACEHOLDER = "$KEY";

export function Snippets({ submission }: { readonly submission: Submission }) {
  const t = useTexts(smtpTexts);
  const { by, for: id } = route.useSearch();
  const languages = by === "api" ? API : [...LANGUAGES, ...MORE_LANGUAGES];
  const programs = by === "api" ? [] : PROGRAMS;
  const all = [...languages, ...programs];
  const lines = all.find((one) => one.id === id) ?? (all[0] as Snippet);
  return (
    <div className="lines">
      <nav className="choice" aria-label={t.languages}>
        {programs.length > 0 && <h2 className="cap">{t.programs}</h2>}
        <SnippetMenu names={programs} chosen={lines.id} />
        {programs.length > 0 && <h2 className="cap">{t.languages}</h2>}
        <SnippetMenu names={languages} chosen={lines.id} />
      </nav>
      <Chosen lines={lines} submission={submission} />
    </div>
  );
}

function SnippetMenu({ names, chosen }: { readonly names: readonly Snippet[]; readonly chosen: string }) {
  return names.map(({ id, name }) => (
    <Link
      key={id}
      to="/settings/smtp"
      search={(known) => ({ by: "smtp", ...known, for: id })}
      replace
      className={id === chosen ? "go is" : "go"}
      activeOptions={{ includeSearch: true }}
    >
      {name}
    </Link>
  ));
}

function Chosen({ lines, submission }: { readonly lines: Snippet; readonly submission: Submission }) {
  const t = useTexts(smtpTexts);
  const disabledReason = useDisabledReason("keys");
  const given = useSnippetValues(submission);
  const creating = useCreateKeys();
  const password = creating.data?.secret ?? PLACEHOLDER;
  const make = () => creating.mutate({ name: lines.name, domains: [] }, { onError: showFault });
  return (
    <section className="stack" aria-label={lines.name}>
      <Code
        key={lines.id}
        title={
          <>
            {lines.name} <span className="tok">{lines.file}</span>
          </>
        }
        what={t.linesFor(lines.name)}
        text={lines.text({ ...given, password })}
      />
      {given.from === NO_SENDER && <DisabledReason>{t.noSender}</DisabledReason>}
      <div className="inline l key-row">
        {creating.data ? (
          <p className="row-text">{t.keyIsIn}</p>
        ) : (
          <>
            <Button small icon="key" disabledReason={disabledReason} busy={creating.isPending} onClick={make}>
              {t.makeKey}
            </Button>
            <p className="dim row-text">{disabledReason ?? t.placeholder}</p>
          </>
        )}
      </div>
    </section>
  );
}

function useSnippetValues(submission: Submission): Omit<SnippetValues, "password"> {
  const senders = useSenders();
  const { email } = useMe();
  const { host, ports, user, isSelfSigned } = submission;
  // STARTTLS first: every library supports it.
  const { port, tls } = ports[0] ?? { port: 587, tls: "STARTTLS" };
  return { host, port, tls, user, isSelfSigned, from: senders?.[0] ?? NO_SENDER, to: email, origin: location.origin };
}
