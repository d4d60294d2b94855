// The ways to put a form on a page: its URL, its HTML, and an iframe, each to copy.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../base/language.ts";
import { Banner } from "../parts/banner.tsx";
import { Code } from "../parts/code.tsx";
import { Panel, Skeleton } from "../parts/layout.tsx";
import { Select } from "../parts/fields/select.tsx";
import { formsTexts } from "../texts/areas.ts";
import { useRecipientLanguages } from "../parts/fields/recipient-languages.ts";
import { useWorkspace, type RecipientLanguage } from "../calls/workspace.ts";
import { htmlQuery, type SignUpForm } from "./calls.ts";

export function Embed({ form }: { readonly form: SignUpForm }) {
  const t = useTexts(formsTexts);
  const workspace = useWorkspace();
  const [language, setLanguage] = useState<RecipientLanguage>(workspace.language);
  const { data: html, ...asked } = useQuery(htmlQuery(form.id, language));
  const frame = `<iframe src="${form.url}?language=${language}" title="${form.name.replaceAll('"', "&quot;")}" width="100%" height="480"></iframe>`;
  return (
    <div className="page">
      {form.sites.length === 0 && <Banner tone="warn">{t.noSites}</Banner>}
      <Panel title={t.link}>
        <div className="pad stack">
          <p className="dim row-text">{t.linkText}</p>
          <Code text={form.url} what={t.link} />
        </div>
      </Panel>
      <Panel title={t.html}>
        <div className="pad stack l">
          <p className="dim row-text">{t.htmlText}</p>
          <Select
            name="language"
            label={t.language}
            options={useRecipientLanguages()}
            value={language}
            onChange={(chosen) => setLanguage(chosen as RecipientLanguage)}
          />
          {html === undefined ? (
            <Skeleton of={asked} rows={4} columns={1} />
          ) : (
            <Code title={t.html} text={html.trim()} what={t.html} />
          )}
          <p className="dim row-text">{t.policy}</p>
        </div>
      </Panel>
      <Panel title={t.iframe}>
        <div className="pad stack">
          <p className="dim row-text">{t.iframeText}</p>
          <Code text={frame} what={t.iframe} />
        </div>
      </Panel>
    </div>
  );
}
