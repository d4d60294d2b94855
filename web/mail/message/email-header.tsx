// The head of an email: subject, actions, recipient, sender and source.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTexts } from "../../base/language.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { Facts } from "../../parts/layout.tsx";
import { State } from "../../parts/state.tsx";
import { mailTexts } from "../../texts/areas.ts";
import { EmailActions } from "../actions.tsx";
import { viewOf } from "../filter/search-query.ts";
import type { MailFilters } from "../filter/filters.ts";
import type { GroupMember, WholeMail } from "../calls.ts";
import { Metadata, Tags } from "../tags.tsx";
import { Verdicts, verdictsOf } from "./verdicts.tsx";
import { originQuery, type Origin } from "./origin.ts";

/** On a phone, the way back to the list. */
export function Back({ filters }: { readonly filters: MailFilters }) {
  const t = useTexts(mailTexts);
  return (
    <Link className="back" to="/mail" search={{ ...filters }} preload={false}>
      <Icon name="left" />
      {t.viewNames[viewOf(filters) ?? "all"]}
    </Link>
  );
}

export function EmailHeader({ mail }: { readonly mail: WholeMail }) {
  const t = useTexts(mailTexts);
  const verdicts = verdictsOf(mail);
  const isInbound = mail.status === "RECEIVED";
  return (
    <>
      <div className="inline">
        <h2 className="cut">{mail.subject || t.noSubject}</h2>
        <State pill is={mail.held === null ? mail.status : "HELD"} />
        <EmailActions mail={mail} />
      </div>
      <Facts
        facts={[
          [
            mail.recipients.length > 0 ? t.facts.recipient : t.facts.to,
            <Person address={mail.to} name={mail.toName} contact={isInbound ? null : mail.contactId} />,
          ],
          ...groupFacts(mail, t.facts),
          [t.facts.from, <SenderLine mail={mail} contact={isInbound ? mail.contactId : null} />],
          ...origins(mail).map(
            (origin) => [t.facts[origin.kind], <Named origin={origin} />] as readonly [string, ReactNode],
          ),
          mail.tags.length === 0 ? null : [t.facts.tags, <Tags tags={mail.tags} />],
          Object.keys(mail.metadata).length === 0 ? null : [t.facts.metadata, <Metadata metadata={mail.metadata} />],
          verdicts === null ? null : [t.facts.checks, <Verdicts verdicts={verdicts} />],
          requestOf(mail) === null
            ? null
            : [t.facts.request, <Copied text={requestOf(mail) ?? ""} what={t.facts.request} />],
        ]}
      />
    </>
  );
}

/** The recipients by role, bcc included, which the message does not name; each with a link to its own email. */
function groupFacts({ id, recipients }: WholeMail, names: Readonly<Record<"to" | "cc" | "bcc", string>>) {
  return (["TO", "CC", "BCC"] as const).map((role): readonly [string, ReactNode] | null => {
    const those = recipients.filter((one) => one.role === role);
    const name = names[role.toLowerCase() as Lowercase<typeof role>];
    return those.length === 0 ? null : [name, <Members members={those} openId={id} />];
  });
}

function Members({ members, openId }: { readonly members: readonly GroupMember[]; readonly openId: string }) {
  const t = useTexts(mailTexts);
  return (
    <ul className="members">
      {members.map(({ id, to, status }) => (
        <li key={id}>
          <Link
            to="/mail/$id"
            params={{ id }}
            search={true}
            preload={false}
            aria-current={id === openId ? "true" : undefined}
          >
            {to || t.erased}
          </Link>
          <State is={status} />
        </li>
      ))}
    </ul>
  );
}

function origins({ templateId, campaignId, workflowId }: WholeMail): readonly Origin[] {
  const all = { template: templateId, campaign: campaignId, workflow: workflowId } as const;
  return (["template", "campaign", "workflow"] as const).flatMap((kind) => {
    const id = all[kind];
    return id === null ? [] : [{ kind, id }];
  });
}

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
      <RecipientLink contact={contact}>{shown}</RecipientLink> <SourceLink contact={contact} />
    </>
  );
}

function RecipientLink({ contact, children }: { readonly contact: string | null; readonly children: ReactNode }) {
  if (contact === null) return children;
  return (
    <Link className="to-person" to="/people/$id" params={{ id: contact }} preload={false}>
      {children}
    </Link>
  );
}

function SourceLink({ contact }: { readonly contact: string | null }) {
  const t = useTexts(mailTexts);
  if (contact === null) return null;
  return (
    <Link className="opens small" to="." search={{ contactId: contact }} preload={false}>
      {t.allOfPerson}
    </Link>
  );
}

type SenderProps = { readonly mail: WholeMail; readonly contact: string | null };

function SenderLine({ mail: { from, fromName, replyTo }, contact }: SenderProps) {
  const t = useTexts(mailTexts);
  return (
    <>
      <RecipientLink contact={contact}>
        {fromName && <>{fromName} </>}
        <span className={fromName ? "dim" : ""}>{from}</span>
      </RecipientLink>
      {replyTo && <span className="dim"> · {t.replyTo(replyTo)}</span>} <SourceLink contact={contact} />
    </>
  );
}

/** The name of the origin, with a link to all its emails. */
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
