// The overview: how to send a first mail.
import { curlOf } from "../calls.ts";
import { Bar } from "../frame/bar.tsx";
import { useTexts } from "../language.ts";
import { Empty } from "../parts/layout.tsx";
import { overviewTexts } from "../texts/overview.ts";
import "./overview.css";

const FIRST_MAIL = {
  method: "POST",
  path: "/v1/send",
  body: {
    to: "you@example.com",
    from: "Posthorn <hello@example.test>",
    subject: "It works",
    body: "<p>Hello from Posthorn.</p>",
  },
} as const;

export function Overview() {
  const t = useTexts(overviewTexts);
  return (
    <>
      <Bar title={t.title} call={{ path: "/emails" }} live />
      <div className="page">
        <Empty title={t.first.title} curl={curlOf(FIRST_MAIL)}>
          {t.first.text}
        </Empty>
      </div>
    </>
  );
}
