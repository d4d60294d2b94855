// The sender of a template.
import { Link } from "@tanstack/react-router";
import { useTexts } from "../base/language.ts";
import { SenderTag } from "../settings/sender-choice.tsx";
import { templatesTexts } from "../texts/areas.ts";
import type { Template } from "./calls.ts";

export function Sender({ template: { id, from, fromName } }: { readonly template: Template }) {
  const t = useTexts(templatesTexts);
  const address = from === null ? null : addressIn(from);
  return (
    <>
      <span className="inline">
        {address === null ? (
          <span className="dim">{t.noSender}</span>
        ) : (
          <span className="cut">
            {fromName ?? nameIn(from ?? "")} <span className="dim">{address}</span>
          </span>
        )}
      </span>
      <span className="inline">
        {address !== null && <SenderTag address={address} />}
        <Link className="row-text" to="/templates/$id" params={{ id }} search={{ tab: "settings" }}>
          {t.change}
        </Link>
      </span>
    </>
  );
}

/** The name that mail programs show. */
export function senderName({ from, fromName }: Pick<Template, "from" | "fromName">): string | undefined {
  return from === null ? undefined : fromName || nameIn(from) || addressIn(from);
}

/** `ada@example.com` from `Ada <ada@example.com>`. */
function addressIn(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
}

function nameIn(from: string): string {
  return (/^(.*)<[^<>]+>\s*$/.exec(from)?.[1] ?? "").trim().replace(/^"(.*)"$/, "$1");
}
