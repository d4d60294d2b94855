// One person: may we write, what we know, what is to come, and all that has been.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { CopyActions, Live, useScreen } from "../../frame/bar.tsx";
import { useFormats } from "../../formats.ts";
import { useTexts } from "../../language.ts";
import { Button } from "../../parts/button.tsx";
import { FaultBanner } from "../../parts/form.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Skeleton, Keys } from "../../parts/layout.tsx";
import { Menu } from "../../parts/menu.tsx";
import { useDisabledReason } from "../../session.ts";
import { peopleTexts } from "../../texts/areas.ts";
import { useVerbs } from "../../verbs.ts";
import { nameOf, personQuery, summaryQuery, type Contact } from "../calls.ts";
import { exportPerson } from "../export.ts";
import { personSearch, type Kind } from "../filters.ts";
import { Standing } from "../standing.tsx";
import { useWalk } from "../walk.ts";
import { Card } from "./card.tsx";
import { useChange } from "./change.ts";
import { Counts } from "./counts.tsx";
import { Erase } from "./erase.tsx";
import { Past } from "./past.tsx";
import { Rename } from "./rename.tsx";
import { Send } from "./send.tsx";
import "./person.css";

const route = getRouteApi("/frame/people/$id");

export function PersonScreen() {
  const { id } = route.useParams();
  const t = useTexts(peopleTexts);
  const { data: contact, error } = useQuery(personQuery(id));
  useScreen(contact ? nameOf(contact) : t.title, { path: `/contacts/${id}/timeline` });
  if (error && !contact)
    return (
      <div className="page">
        <FaultBanner fault={error} />
        <Link to="/people">{t.backToList}</Link>
      </div>
    );
  return contact ? <Person key={id} contact={contact} /> : <Skeleton rows={12} columns={3} />;
}

/** Where the person stands in the list that one comes from. */
function Place({ id, kind }: { readonly id: string; readonly kind: Kind | undefined }) {
  const t = useTexts(peopleTexts);
  const { number } = useFormats();
  const walk = useWalk(id, kind);
  if (!walk) return null;
  return (
    <span className="inline dim small wide-only place">
      <Keys keys={["k", "j"]} /> {t.placeOf(number(walk.place), number(walk.total))}
    </span>
  );
}

type Doing = "send" | "erase" | "rename" | null;

function Person({ contact }: { readonly contact: Contact }) {
  const t = useTexts(peopleTexts);
  const { kind } = personSearch(route.useSearch());
  const { data: summary } = useQuery(summaryQuery(contact.id));
  const [doing, setDoing] = useState<Doing>(null);
  const close = () => setDoing(null);
  return (
    <div className="fill person-screen">
      <header className="bar">
        <span className="trail wide-only">
          <Link to="/people">{t.title}</Link>
          <Icon name="right" />
        </span>
        <h1 className="cut">{nameOf(contact)}</h1>
        <Standing pill contact={contact} />
        <Live />
        <Place id={contact.id} kind={kind} />
        <Actions contact={contact} ask={setDoing} />
      </header>
      <div className="split">
        <Card contact={contact} summary={summary} />
        <section className="second-part" aria-label={t.past.title}>
          <div className="scroll">
            <div className="person-past">
              <Counts contact={contact} summary={summary} />
              <Past contact={contact} kind={kind} />
            </div>
          </div>
        </section>
      </div>
      {doing === "send" && <Send contact={contact} close={close} />}
      {doing === "rename" && <Rename contact={contact} close={close} />}
      {doing === "erase" && <Erase contact={contact} summary={summary} close={close} />}
    </div>
  );
}

function Actions({ contact, ask }: { readonly contact: Contact; readonly ask: (what: Doing) => void }) {
  const t = useTexts(peopleTexts);
  const [maySend, mayWrite, mayBulk] = [
    useDisabledReason("mail.send"),
    useDisabledReason("people.write"),
    useDisabledReason("people.bulk"),
  ];
  const change = useChange(contact);
  const flag = contact.subscribed ? t.unsubscribe : t.subscribe;
  const flagDisabledReason =
    mayWrite ?? (contact.status === "PENDING" && !contact.subscribed ? t.onlyInPerson : undefined);
  const turn = () => change.flag(!contact.subscribed);
  const get = () => void exportPerson(contact.id, contact.email);
  useVerbs([
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
          { id: "rename", name: t.rename.open, icon: "at", disabledReason: mayWrite, run: () => ask("rename") },
          { id: "export", name: t.exportOne, icon: "get", disabledReason: mayBulk, run: get },
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
