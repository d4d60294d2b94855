// The content of an email in tabs: rendered, text, source, data, files.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Fault } from "../../calls/api.ts";
import { useTexts } from "../../base/language.ts";
import { FaultBanner } from "../../parts/fields/form.tsx";
import { mailTexts } from "../../texts/areas.ts";
import { RenderedEmail, LookBar, type EmailLook } from "./rendered-email.tsx";
import type { MailSearch } from "../filter/filters.ts";
import { contentQuery, type MailContent, type WholeMail, addressOf } from "../calls.ts";
import { RecordJson, RawMessage, TextPart } from "./source.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { useFormats } from "../../base/formats.ts";
import { Icon } from "../../parts/icons/icon.tsx";

const TABS = ["message", "text", "headers", "raw", "data", "files"] as const;
type ContentTab = (typeof TABS)[number];

type EmailContentProps = { readonly mail: WholeMail; readonly tab: string | undefined };

export function EmailContent({ mail, tab }: EmailContentProps) {
  const t = useTexts(mailTexts);
  const { data: content, error } = useQuery(contentQuery(mail));
  const [look, setLook] = useState<EmailLook>({ width: "wide", scheme: "system", hasImages: false });
  const here = initialTab(tab, content);
  return (
    <>
      <div className="viewbar">
        <nav className="tabs" aria-label={t.parts}>
          {TABS.map((name) => (
            <Link
              key={name}
              to="."
              search={(now: MailSearch) => ({ ...now, tab: name })}
              activeOptions={{ exact: true }}
              aria-current={name === here ? "true" : "false"}
              preload={false}
              replace
            >
              {t.tabs[name]}
              {name === "files" && content && <span className="n">{content.attachments.length}</span>}
            </Link>
          ))}
        </nav>
        {here === "message" && <LookBar look={look} choose={setLook} />}
      </div>
      {error && !content ? (
        <div className="well-text">
          {isDeleted(error) ? <p className="dim">{t.textGone}</p> : <FaultBanner fault={error} />}
        </div>
      ) : (
        content && <Part tab={here} mail={mail} content={content} look={look} choose={setLook} />
      )}
    </>
  );
}

/** True if the content was deleted after the retention period. */
function isDeleted(error: unknown): boolean {
  return error instanceof Fault && error.code === "CONTENT_GONE";
}

/** Emails without HTML show their text. */
function initialTab(tab: string | undefined, content: MailContent | undefined): ContentTab {
  const requested = TABS.find((name) => name === tab);
  return requested ?? (content && content.html === null ? "text" : "message");
}

type PartProps = {
  readonly tab: ContentTab;
  readonly mail: WholeMail;
  readonly content: MailContent;
  readonly look: EmailLook;
  readonly choose: (look: EmailLook) => void;
};

function Part({ tab, mail, content, look, choose }: PartProps) {
  if (tab === "message") return <RenderedEmail mail={mail} content={content} look={look} choose={choose} />;
  if (tab === "text") return <TextPart content={content} />;
  if (tab === "headers") return <Headers headers={content.headers} />;
  if (tab === "raw") return <RawMessage id={mail.id} />;
  return tab === "data" ? <RecordJson mail={mail} /> : <Files mail={mail} files={content.attachments} />;
}

function Headers({ headers }: { readonly headers: MailContent["headers"] }) {
  const t = useTexts(mailTexts);
  return (
    <div className="well-text">
      <dl className="headers">
        {headers.map(({ name, value }, at) => (
          <div key={at}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
              <CopyButton text={value} what={name} />
            </dd>
          </div>
        ))}
      </dl>
      {headers.length === 0 && <p className="dim">{t.noHeaders}</p>}
    </div>
  );
}

type FilesProps = { readonly mail: WholeMail; readonly files: MailContent["attachments"] };

/** The attachments: only downloads, no preview. */
function Files({ mail, files }: FilesProps) {
  const t = useTexts(mailTexts);
  const { bytes } = useFormats();
  if (files.length === 0) return <p className="well-text dim">{t.noFiles}</p>;
  return (
    <div className="well-text">
      <div className="rows panel files">
        {files.map(({ number, filename, contentType, disposition, size }) => (
          <a
            className="line"
            key={number}
            href={addressOf(`/emails/${mail.id}/attachments/${number}`)}
            download={filename ?? `attachment-${number}`}
          >
            <Icon name="get" />
            <span className="cut">{filename ?? t.noName}</span>
            <span className="dim cut">{disposition === "inline" ? t.inline(contentType) : contentType}</span>
            <span className="dim end">{bytes(size)}</span>
          </a>
        ))}
      </div>
    </div>
  );
}
