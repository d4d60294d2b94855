// One domain: its status, its missing and its found records.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTexts } from "../../base/language.ts";
import { FaultBanner } from "../../parts/fields/form.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { Skeleton } from "../../parts/layout.tsx";
import { Label } from "../../parts/state.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { domainsTexts } from "../../texts/areas.ts";
import { AtWays } from "./at-ways.tsx";
import { DomainActions } from "./actions.tsx";
import { AlsoKnown } from "./also-known.tsx";
import { domainQuery, useVerification, type Domain, CHECK_SECONDS } from "./calls.ts";
import { DoneRecords, OpenRecord } from "./records.tsx";
import { DomainReports } from "./reports/reports.tsx";
import { conditionOf, CONDITIONS } from "./state.ts";
import { WarmupOfDomain } from "./warmup/warmup.tsx";
import { WhatItMeans } from "./what-it-means.tsx";
import { useFormats } from "../../base/formats.ts";

type DomainProps = { readonly id: string };

/** Checks the DNS every few seconds. */
function useWatched(id: string) {
  const { data: domain, ...asked } = useQuery(domainQuery(id));
  const watches = useDisabledReason("domains") === undefined;
  const look = useVerification(id, watches);
  useFoundToast(domain);
  const checkedAt = domain?.checkedAt ?? null;
  const lookedAt = look.data ? look.dataUpdatedAt : checkedAt === null ? null : Date.parse(checkedAt);
  return { domain, asked, watches, look, lookedAt };
}

/** Only the state and the records. */
export function WatchedRecords({ id }: DomainProps) {
  const { domain, asked, look, ...seen } = useWatched(id);
  if (!domain) return <Skeleton of={asked} rows={4} columns={2} />;
  return (
    <>
      <Title domain={domain} />
      <LastCheck at={seen.lookedAt} watches={seen.watches} />
      {look.error && <FaultBanner fault={look.error} />}
      <Records domain={domain} />
    </>
  );
}

export function DomainDetail({ id }: DomainProps) {
  const { domain, asked, watches, look, lookedAt } = useWatched(id);
  if (!domain) return <Skeleton of={asked} rows={6} columns={2} />;
  const isRefused = domain.ways.some(({ state }) => state === "WRONG" || state === "MISSING");
  return (
    <div className="page">
      <Head domain={domain} lookedAt={lookedAt} watches={watches} />
      {look.error && <FaultBanner fault={look.error} />}
      <WhatItMeans domain={domain} />
      {isRefused && <AtWays ways={domain.ways} />}
      {domain.verified && <WarmupOfDomain domain={domain} isFirst />}
      <Records domain={domain} />
      {!isRefused && <AtWays ways={domain.ways} />}
      <AlsoKnown information={domain.information} />
      {domain.verified && <WarmupOfDomain domain={domain} isFirst={false} />}
      <DomainReports id={domain.id} />
    </div>
  );
}

type HeadProps = { readonly domain: Domain; readonly lookedAt: number | null; readonly watches: boolean };

function Head({ domain, lookedAt, watches }: HeadProps) {
  const t = useTexts(domainsTexts);
  return (
    <>
      <Link className="back" to="/settings/domains/{-$id}" params={{ id: undefined }}>
        <Icon name="left" />
        {t.all}
      </Link>
      <div className="title-row">
        <Title domain={domain} />
        <DomainActions domain={domain} />
      </div>
      <LastCheck at={lookedAt} watches={watches} />
    </>
  );
}

function Title({ domain }: { readonly domain: Domain }) {
  const { conditions } = useTexts(domainsTexts);
  const condition = conditionOf(domain);
  return (
    <div className="inline l">
      <h2 className="title">{domain.domain}</h2>
      <Label pill {...CONDITIONS[condition]}>
        {conditions[condition]}
      </Label>
    </div>
  );
}

function Records({ domain }: { readonly domain: Domain }) {
  const open = domain.records.filter(({ state }) => state !== "OK");
  const done = domain.records.filter(({ state }) => state === "OK");
  return (
    <>
      {open.map((record) => (
        <OpenRecord key={`${record.purpose} ${record.name}`} record={record} domain={domain.domain} />
      ))}
      {done.length > 0 && <DoneRecords records={done} />}
    </>
  );
}

/** A toast when a record is found. */
function useFoundToast(domain: Domain | undefined): void {
  const t = useTexts(domainsTexts);
  const before = useRef<boolean>(undefined);
  const verified = domain?.verified;
  useEffect(() => {
    if (domain && before.current === false && verified) showToast(t.isVerified(domain.domain));
    before.current = verified;
  }, [domain, verified, t]);
}

const SECOND_MS = 1_000;

type LastCheckProps = { readonly at: number | null; readonly watches: boolean };

/** Seconds since the last DNS check. */
function LastCheck({ at, watches }: LastCheckProps) {
  const t = useTexts(domainsTexts);
  const { ago } = useFormats();
  const nowMs = useSeconds();
  const seconds = at === null ? null : Math.max(0, Math.round((nowMs - at) / SECOND_MS));
  const last =
    at === null || seconds === null
      ? t.noLook
      : seconds < 60
        ? t.lastLook(seconds)
        : t.lastLookAt(ago(new Date(at), new Date(nowMs)));
  return (
    <p className="dim row-text last-look">
      {watches ? t.watches(CHECK_SECONDS) : t.watchesHourly} {last}
    </p>
  );
}

function useSeconds(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
