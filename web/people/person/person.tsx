// One person: profile, upcoming emails and history.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { CopyActions, Live, useScreen } from "../../parts/bar.tsx";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { FaultBanner } from "../../parts/fields/form.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { Skeleton, KeyHints } from "../../parts/layout.tsx";
import { Menu } from "../../parts/overlays/menu.tsx";
import { NoteDialog } from "../../notes/note-dialog.tsx";
import { useWhoToAsk } from "../../notes/who.ts";
import { useDisabledReason } from "../../calls/session.ts";
import { peopleTexts } from "../../texts/areas.ts";
import { useCommands } from "../../commands.ts";
import { isPaused, displayName, personQuery, summaryQuery, type Contact } from "../calls.ts";
import { exportPerson } from "../export.ts";
import { personSearch, type KeyKind } from "../filters.ts";
import { SubscriptionLabel } from "../subscription-label.tsx";
import { useNeighbors } from "../neighbors.ts";
import { Profile } from "./profile.tsx";
import { useChange } from "./change.ts";
import { EmailCounts } from "./email-counts.tsx";
import { Erase } from "./erase.tsx";
import { History } from "./history.tsx";
import { ChangeEmail } from "./change-email.tsx";
import { SendEmail } from "./send-email.tsx";
import "./person.css";

const route = getRouteApi("/frame/people/$id");

export function PersonScreen() {
  const { id } = route.useParams();
  const t = useTexts(peopleTexts);
  const { data: contact, error } = useQuery(personQuery(id));
  useScreen(contact ? displayName(contact) : t.title, { path: `/contacts/${id}/timeline` });
  if (error && !contact)
    return (
      <div className="page">
        <FaultBanner fault={error} />
        <Link to="/people">{t.backToList}</Link>
      </div>
    );
  return contact ? <Person key={id} contact={contact} /> : <Skeleton of={null} rows={12} columns={3} />;
}

/** The position in the last list. */
function ListPosition({ id, kind }: { readonly id: string; readonly kind: KeyKind | undefined }) {
  const t = useTexts(peopleTexts);
  const { number } = useFormats();
  const neighbors = useNeighbors(id, kind);
  if (!neighbors) return null;
  return (
    <span className="inline dim small wide-only place">
      <KeyHints keys={["k", "j"]} /> {t.placeOf(number(neighbors.place), number(neighbors.total))}
    </span>
  );
}

type PersonActions = "send" | "erase" | "rename" | "ask" | null;

function Person({ contact }: { readonly contact: Contact }) {
  const t = useTexts(peopleTexts);
  const { kind } = personSearch(route.useSearch());
  const { data: summary } = useQuery(summaryQuery(contact.id));
  const [doing, setDoing] = useState<PersonActions>(null);
  const who = useWhoToAsk("people.bulk");
  const close = () => setDoing(null);
  return (
    <div className="fill person-screen">
      <header className="bar">
        <span className="trail wide-only">
          <Link to="/people">{t.title}</Link>
          <Icon name="right" />
        </span>
        <h1 className="cut">{displayName(contact)}</h1>
        <SubscriptionLabel pill contact={contact} />
        <Live />
        <ListPosition id={contact.id} kind={kind} />
        <Actions contact={contact} ask={setDoing} />
      </header>
      <div className="split">
        <Profile contact={contact} summary={summary} />
        <section className="second-part" aria-label={t.past.title}>
          <div className="scroll">
            <div className="person-past">
              <EmailCounts contact={contact} summary={summary} />
              <History contact={contact} kind={kind} />
            </div>
          </div>
        </section>
      </div>
      {doing === "send" && <SendEmail contact={contact} close={close} />}
      {doing === "rename" && <ChangeEmail contact={contact} close={close} />}
      {doing === "ask" && <NoteDialog contactId={contact.id} to={who?.id} close={close} />}
      {doing === "erase" && <Erase contact={contact} summary={summary} close={close} />}
    </div>
  );
}

function Actions({ contact, ask }: { readonly contact: Contact; readonly ask: (what: PersonActions) => void }) {
  const t = useTexts(peopleTexts);
  const [maySend, mayWrite, mayBulk] = [
    useDisabledReason("mail.send"),
    useDisabledReason("people.write"),
    useDisabledReason("people.bulk"),
  ];
  const who = useWhoToAsk("people.bulk");
  const change = useChange(contact);
  const flag = contact.subscribed ? t.unsubscribe : t.subscribe;
  const flagDisabledReason =
    mayWrite ?? (contact.status === "PENDING" && !contact.subscribed ? t.onlyInPerson : undefined);
  const turn = () => change.flag(!contact.subscribed);
  const get = () => void exportPerson(contact.id, contact.email);
  useCommands([
    { id: "send person", name: t.send.open, icon: "send", disabledReason: maySend, run: () => ask("send") },
    { id: "flag person", name: flag, icon: "check", disabledReason: flagDisabledReason, run: turn },
    { id: "export person", name: t.exportOne, icon: "get", disabledReason: mayBulk, run: get },
    { id: "erase person", name: t.erase.open, icon: "trash", disabledReason: mayBulk, run: () => ask("erase") },
  ]);
  return (
    <div className="actions">
      <CopyActions />
      <Button kind="first" icon="send" disabledReason={maySend} onClick={() => ask("send")}>
        {t.send.open}
      </Button>
      <span className="wide-only">
        <Button disabledReason={flagDisabledReason} onClick={turn}>
          {flag}
        </Button>
      </span>
      <Menu
        label={t.more}
        className="btn quiet only"
        entries={[
          { id: "flag", name: flag, icon: "check", disabledReason: flagDisabledReason, run: turn },
          ...(contact.suppressed === null
            ? []
            : [{ id: "lift", name: t.lift.action, icon: "undo", disabledReason: mayWrite, run: change.lift } as const]),
          ...(contact.subscribed && !isPaused(contact)
            ? [
                {
                  id: "pause",
                  name: t.pause.action,
                  icon: "clock",
                  disabledReason: mayWrite,
                  run: change.pause,
                } as const,
              ]
            : []),
          { id: "rename", name: t.rename.open, icon: "at", disabledReason: mayWrite, run: () => ask("rename") },
          { id: "export", name: t.exportOne, icon: "get", disabledReason: mayBulk, run: get },
          ...(who ? [{ id: "ask", name: t.notes.ask(who.name), icon: "pencil", run: () => ask("ask") } as const] : []),
          "line",
          {
            id: "erase",
            name: t.erase.open,
            icon: "trash",
            risk: true,
            disabledReason: mayBulk,
            run: () => ask("erase"),
          },
        ]}
      />
    </div>
  );
}
