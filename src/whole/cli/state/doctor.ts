// `posthorn doctor`: checks everything that mail depends on; each line passes or says what to do.
import { systemClock } from "../../../base/clock.ts";
import { configOrigin } from "../../../base/config.ts";
import { systemResolver } from "../../../base/dns.ts";
import { examineMachine, examineStore, storeFault, type Patient } from "../../../operator/operation/doctor/doctor.ts";
import type { DoctorFinding } from "../../../operator/operation/doctor/finding.ts";
import { listedWays } from "../../../ground/ways/list.ts";
import { configBeside, inStore, tokensIn, waysIn } from "../beside.ts";
import { serverAnswer } from "../server-answer.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";

export const DOCTOR: Verb = {
  name: "doctor",
  summary: "Checks everything that email depends on, and says how to fix each fault; exit code 1 if there is one",
  notes: ["It sends no email and changes nothing. Reading a large database takes minutes."],
  options: {
    full: { help: "Also compare the indexes of the database with its tables (SQLite)" },
    blocklists: { help: "Ask well-known blocklists about this machine's address" },
    ...JSON_OPTION,
  },
  run: doctor,
};

async function doctor(call: VerbCall): Promise<number> {
  const { config, problems } = await configBeside(call);
  const patient: Patient = {
    config,
    problems,
    file: configOrigin(call.configOptions).file,
    server: await serverAnswer(call),
    resolver: systemResolver(config.dns.servers),
    machineMs: systemClock.nowMs(),
    withBlocklists: call.flag("blocklists"),
  };
  const printFindings = (findings: readonly DoctorFinding[]) => {
    if (!call.flag("json")) for (const finding of findings) call.io.out(lineOf(finding));
    return findings;
  };
  const findings = [...printFindings(await examineMachine(patient)), ...printFindings(await ofStore(call, patient))];
  if (call.flag("json")) call.io.out(JSON.stringify(findings));
  return findings.some(({ state }) => state === "wrong") ? 1 : 0;
}

async function ofStore(call: VerbCall, patient: Patient): Promise<DoctorFinding[]> {
  const { machineMs, config } = patient;
  try {
    return await inStore(call, async (place) => {
      const { store } = place;
      const known = { config, secrets: null };
      const ways = await waysIn(place).catch(() => store.read((reader) => listedWays(reader, known)));
      const tokens = await tokensIn(place).catch(() => null);
      return examineStore({ store, config, ways, tokens, machineMs }, patient, call.flag("full"));
    });
  } catch (error) {
    return [storeFault(error)];
  }
}

const SIGNS = { ok: "ok   ", wrong: "WRONG", note: "note " };

function lineOf({ check, state, text, todo }: DoctorFinding): string {
  const line = `${SIGNS[state]}  ${check}: ${text}`;
  return todo === null ? line : `${line}\n       → ${todo}`;
}
