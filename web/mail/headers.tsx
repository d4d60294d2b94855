// The header of a mail, field by field.
import { useTexts } from "../language.ts";
import { CopyButton } from "../parts/copy.tsx";
import { mailTexts } from "../texts/areas.ts";
import type { MailContent } from "./mails.ts";

export function Headers({ headers }: { readonly headers: MailContent["headers"] }) {
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
