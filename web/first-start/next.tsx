// What is next: a test email, and the first steps of the overview.
import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "../parts/layout.tsx";
import { overviewQuery } from "../overview/calls.ts";
import { StepsPanel } from "../overview/steps.tsx";
import { useInstallation } from "../settings/server/installation.ts";
import { TestMail } from "./test-mail.tsx";
import "../overview/overview.css";

export function NextStep() {
  const { data: overview, ...asked } = useQuery(overviewQuery);
  const { data: installation } = useInstallation();
  if (!overview) return <Skeleton of={asked} rows={6} columns={2} />;
  return (
    <>
      {installation && <TestMail captures={installation.transport.kind === "capture"} />}
      <StepsPanel steps={overview.firstSteps} role="OWNER" />
    </>
  );
}
