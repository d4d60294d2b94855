// A campaign is made: what it is called and who it is from; the rest is written.
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Form } from "../parts/form.tsx";
import { Bones } from "../parts/layout.tsx";
import { domainsQuery } from "../set-up/domains/calls.ts";
import { frameTexts } from "../texts/frame.ts";
import { campaignsTexts } from "../texts/campaigns.ts";
import { lastCampaignQuery, useMaking } from "./calls.ts";

/** Complete, so that it can be sent as it is. */
const FIRST_BODY = `<!doctype html>
<html>
  <body style="margin: 0; padding: 32px; font: 16px/26px sans-serif; color: #1d1b16">
    <p>Hello {{ name ?? "there" }},</p>
    <p></p>
  </body>
</html>
`;

export function MakeCampaign({ close }: { readonly close: () => void }) {
  const t = useTexts(campaignsTexts);
  const { data: domains } = useQuery(domainsQuery);
  const { data: last } = useQuery(lastCampaignQuery);
  const isKnown = domains !== undefined && last !== undefined;
  const verified = domains?.find((one) => one.verified);
  const from = last?.from ?? (verified ? `news@${verified.domain}` : "");
  return (
    <Dialog title={t.make} isOpen onClose={close}>
      {isKnown ? <Asked close={close} from={from} fromName={last?.fromName ?? ""} /> : <Bones rows={3} columns={1} />}
    </Dialog>
  );
}

type AskedProps = { readonly close: () => void; readonly from: string; readonly fromName: string };

function Asked({ close, from, fromName }: AskedProps) {
  const t = useTexts(campaignsTexts);
  const { cancel } = useTexts(frameTexts);
  const navigate = useNavigate();
  const making = useMaking(({ id }) => {
    void navigate({ to: "/campaigns/$id", params: { id }, replace: true });
  });
  const make = ({ name = "", from = "", fromName = "" }: Readonly<Record<string, string>>) => {
    const sender = { from: from.trim(), ...(fromName.trim() ? { fromName: fromName.trim() } : {}) };
    making.mutate({ name: name.trim(), subject: name.trim(), body: FIRST_BODY, audienceType: "ALL", ...sender });
  };
  return (
    <Form fault={making.error} onSubmit={make}>
      <p className="dim row-text">{t.makeText}</p>
      <Field name="name" label={t.name} autoFocus />
      <Field name="fromName" label={t.fromName} defaultValue={fromName} />
      <Field
        name="from"
        label={t.from}
        defaultValue={from}
        type="email"
        help={from === "" ? <NoDomain /> : t.fromHelp}
      />
      <div className="acts">
        <Button onClick={close}>{cancel}</Button>
        <Button kind="first" type="submit" busy={making.isPending}>
          {t.make}
        </Button>
      </div>
    </Form>
  );
}

function NoDomain() {
  const t = useTexts(campaignsTexts);
  return (
    <>
      {t.noDomain}{" "}
      <Link to="/set-up/domains/{-$id}" params={{ id: undefined }}>
        {t.addDomain}
      </Link>
    </>
  );
}
