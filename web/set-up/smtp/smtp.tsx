// How programs send: lines to copy, by SMTP and by the API, with the server's own host, ports and key.
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTexts } from "../../language.ts";
import { Button } from "../../parts/button.tsx";
import { Bones } from "../../parts/layout.tsx";
import { Seg } from "../../parts/seg.tsx";
import { useOff } from "../../session.ts";
import { smtpTexts } from "../../texts/areas.ts";
import { useVerbs } from "../../verbs.ts";
import { SetUpBar } from "../bar.tsx";
import { TestMail } from "../test-mail.tsx";
import { Connection } from "./connection.tsx";
import { LinesToCopy } from "./lines.tsx";
import { useSubmission, type Submission } from "./submission.ts";
import "./smtp.css";

const route = getRouteApi("/frame/set-up/smtp");

export function Smtp() {
  const t = useTexts(smtpTexts);
  const off = useOff("mail.send");
  const [tests, setTests] = useState(false);
  const test = () => setTests(true);
  useVerbs([{ id: "test mail", name: t.testMail, icon: "send", run: test, off }]);
  const { data } = useSubmission();
  const button = (
    <Button icon="send" off={off} onClick={test}>
      {t.testMail}
    </Button>
  );
  return (
    <>
      <SetUpBar tab="smtp" call={{ path: "/submission" }} acts={button} />
      <div className="page smtp">{data ? <Ways submission={data} /> : <Bones rows={6} columns={2} />}</div>
      {tests && <TestMail close={() => setTests(false)} />}
    </>
  );
}

function Ways({ submission }: { readonly submission: Submission }) {
  const t = useTexts(smtpTexts);
  const { by } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <div className="inline l">
        <Seg
          label={t.way}
          choices={[
            { value: "smtp", content: "SMTP" },
            { value: "api", content: "API" },
          ]}
          value={by}
          onChange={(chosen) => void navigate({ search: (known) => ({ ...known, by: chosen }), replace: true })}
        />
        <p className="dim row-text">{t.ways[by]}</p>
      </div>
      {by === "smtp" && <Connection submission={submission} />}
      {(by === "api" || submission.ports.length > 0) && <LinesToCopy submission={submission} />}
    </>
  );
}
