// Emails to a person as a sum; each part links to its list.
import { useTexts } from "../../base/language.ts";
import type { MailFilters } from "../../mail/filter/filters.ts";
import { MailsLink } from "../../overview/emails-link.tsx";
import type { StatusIconName, Tone } from "../../parts/icons/icon.tsx";
import { Number, Sum } from "../../parts/number.tsx";
import { frameTexts, peopleTexts } from "../../texts/areas.ts";
import type { Contact, Summary } from "../calls.ts";

const STATES = [
  "delivered",
  "sent",
  "perhapsDelivered",
  "queued",
  "sending",
  "failed",
  "skipped",
  "cancelled",
  "bounced",
  "complained",
] as const;
const SHOWN: Readonly<Record<(typeof STATES)[number], readonly [StatusIconName, Tone?]>> = {
  delivered: ["delivered", "ok"],
  sent: ["sent"],
  perhapsDelivered: ["waiting", "warn"],
  queued: ["queued"],
  sending: ["sending", "note"],
  failed: ["failed", "bad"],
  skipped: ["skipped"],
  cancelled: ["cancelled"],
  bounced: ["bounced", "bad"],
  complained: ["complained", "bad"],
};

export function EmailCounts({
  contact: { id },
  summary,
}: {
  readonly contact: Contact;
  readonly summary: Summary | undefined;
}) {
  const t = useTexts(peopleTexts);
  const { states } = useTexts(frameTexts);
  if (!summary) return null;
  const { mails } = summary;
  if (mails.total === 0 && mails.received === 0) return null;
  const opens =
    (filters: MailFilters = {}) =>
    (shown: string) => <MailsLink filters={{ contactId: id, ...filters }}>{shown}</MailsLink>;
  const parts = STATES.filter((state) => mails[state] > 0).map((state) => {
    const [icon, tone] = SHOWN[state];
    const name = state === "perhapsDelivered" ? "PERHAPS_DELIVERED" : (state.toUpperCase() as Uppercase<typeof state>);
    return {
      id: state,
      value: mails[state],
      label: states[name],
      icon,
      ...(tone ? { tone } : {}),
      open: opens({ status: name }),
    };
  });
  return (
    <div className="counts">
      {mails.total > 0 && (
        <Sum parts={[{ id: "total", value: mails.total, label: t.counts.total, open: opens() }, ...parts]} />
      )}
      <div className="sum beside-sum">
        {(["opened", "clicked"] as const).map(
          (what) =>
            mails[what] > 0 && (
              <Number
                key={what}
                value={mails[what]}
                label={t.counts[what]}
                icon={what}
                open={opens({ happened: what })}
              />
            ),
        )}
        {mails.received > 0 && (
          <Number
            value={mails.received}
            label={t.counts.received}
            icon="received"
            open={opens({ status: "RECEIVED" })}
          />
        )}
      </div>
    </div>
  );
}
