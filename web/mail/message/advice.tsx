// Explains the state of an email in plain words, with the next steps.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BrakeList } from "../../brakes/brakes.tsx";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Icon, type IconName } from "../../parts/icons/icon.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { mailTexts } from "../../texts/areas.ts";
import { commands } from "../../commands.ts";
import { isLocal, queueQuery, type WholeMail } from "../calls.ts";
import { MoveButtons } from "./move.tsx";
import { Unconfirmed } from "./unconfirmed.tsx";
import type { UnsentReason } from "../reasons.ts";

export function Advice({ mail }: { readonly mail: WholeMail }) {
  if (mail.held !== null) return <HeldAdvice held={mail.held} mail={mail} />;
  if (mail.status === "QUEUED") return <WaitingAdvice mail={mail} />;
  if (mail.status === "PERHAPS_DELIVERED") return <Unconfirmed mail={mail} />;
  if (mail.status === "COMPLAINED") return <ComplaintAdvice mail={mail} />;
  return mail.status === "FAILED" || mail.status === "BOUNCED" ? <RefusedAdvice mail={mail} /> : null;
}

type AdviceProps = { readonly mail: WholeMail };

function RefusedAdvice({ mail }: AdviceProps) {
  const t = useTexts(mailTexts);
  const reason = mail.reason ?? "REFUSED";
  const { title, text, todo } = t.reasons[reason];
  const domain = mail.to.split("@")[1] ?? "";
  const own = isLocal(mail);
  return (
    <>
      <Banner tone="bad">
        <b>{own ? t.own.title : title}</b>
        <p>
          {own ? t.own.text : text(domain)} {mail.bounceType === "Permanent" ? t.forGood : ""}
        </p>
        {mail.error && <p className="mono reply">{mail.error}</p>}
      </Banner>
      <NextStepButton lines={own ? t.own.todo : todo} mail={mail} action={own ? "again" : ACTIONS[reason]} />
    </>
  );
}

function ComplaintAdvice({ mail }: AdviceProps) {
  const t = useTexts(mailTexts);
  return (
    <>
      <Banner tone="bad">
        <b>{t.complained.title}</b>
        <p>{t.complained.text(mail.to)}</p>
      </Banner>
      <NextStepButton lines={t.complained.todo} mail={mail} action="person" />
    </>
  );
}

function HeldAdvice({ held, mail }: AdviceProps & { readonly held: NonNullable<WholeMail["held"]> }) {
  const t = useTexts(mailTexts);
  const { title, text } = t.held[held];
  const { campaignId: campaign } = mail;
  return (
    <Banner tone="warn">
      <b>{title}</b>
      <p>{text}</p>
      {held === "PROVIDER_PACE" && <BrakesOfMail mail={mail} />}
      {campaign !== null && (
        <Link className="opens" to="." search={{ campaignId: campaign, held: "true" }}>
          {t.heldBeside}
        </Link>
      )}
    </Banner>
  );
}

function BrakesOfMail({ mail: { heldFor } }: AdviceProps) {
  const { data } = useQuery(queueQuery);
  return <BrakeList brakes={data?.brakes.filter(({ mailbox }) => mailbox === heldFor) ?? []} />;
}

/** The last attempt, and when the next is due. */
function WaitingAdvice({ mail }: AdviceProps) {
  const t = useTexts(mailTexts);
  const formats = useFormats();
  const last = mail.timeline.findLast(({ what }) => what === "attempt.later");
  const reply = String(last?.detail?.["reply"] ?? mail.error ?? "");
  const at = mail.scheduledFor === null ? null : formats.exact(new Date(mail.scheduledFor));
  if (!last)
    return at === null || mail.scheduledFor === mail.createdAt ? null : (
      <>
        <Banner tone="note">{t.waits.until(at)}</Banner>
        <MoveButtons mail={mail} />
      </>
    );
  const reason = (last.detail?.["reason"] as UnsentReason | null | undefined) ?? "NOT_NOW";
  return (
    <>
      <Banner tone="warn">
        <b>{t.reasons[reason].title}</b>
        <p>{at === null ? t.waits.again : t.waits.againAt(at)}</p>
        {reply !== "" && <p className="mono reply">{reply}</p>}
      </Banner>
      <MoveButtons mail={mail} />
    </>
  );
}

/** A link to the next step. */
type Action = "again" | "person" | "domains";

const ACTIONS: Readonly<Record<UnsentReason, Action>> = {
  NO_MAILBOX: "person",
  NO_DOMAIN: "person",
  FULL: "again",
  TOO_LARGE: "person",
  SPAM: "domains",
  LISTED: "person",
  UNPROVEN: "domains",
  TOO_MUCH: "again",
  NO_ANSWER: "again",
  NOT_NOW: "again",
  REFUSED: "person",
};

type NextStepProps = { readonly lines: readonly string[]; readonly mail: WholeMail; readonly action: Action };

function NextStepButton({ lines, mail, action }: NextStepProps) {
  const t = useTexts(mailTexts);
  // The last line is the one about domains.
  const own = action === "domains" ? lines.length - 1 : 0;
  return (
    <div className="stack tight">
      <h3>{t.toDo}</h3>
      <ul className="rows panel to-do">
        {lines.map((line, at) => (
          <li className="line" key={line}>
            <Icon name={at === own ? ICONS[action] : "arrow"} />
            <span>{line}</span>
            {at === own && <NextStep action={action} mail={mail} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

const ICONS: Readonly<Record<Action, IconName>> = { again: "again", person: "pencil", domains: "globe" };

function NextStep({ action, mail: { contactId } }: { readonly action: Action; readonly mail: WholeMail }) {
  const t = useTexts(mailTexts);
  const disabledReason = useDisabledReason("mail.send");
  if (action === "domains")
    return (
      <Link className="stay" to="/settings/domains/{-$id}" params={{ id: undefined }}>
        {t.ways.domains}
      </Link>
    );
  if (action === "again")
    return disabledReason === undefined ? (
      <button type="button" className="text-btn stay" onClick={() => actionNamed("send again")?.run()}>
        {t.again.name}
      </button>
    ) : null;
  if (contactId === null) return null;
  return (
    <Link className="stay" to="." search={{ contactId }} preload={false}>
      {t.ways.person}
    </Link>
  );
}

function actionNamed(id: string) {
  return commands.get().find((verb) => verb.id === id);
}
