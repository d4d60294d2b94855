// An email as text: its text part, its source, its record.
import { useQuery } from "@tanstack/react-query";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Code } from "../../parts/code.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { FaultBanner } from "../../parts/fields/form.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { mailTexts } from "../../texts/areas.ts";
import { addressOf, rawQuery, type MailContent, type WholeMail } from "../calls.ts";

export function TextPart({ content: { text } }: { readonly content: MailContent }) {
  const t = useTexts(mailTexts);
  if (text === null) return <p className="well-text dim">{t.noText}</p>;
  return (
    <div className="well-text">
      <div className="well-actions">
        <CopyButton text={text} words />
      </div>
      <pre className="plain">{text}</pre>
    </div>
  );
}

/** More would slow browsers down; the download has the whole message. */
const SHOWN_CHARS = 200_000;

export function RawMessage({ id }: { readonly id: string }) {
  const t = useTexts(mailTexts);
  const { number } = useFormats();
  const { data, error } = useQuery(rawQuery(id));
  if (data === undefined) return <div className="well-text">{error && <FaultBanner fault={error} />}</div>;
  return (
    <div className="well-text">
      <div className="well-actions">
        {data.length > SHOWN_CHARS && <span className="dim small">{t.rawCut(number(SHOWN_CHARS))}</span>}
        <a className="btn s" href={addressOf(`/emails/${id}/raw`)} download={`${id}.eml`}>
          <Icon name="get" />
          {t.more.eml}
        </a>
        <CopyButton text={data} words />
      </div>
      <pre className="plain mono">{data.slice(0, SHOWN_CHARS)}</pre>
    </div>
  );
}

export function RecordJson({ mail }: { readonly mail: WholeMail }) {
  return (
    <div className="well-text">
      <Code text={JSON.stringify(mail, null, 2)} title={`GET /emails/${mail.id}`} />
    </div>
  );
}
