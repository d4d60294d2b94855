// TLS reports: the encryption of mail to a domain, as reported by other servers.
import { useFormats } from "../../../base/formats.ts";
import { useTexts } from "../../../base/language.ts";
import { StatusIcon } from "../../../parts/icons/icon.tsx";
import { Panel } from "../../../parts/layout.tsx";
import { reportsTexts } from "../../../texts/areas.ts";
import type { Reports } from "./calls.ts";

export function Encryption({ tls }: Pick<Reports, "tls">) {
  const t = useTexts(reportsTexts);
  const { number } = useFormats();
  const { sessions, failed, failures } = tls;
  return (
    <Panel title={t.tls}>
      <p className="pad row-text">
        {t.tlsText(number(sessions), number(failed))} {failed === 0 && t.tlsWell}
      </p>
      {failures.length > 0 && (
        <div className="rows report-failures">
          {failures.map(({ policyType, result, host, sessions: count }) => (
            <div className="line" key={`${policyType} ${result} ${host}`}>
              <StatusIcon name="warn" tone="warn" />
              <span className="stack tight">
                <code className="breaks">{result}</code>
                <span className="dim small breaks">{[policyType, ...(host ? [host] : [])].join(", ")}</span>
              </span>
              <span className="end">{number(count)}</span>
            </div>
          ))}
        </div>
      )}
    </Panel>
  );
}
