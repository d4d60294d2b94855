// The result of one check of the doctor: passed, a fault with its fix, or a note.

export type DoctorFinding = {
  readonly check: string;
  readonly state: "ok" | "wrong" | "note";
  readonly text: string;
  /** Only where something is wrong. */
  readonly todo: string | null;
};

export function ok(check: string, text: string): DoctorFinding {
  return { check, state: "ok", text, todo: null };
}

export function wrong(check: string, text: string, todo: string): DoctorFinding {
  return { check, state: "wrong", text, todo };
}

/** A check that could not be made, or a harmless finding. */
export function note(check: string, text: string): DoctorFinding {
  return { check, state: "note", text, todo: null };
}
