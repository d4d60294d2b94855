// The banner for a user without a second factor, before the date on which one is due.
import { Link } from "@tanstack/react-router";
import { useTexts } from "../base/language.ts";
import { Banner } from "../parts/banner.tsx";
import { Time } from "../parts/time.tsx";
import { useMe } from "../calls/session.ts";
import { frameTexts } from "../texts/areas.ts";

export function FactorBanner() {
  const { secondFactorDueAt } = useMe();
  const { factor: t } = useTexts(frameTexts);
  if (secondFactorDueAt === null) return null;
  return (
    <Banner tone="warn">
      {t.from} <Time at={secondFactorDueAt} as="day" />. <Link to="/me">{t.setUp}</Link>
    </Banner>
  );
}
