// The effect of a domain's status on sending.
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { domainsTexts } from "../../texts/areas.ts";
import type { Domain } from "./calls.ts";
import { Problem } from "./problem.tsx";
import { conditionOf } from "./state.ts";

export function WhatItMeans({ domain }: { readonly domain: Domain }) {
  const t = useTexts(domainsTexts).means;
  const { exact } = useFormats();
  const { service, graceEndsAt } = domain;
  const dkim = domain.records.find(({ purpose }) => purpose === "DKIM");
  if (service && service.state !== "OK" && dkim?.state === "OK")
    return (
      <Banner tone="warn">
        <b>{t.service(service.name)}</b> <Problem {...service} />
      </Banner>
    );
  switch (conditionOf(domain)) {
    case "verified":
      return null;
    case "forced":
      return (
        <Banner tone="note">
          <b>{t.forced}</b> {t.forcedText}
        </Banner>
      );
    case "waiting":
      return (
        <Banner tone="note">
          <b>{t.waiting}</b> {t.waitingText}
        </Banner>
      );
    case "failing":
      return (
        <Banner tone={domain.verified ? "warn" : "bad"}>
          <b>{domain.verified ? t.failing : t.stopped}</b>{" "}
          {domain.verified && graceEndsAt ? t.failingText(exact(new Date(graceEndsAt))) : t.stoppedText}
        </Banner>
      );
  }
}
