// A link to the place where a check can be fixed.
import { Link } from "@tanstack/react-router";
import { useTexts } from "../../base/language.ts";
import { campaignsTexts } from "../../texts/areas.ts";
import type { FixLocation } from "./checks.ts";

export function FixLink({ place }: { readonly place: FixLocation }) {
  const { check: t } = useTexts(campaignsTexts);
  if (place === "domains")
    return (
      <Link to="/settings/domains/{-$id}" params={{ id: undefined }}>
        {t.toDomain}
      </Link>
    );
  if (place === "workspace") return <Link to="/settings/workspace">{t.toWorkspace}</Link>;
  return (
    <Link to="." search={{ tab: place }}>
      {place === "write" ? t.toWriting : t.toAudience}
    </Link>
  );
}
