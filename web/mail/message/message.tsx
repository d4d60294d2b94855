// The open email: its head, advice, history and content.
import { useQuery } from "@tanstack/react-query";
import { Fault } from "../../calls/api.ts";
import { useCall } from "../../calls/curl.ts";
import { useTexts } from "../../base/language.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { FaultBanner } from "../../parts/fields/form.tsx";
import { Skeleton, Empty } from "../../parts/layout.tsx";
import { mailTexts } from "../../texts/areas.ts";
import { Advice } from "./advice.tsx";
import type { MailFilters } from "../filter/filters.ts";
import { EmailHeader, Back } from "./email-header.tsx";
import { mailQuery, type WholeMail } from "../calls.ts";
import { History } from "./history.tsx";
import { EmailContent } from "./email-content.tsx";

type MessageProps = { readonly id: string; readonly tab: string | undefined; readonly back: MailFilters };

export function Message({ id, tab, back }: MessageProps) {
  const { data, error } = useQuery(mailQuery(id));
  if (data) return <Opened mail={data} tab={tab} back={back} />;
  return (
    <div className="msg-head">
      <Back filters={back} />
      {error ? <Missing fault={error} /> : <Skeleton of={null} rows={5} columns={2} className="opening" />}
    </div>
  );
}

function Opened({ mail, tab, back }: Omit<MessageProps, "id"> & { readonly mail: WholeMail }) {
  useCall({ path: `/emails/${mail.id}` });
  return (
    <div className="opened">
      <div className="msg-head">
        <Back filters={back} />
        <EmailHeader mail={mail} />
        <Advice mail={mail} />
      </div>
      <div className="msg-block">
        <History mail={mail} />
      </div>
      <EmailContent mail={mail} tab={tab} />
    </div>
  );
}

/** Emails of other workspaces are not found. */
function Missing({ fault }: { readonly fault: unknown }) {
  const t = useTexts(mailTexts);
  if (!(fault instanceof Fault && [400, 404, 422].includes(fault.status))) return <FaultBanner fault={fault} />;
  return (
    <Empty
      title={t.missing.title}
      action={
        <ButtonLink to="/mail" preload={false}>
          {t.showAll}
        </ButtonLink>
      }
    >
      {t.missing.text}
    </Empty>
  );
}
