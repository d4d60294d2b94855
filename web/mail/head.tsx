// The head of a mail: its subject, what can be done with it, to whom, from whom, by what.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTexts } from "../language.ts";
import { CopyButton } from "../parts/copy.tsx";
import { Icon } from "../parts/icon.tsx";
import { Facts } from "../parts/layout.tsx";
import { State } from "../parts/state.tsx";
import { mailTexts } from "../texts/areas.ts";
import { Actions } from "./actions.tsx";
import { viewOf } from "./asked.ts";
import type { Filters } from "./filters.ts";
import type { WholeMail } from "./mails.ts";
import { Verdicts, verdictsOf } from "./verdicts.tsx";
import { originQuery, type Origin } from "./origin.ts";

/** On a phone, the way back to the list. */
export function Back({ filters }: { readonly filters: Filters }) {
  const t = useTexts(mailTexts);
  return (
    <Link className="back" to="/mail" search={{ ...filters }} preload={false}>
      <Icon name="left" />
      {t.viewNames[viewOf(filters) ?? "all"]}
    </Link>
  );
}

export function Head({ mail }: { readonly mail: WholeMail }) {
  const t = useTexts(mailTexts);
  const verdicts = verdictsOf(mail);
  const isInbound = mail.status === "RECEIVED";
  return (
    <>
      <div className="inline">
        <h2 className="cut">{mail.subject || t.noSubject}</h2>
        <State pill is={mail.held === null ? mail.status : "HELD"} />
        <Actions mail={mail} />
      </div>
      <Facts
        facts={[
          [t.facts.to, <Person address={mail.to} name={mail.toName} contact={isInbound ? null : mail.contactId} />],
          [t.facts.from, <Sender mail={mail} contact={isInbound ? mail.contactId : null} />],
          ...origins(mail).map(
            (origin) => [t.facts[origin.kind], <Named origin={origin} />] as readonly [string, ReactNode],
          ),
          verdicts === null ? null : [t.facts.checks, <Verdicts told={verdicts} />],
          requestOf(mail) === null
            ? null
            : [t.facts.request, <Copied text={requestOf(mail) ?? ""} what={t.facts.request} />],
        ]}
      />
    </>
  );
}

function origins({ templateId, campaignId, workflowId }: WholeMail): readonly Origin[] {
  const all = { template: templateId, campaign: campaignId, workflow: workflowId } as const;
  return (["template", "campaign", "workflow"] as const).flatMap((kind) => {
    const id = all[kind];
    return id === null ? [] : [{ kind, id }];
  });
}

/** The request that it came with. */
export function requestOf({ timeline }: WholeMail): string | null {
  const id = timeline[0]?.detail?.["requestId"];
  return typeof id === "string" ? id : null;
}

type PersonProps = { readonly address: string; readonly name: string | null; readonly contact: string | null };

function Person({ address, name, contact }: PersonProps) {
  const t = useTexts(mailTexts);
  const shown = (
    <>
      {name && <b>{name} </b>}
      <span className={name ? "dim" : ""}>{address || t.erased}</span>
    </>
  );
  return (
    <>
      <ToPerson contact={contact}>{shown}</ToPerson> <AllOf contact={contact} />
    </>
  );
}

function ToPerson({ contact, children }: { readonly contact: string | null; readonly children: ReactNode }) {
  if (contact === null) return children;
  return (
    <Link className="to-person" to="/people/$id" params={{ id: contact }} preload={false}>
      {children}
    </Link>
  );
}

function AllOf({ contact }: { readonly contact: string | null }) {
  const t = useTexts(mailTexts);
  if (contact === null) return null;
  return (
    <Link className="opens small" to="." search={{ contactId: contact }} preload={false}>
      {t.allOfPerson}
    </Link>
  );
}

type SenderProps = { readonly mail: WholeMail; readonly contact: string | null };

function Sender({ mail: { from, fromName, replyTo }, contact }: SenderProps) {
  const t = useTexts(mailTexts);
  return (
    <>
      <ToPerson contact={contact}>
        {fromName && <>{fromName} </>}
        <span className={fromName ? "dim" : ""}>{from}</span>
      </ToPerson>
      {replyTo && <span className="dim"> · {t.replyTo(replyTo)}</span>} <AllOf contact={contact} />
    </>
  );
}

/** Its name, and a way to all mail of it. */
function Named({ origin }: { readonly origin: Origin }) {
  const t = useTexts(mailTexts);
  const { data } = useQuery(originQuery(origin));
  return (
    <Link to="." search={{ [`${origin.kind}Id`]: origin.id }} preload={false}>
      {data ?? t.gone}
    </Link>
  );
}

export function Copied({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span className="copied">
      <code className="cut">{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}
