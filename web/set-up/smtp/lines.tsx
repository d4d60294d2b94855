// Lines for one program or language; a key can be made for them and stands in them then, until the page is left.
import { getRouteApi, Link } from "@tanstack/react-router";
import { useTexts } from "../../language.ts";
import { Button, DisabledReason } from "../../parts/button.tsx";
import { Code } from "../../parts/code.tsx";
import { showFault } from "../../parts/toast.tsx";
import { useMe, useDisabledReason } from "../../session.ts";
import { smtpTexts } from "../../texts/areas.ts";
import { useMakingKeys } from "../keys/make.tsx";
import { NO_SENDER, useSenders } from "../sender.ts";
import { API } from "./lines/api.ts";
import type { Given, Lines } from "./lines/given.ts";
import { LANGUAGES } from "./lines/languages.ts";
import { MORE_LANGUAGES } from "./lines/more-languages.ts";
import { PROGRAMS } from "./lines/programs.ts";
import type { Submission } from "./submission.ts";

const route = getRouteApi("/frame/set-up/smtp");

/** Where no key has been made for the lines. */
const PLACEHOLDER = "$KEY";

export function LinesToCopy({ submission }: { readonly submission: Submission }) {
  const t = useTexts(smtpTexts);
  const { by, for: id } = route.useSearch();
  const languages = by === "api" ? API : [...LANGUAGES, ...MORE_LANGUAGES];
  const programs = by === "api" ? [] : PROGRAMS;
  const all = [...languages, ...programs];
  const lines = all.find((one) => one.id === id) ?? (all[0] as Lines);
  return (
    <div className="lines">
      <nav className="choice" aria-label={t.languages}>
        {programs.length > 0 && <h2 className="cap">{t.programs}</h2>}
        <Names names={programs} chosen={lines.id} />
        {programs.length > 0 && <h2 className="cap">{t.languages}</h2>}
        <Names names={languages} chosen={lines.id} />
      </nav>
      <Chosen lines={lines} submission={submission} />
    </div>
  );
}

function Names({ names, chosen }: { readonly names: readonly Lines[]; readonly chosen: string }) {
  return names.map(({ id, name }) => (
    <Link
      key={id}
      to="/set-up/smtp"
      search={(known) => ({ by: "smtp", ...known, for: id })}
      replace
      className={id === chosen ? "go is" : "go"}
      activeOptions={{ includeSearch: true }}
    >
      {name}
    </Link>
  ));
}

function Chosen({ lines, submission }: { readonly lines: Lines; readonly submission: Submission }) {
  const t = useTexts(smtpTexts);
  const disabledReason = useDisabledReason("keys");
  const given = useGiven(submission);
  const making = useMakingKeys();
  const password = making.data?.secret ?? PLACEHOLDER;
  const make = () => making.mutate({ name: lines.name, domains: [] }, { onError: showFault });
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
        {making.data ? (
          <p className="row-text">{t.keyIsIn}</p>
        ) : (
          <>
            <Button small icon="key" disabledReason={disabledReason} busy={making.isPending} onClick={make}>
              {t.makeKey}
            </Button>
            <p className="dim row-text">{disabledReason ?? t.placeholder}</p>
          </>
        )}
      </div>
    </section>
  );
}

function useGiven(submission: Submission): Omit<Given, "password"> {
  const senders = useSenders();
  const { email } = useMe();
  const { host, ports, user, isSelfSigned } = submission;
  // STARTTLS first: every library speaks it.
  const { port, tls } = ports[0] ?? { port: 587, tls: "STARTTLS" };
  return { host, port, tls, user, isSelfSigned, from: senders?.[0] ?? NO_SENDER, to: email, origin: location.origin };
}
