// A person's profile: consent, data, segments, and upcoming emails.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PlannedTime } from "../../parts/planned-time.tsx";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Notes } from "../../notes/notes.tsx";
import { Avatar } from "../../parts/avatar.tsx";
import { Time } from "../../parts/time.tsx";
import { peopleTexts, topicsTexts } from "../../texts/areas.ts";
import { displayName, upcomingQuery, type Contact, type UpcomingExecution, type Summary } from "../calls.ts";
import { Switch } from "../../parts/fields/checkbox.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { useTopicName, useTopics } from "../../topics/calls.ts";
import { useChange } from "./change.ts";
import { ContactData } from "./contact-data.tsx";
import { MergedFrom } from "./merges.tsx";
import { domainAmong, EmailConsent, useSuppressionsOf } from "./may-write.tsx";
import { Part } from "../../parts/card-part.tsx";

type ProfileProps = { readonly contact: Contact; readonly summary: Summary | undefined };

export function Profile({ contact, summary }: ProfileProps) {
  const t = useTexts(peopleTexts);
  const formats = useFormats();
  const { email, createdAt } = contact;
  return (
    <section className="id-card" aria-label={t.card}>
      <div className="who-is">
        <Avatar name={displayName(contact)} />
        <span>
          <b className="cut">{email}</b>
          <span className="dim small" title={formats.exact(new Date(createdAt))}>
            {t.knownSince(formats.brief(new Date(createdAt), new Date(0)))}
          </span>
          {summary && summary.formerEmails.length > 0 && (
            <span className="dim small cut">{t.formerly(summary.formerEmails.join(", "))}</span>
          )}
        </span>
        <CopyButton text={email} what={t.email} />
      </div>
      <EmailConsent contact={contact} />
      <Notes contactId={contact.id} />
      <Topics contact={contact} />
      <ContactData contact={contact} />
      <MergedFrom id={contact.id} />
      <Segments segments={summary?.segments} />
      <Upcoming contact={contact} />
    </section>
  );
}

/** The person's choice for each topic: the effective one, and whether it is only the topic's default. */
function Topics({ contact }: { readonly contact: Contact }) {
  const t = useTexts(topicsTexts).person;
  const nameOf = useTopicName();
  const topics = useTopics();
  const { topic: choose } = useChange(contact);
  const disabledReason = useDisabledReason("people.write");
  if (topics.length === 0) return null;
  return (
    <Part title={t.title}>
      <ul className="in-groups">
        {topics.map((topic) => {
          const said = contact.topics[topic.key] ?? null;
          const isOn = (said ?? topic.default) === "in";
          const name = nameOf(topic);
          return (
            <li key={topic.key}>
              <span>
                <span className="cut">{name}</span>
                {said === null && <span className="dim small">{t.byDefault}</span>}
              </span>
              <Switch
                label={name}
                isOn={isOn}
                disabledReason={disabledReason}
                onChange={(next) => choose(topic.key, next ? "in" : "out", name)}
              />
            </li>
          );
        })}
      </ul>
    </Part>
  );
}

function Segments({ segments }: { readonly segments: Summary["segments"] | undefined }) {
  const t = useTexts(peopleTexts);
  if (!segments) return null;
  return (
    <Part title={t.segments.title}>
      {segments.length === 0 && <p className="dim row-text">{t.segments.none}</p>}
      <ul className="in-groups">
        {segments.map(({ id, name, since }) => (
          <li key={id}>
            <Link to="/segments/$id" params={{ id }} className="cut plain-link">
              {name}
            </Link>
            <span className="dim small">
              <Time at={since} as="brief" />
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Planned emails that the person would receive. */
function Upcoming({ contact }: { readonly contact: Contact }) {
  const t = useTexts(peopleTexts);
  const { data } = useQuery(upcomingQuery(contact.id));
  const domain = domainAmong(useSuppressionsOf(contact));
  const whyNot = (excluded: keyof typeof t.toCome.excluded) =>
    excluded === "suppressed" && contact.suppressed === null && domain !== null
      ? t.toCome.excludedDomain(domain)
      : t.toCome.excluded[excluded];
  if (!data) return null;
  const isNothing = data.campaigns.length === 0 && data.executions.length === 0;
  return (
    <Part title={t.toCome.title}>
      {isNothing && <p className="dim row-text">{t.toCome.nothing}</p>}
      <ul className="in-groups">
        {data.campaigns.map((campaign) => (
          <li key={campaign.id}>
            <span>
              <Link to="/campaigns/$id" params={{ id: campaign.id }} className="cut plain-link">
                {campaign.name}
              </Link>
              {campaign.excluded && <span className="small warn-words">{whyNot(campaign.excluded)}</span>}
            </span>
            <span className="dim small">
              <PlannedTime at={campaign.scheduledFor} />
            </span>
          </li>
        ))}
        {data.executions.map((execution) => (
          <ActiveWorkflows key={execution.id} execution={execution} />
        ))}
      </ul>
    </Part>
  );
}

function ActiveWorkflows({
  execution: { workflow, waitingFor, resumesAt, startedAt },
}: {
  readonly execution: UpcomingExecution;
}) {
  const t = useTexts(peopleTexts);
  const formats = useFormats();
  const until = resumesAt === null ? "" : t.toCome.until(formats.brief(new Date(resumesAt), new Date()));
  return (
    <li>
      <span>
        <Link to="/workflows/$id" params={{ id: workflow.id }} className="cut plain-link">
          {workflow.name}
        </Link>
        <span className="dim small">
          {waitingFor === null ? until || t.toCome.running : t.toCome.waits(waitingFor, until)}
        </span>
      </span>
      <span className="dim small">
        <Time at={startedAt} as="brief" />
      </span>
    </li>
  );
}
