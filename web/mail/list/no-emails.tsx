// The empty list: no emails yet, none that match, or a refused filter.
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { call } from "../../calls/api.ts";
import { curlOf } from "../../calls/curl.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { FaultBanner } from "../../parts/fields/form.tsx";
import { Empty } from "../../parts/layout.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { queries } from "../../calls/queries.ts";
import { query } from "../../calls/query.ts";
import { useMe, useDisabledReason } from "../../calls/session.ts";
import { NO_SENDER, useSenders } from "../../settings/sender.ts";
import { mailTexts } from "../../texts/areas.ts";
import { queryOf, viewOf } from "../filter/search-query.ts";
import type { MailFilters } from "../filter/filters.ts";

const firstFrom = (sender: string) =>
  ({
    method: "POST",
    path: "/v1/send",
    body: {
      to: "you@example.com",
      from: `Posthorn <${sender}>`,
      subject: "It works",
      body: "<p>Hello from Posthorn.</p>",
    },
  }) as const;

type EmptyMailListProps = { readonly filters: MailFilters; readonly clear: () => void };

export function EmptyMailList({ filters, clear }: EmptyMailListProps) {
  const t = useTexts(mailTexts);
  const view = viewOf(filters);
  const senders = useSenders();
  const isNarrowed = Object.keys(filters).length > 0;
  if (!isNarrowed)
    return (
      <Shown>
        <Empty
          title={t.none.title}
          curl={curlOf(firstFrom(senders?.[0] ?? NO_SENDER))}
          action={<SendFirst senders={senders} />}
        >
          {t.none.text}
        </Empty>
      </Shown>
    );
  const words = view === null || view === "all" || filters.search ? t.noneFound : t.noneInView[view];
  const call = { path: "/emails", query: { ...queryOf(filters), limit: 50 } };
  return (
    <Shown>
      <Empty title={words.title} action={<Button onClick={clear}>{t.showAll}</Button>} curl={curlOf(call)}>
        {words.text}
      </Empty>
      {filters.search && <MatchingContacts search={filters.search} />}
    </Shown>
  );
}

const MOST_CONTACTS = 5;

/** Contacts that match the search: the page of one without emails gives the reason. */
function MatchingContacts({ search }: { readonly search: string }) {
  const { noneFound: t } = useTexts(mailTexts);
  const { data } = useQuery(query("GET /contacts", { search, limit: MOST_CONTACTS }, { throwOnError: false }));
  if (!data || data.data.length === 0) return null;
  return (
    <section className="panel" aria-label={t.people}>
      <header>
        <h2>{t.people}</h2>
      </header>
      <div className="rows matching">
        {data.data.map(({ id, email }) => (
          <Link className="line" key={id} to="/people/$id" params={{ id }} search={{ kind: "CAMPAIGN" }}>
            <b className="cut">{email}</b>
            <span className="end">{t.whyNot}</span>
          </Link>
        ))}
      </div>
    </section>
  );
}

export function NotInList({ fault, clear }: { readonly fault: unknown; readonly clear: () => void }) {
  const t = useTexts(mailTexts);
  return (
    <Shown>
      <div className="stack">
        <FaultBanner fault={fault} />
        <span>
          <Button onClick={clear}>{t.showAll}</Button>
        </span>
      </div>
    </Shown>
  );
}

function Shown({ children }: { readonly children: ReactNode }) {
  return <div className="scroll no-mail">{children}</div>;
}

/** Sends a first email to the signed-in user. */
function SendFirst({ senders }: { readonly senders: readonly string[] | undefined }) {
  const t = useTexts(mailTexts);
  const { email } = useMe();
  const denied = useDisabledReason("mail.send");
  const disabledReason = denied ?? (senders?.length === 0 ? t.none.noDomain : undefined);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const from = senders?.[0] ?? NO_SENDER;
      const { subject, body } = t.none;
      return call("POST /v1/send", { body: { to: email, from: `Posthorn <${from}>`, subject, body } });
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["mails"] });
      showToast(t.none.sent(email));
    },
  });
  return (
    <Button kind="first" icon="send" disabledReason={disabledReason} busy={isPending} onClick={() => mutate()}>
      {t.none.action}
    </Button>
  );
}
