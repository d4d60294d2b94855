// The last step of a first start: a test email, and the first steps of the overview.
import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "../parts/layout.tsx";
import { overviewQuery } from "../overview/calls.ts";
import { StepsPanel } from "../overview/first-steps/steps.tsx";
import { TestMail } from "./test-mail.tsx";
import "../overview/overview.css";

export function NextStep() {
  const { data: overview, ...asked } = useQuery(overviewQuery);
  if (!overview) return <Skeleton of={asked} rows={6} columns={2} />;
  return (
    <>
      <TestMail />
      <StepsPanel steps={overview.firstSteps} role="OWNER" />
    </>
  );
}
