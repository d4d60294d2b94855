// Mail: the list, and the open email beside it. On a phone they are two screens.
import { getRouteApi, useNavigate, useParams } from "@tanstack/react-router";
import { useCallback } from "react";
import { useQuery } from "@tanstack/react-query";
import { CopyActions, Live, useScreen } from "../parts/bar.tsx";
import { useKey } from "../base/keyboard.ts";
import { useTexts } from "../base/language.ts";
import { mailTexts } from "../texts/areas.ts";
import { EmailFilter } from "./filter/email-filter.tsx";
import { queryOf } from "./filter/search-query.ts";
import { filtersIn, type MailFilters, type MailSearch } from "./filter/filters.ts";
import { EmailList } from "./list/list.tsx";
import { Message } from "./message/message.tsx";
import { QueueStrip } from "./queue-strip.tsx";
import { NoneSelected } from "./none-selected.tsx";
import { Views } from "./filter/views.tsx";
import { useFormats } from "../base/formats.ts";
import { reasonsQuery } from "./calls.ts";
import { haveReasons } from "./reasons.ts";
import "./mail.css";
import "./list/list.css";
import "./message/message.css";
import "./by-reason.css";

const route = getRouteApi("/frame/mail");

export type MailSteps = {
  readonly open: (id: string | undefined) => void;
  readonly narrow: (filters: MailFilters) => void;
};

export function MailScreen() {
  const t = useTexts(mailTexts);
  const search = route.useSearch();
  const { id } = useParams({ strict: false });
  const filters = filtersIn(search);
  const { open, narrow } = useSteps(search);
  useScreen(t.title, { path: "/emails", query: { ...queryOf(filters), limit: 50 } });
  useKey("Escape", () => id !== undefined && open(undefined));
  return (
    <div className={id === undefined ? "fill mail-screen" : "fill mail-screen open-second"}>
      {/* Not in the list, which a phone hides while a mail is open. */}
      <h1 className="hidden-text">{t.title}</h1>
      <div className="split">
        <section className="first" aria-label={t.list}>
          <div className="ask-row">
            <EmailFilter filters={filters} narrow={narrow} />
            <Live />
            <CopyActions />
          </div>
          <Views filters={filters} search={search} />
          <FailureReasons filters={filters} narrow={narrow} />
          <EmailList filters={filters} openId={id} open={open} narrow={narrow} />
          <QueueStrip />
        </section>
        <section className="second" aria-label={t.message}>
          {id === undefined ? <NoneSelected /> : <Message key={id} id={id} tab={search.tab} back={filters} />}
        </section>
      </div>
    </div>
  );
}

/** Both keep the rest of the URL. */
function useSteps(search: MailSearch): MailSteps {
  const navigate = useNavigate();
  const open = useCallback(
    (id: string | undefined) => {
      const search = (now: MailSearch) => now;
      void navigate(id === undefined ? { to: "/mail", search } : { to: "/mail/$id", params: { id }, search });
    },
    [navigate],
  );
  const narrow = useCallback(
    (filters: MailFilters) => void navigate({ to: ".", search: { ...filters, ...tabIn(search) } }),
    [navigate, search.tab],
  );
  return { open, narrow };
}

function tabIn({ tab }: MailSearch): Pick<MailSearch, "tab"> {
  return tab === undefined ? {} : { tab };
}

type FailureReasonsProps = { readonly filters: MailFilters; readonly narrow: (filters: MailFilters) => void };

/** Failed emails by reason. A click on a reason filters the list; a second one removes the filter. */
function FailureReasons({ filters, narrow }: FailureReasonsProps) {
  const t = useTexts(mailTexts);
  const { number } = useFormats();
  const { data } = useQuery({ ...reasonsQuery(filters), enabled: haveReasons(filters.status) });
  const { reason: chosen, ...rest } = filters;
  if (!data || !haveReasons(filters.status)) return null;
  if (data.reasons.length < 2 && chosen === undefined) return null;
  return (
    <div className="by-reason" role="group" aria-label={t.byReason}>
      {data.reasons.map(({ reason, count }) => (
        <button
          key={reason}
          type="button"
          className="tok"
          aria-pressed={reason === chosen}
          onClick={() => narrow(reason === chosen ? rest : { ...rest, reason })}
        >
          {t.reasons[reason].brief} <span className="n">{number(count)}</span>
        </button>
      ))}
      {data.isLowerBound && <span className="dim small">{t.ofNewest}</span>}
    </div>
  );
}
