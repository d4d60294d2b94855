// The recipients of one outcome with their reasons, and actions on all of them.
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { More } from "../../parts/rows.tsx";
import { StatusIcon } from "../../parts/icons/icon.tsx";
import { Skeleton } from "../../parts/layout.tsx";
import { State } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { accountTexts, campaignsTexts, mailTexts } from "../../texts/areas.ts";
import type { Campaign } from "../calls.ts";
import { PersonLink } from "../person-link.tsx";
import { useReasons, useRecipients, type RecipientFilter, type Recipient, type CampaignStatistics } from "./calls.ts";
import { shortUrls } from "./engagement.tsx";
import { PartActions } from "./part-actions.tsx";
import { usePartLabel } from "./part-link.tsx";
import { partOf, type PartName } from "./parts.ts";

const route = getRouteApi("/frame/campaigns/$id");

type PartListProps = { readonly campaign: Campaign; readonly name: PartName; readonly statistics: CampaignStatistics };

export function PartList({ campaign, name, statistics }: PartListProps) {
  const t = useTexts(accountTexts);
  const { more } = useTexts(campaignsTexts);
  const { number } = useFormats();
  const { link, find } = route.useSearch();
  const { filter, count, icon, tone, why } = partOf(name);
  const asked: RecipientFilter = { ...(link === undefined ? filter : { link }), ...(find ? { search: find } : {}) };
  const total = count(statistics);
  const label = usePartLabel(statistics);
  // Reasons and a new campaign are by state, and the refused recipients are only a part of the bounced ones.
  const isWholeState = name !== "refused" || total === statistics.bouncedCount;
  const list = useRecipients(campaign.id, asked, total);
  const { recipients, ...pages } = list;
  const head = useRef<HTMLElement>(null);
  // On a phone the list may be far above the number that opened it.
  useEffect(() => void head.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <section className="panel" aria-labelledby="part">
      <header ref={head}>
        <StatusIcon name={icon} {...(tone ? { tone } : {})} />
        <h2 id="part">{link === undefined ? `${number(total)} ${label(name)}` : t.followed(shortUrls(link))}</h2>
        {(name === "failed" || name === "bounced" || name === "refused") && isWholeState && (
          <Reasons campaign={campaign} states={name === "failed" ? ["FAILED"] : ["BOUNCED"]} />
        )}
        <Search />
      </header>
      {recipients ? (
        <div className={why ? "rows account-people" : "rows account-people no-why"}>
          <div className="head wide-only">
            <span>{t.person}</span>
            <span>{t.state}</span>
            {why && <span>{t.reason}</span>}
            <span className="end">{t.when}</span>
          </div>
          {recipients.map((recipient, at) => (
            <Row key={recipient.emailId ?? recipient.contactId ?? at} recipient={recipient} name={name} />
          ))}
        </div>
      ) : (
        <Skeleton of={list} rows={6} columns={3} className="account-people" />
      )}
      {recipients?.length === 0 && !pages.hasNextPage && <p className="pad dim row-text">{t.nobody}</p>}
      <div className="foot">
        <More {...pages} name={more} />
        <PartActions campaign={campaign} name={name} filter={asked} total={total} hasAgain={isWholeState} />
      </div>
    </section>
  );
}

/** Searches by the beginning of the email address. */
function Search() {
  const t = useTexts(accountTexts);
  const { find } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <input
      type="search"
      className="input push find-people"
      aria-label={t.find}
      placeholder={t.find}
      defaultValue={find}
      onChange={({ target }) =>
        void navigate({
          search: ({ find: _, ...rest }) => ({
            ...rest,
            ...(target.value.trim() ? { find: target.value.trim() } : {}),
          }),
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}

type ReasonsProps = { readonly campaign: Campaign; readonly states: readonly ("FAILED" | "BOUNCED")[] };

function Reasons({ campaign, states }: ReasonsProps) {
  const words = useTexts(mailTexts).reasons;
  const { number } = useFormats();
  const { data } = useReasons(campaign.id, states);
  if (!data || data.length === 0) return null;
  return (
    <span className="row-text dim wide-only cut">
      {data.map(({ reason, count }) => `${number(count)} ${words[reason].brief}`).join(" · ")}
    </span>
  );
}

function Row({ recipient, name }: { readonly recipient: Recipient; readonly name: PartName }) {
  const t = useTexts(accountTexts);
  const { email, state, reason } = recipient;
  const { why } = partOf(name);
  const at = momentOf(recipient, name);
  return (
    <RecipientCell recipient={recipient}>
      <span className="cut">{email ?? <i className="dim">{t.erased}</i>}</span>
      <span className="wide-only">{state === "PENDING" ? t.pending : <State is={state} />}</span>
      {why && (
        <span className="cut dim" title={reason ?? undefined}>
          <Reason recipient={recipient} />
        </span>
      )}
      <span className={why ? "dim small end wide-only" : "dim small end"}>{at && <Time at={at} as="brief" />}</span>
    </RecipientCell>
  );
}

function RecipientCell({ recipient, children }: { readonly recipient: Recipient; readonly children: React.ReactNode }) {
  const { emailId, contactId } = recipient;
  if (emailId)
    return (
      <Link className="line" to="/mail/$id" params={{ id: emailId }}>
        {children}
      </Link>
    );
  if (contactId)
    return (
      <PersonLink className="line" id={contactId}>
        {children}
      </PersonLink>
    );
  return <div className="line">{children}</div>;
}

function Reason({ recipient: { state, reason, refusal } }: { readonly recipient: Recipient }) {
  const t = useTexts(accountTexts);
  const words = useTexts(mailTexts).reasons;
  if (reason === null) return null;
  if (state === "SKIPPED") return t.skips[reason] ?? reason;
  if (refusal === null) return reason;
  return (
    <>
      {words[refusal].brief} <code className="wide-only">{codeIn(reason)}</code>
    </>
  );
}

/** The SMTP codes in the server's reply: `550 5.1.1`. */
function codeIn(reason: string): string {
  return /\b[245]\d\d(?: [245]\.\d{1,3}\.\d{1,3})?\b/.exec(reason)?.[0] ?? "";
}

function momentOf(recipient: Recipient, name: PartName): string | null {
  if (name === "opened") return recipient.openedAt;
  if (name === "clicked") return recipient.clickedAt;
  if (name === "unsubscribed") return recipient.unsubscribedAt;
  if (name === "leftTopic") return recipient.leftTopicAt;
  const { complainedAt, bouncedAt, failedAt, skippedAt, cancelledAt, deliveredAt, sentAt, queuedAt } = recipient;
  return complainedAt ?? bouncedAt ?? failedAt ?? skippedAt ?? cancelledAt ?? deliveredAt ?? sentAt ?? queuedAt;
}
