// The files that came or went with a mail: to be saved, never opened here.
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { Icon } from "../parts/icon.tsx";
import { mailTexts } from "../texts/areas.ts";
import { addressOf, type MailContent, type WholeMail } from "./mails.ts";

type FilesProps = { readonly mail: WholeMail; readonly files: MailContent["attachments"] };

export function Files({ mail, files }: FilesProps) {
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
