// The names of files: the name of each object in a directory, and the object that a name refers to.
import type { Reader } from "../../store/store.ts";
import { keptFiles, nameablesOf, type KeptFile, type Nameable } from "./queries.ts";
import { KINDS, type FileKind } from "./record.ts";

export type NamedRecord = Pick<Nameable, "id" | "updatedAt" | "updatedBy"> & {
  readonly name: string;
  /** Recorded by the last apply; null = no apply has named it. */
  readonly kept: KeptFile | null;
};

export class Names {
  readonly #byName = new Map<string, NamedRecord>();
  readonly #nameById = new Map<string, string>();

  constructor(readonly all: ReadonlyMap<FileKind, readonly NamedRecord[]>) {
    for (const [kind, ones] of all) for (const one of ones) this.add(kind, one);
  }

  add(kind: FileKind, one: NamedRecord): void {
    this.#byName.set(`${kind}/${one.name}`, one);
    this.#nameById.set(`${kind}/${one.id}`, one.name);
  }

  find(kind: FileKind, name: string): NamedRecord | null {
    return this.#byName.get(`${kind}/${name}`) ?? null;
  }

  /** The id; an unknown name stays as it is, and is refused where it is used. */
  idOf(kind: FileKind, name: string): string {
    return this.find(kind, name)?.id ?? name;
  }

  /** The name; the id of a deleted object stays. */
  nameOf(kind: FileKind, id: string): string {
    return this.#nameById.get(`${kind}/${id}`) ?? id;
  }
}

/** `keptOnly`: only kinds with an object that an apply has named. */
export async function namesIn(reader: Reader, workspace: number, keptOnly = false): Promise<Names> {
  const kept = Map.groupBy(await keptFiles(reader, workspace), ({ kind }) => kind);
  const all = new Map<FileKind, readonly NamedRecord[]>();
  for (const kind of keptOnly ? KINDS.filter((one) => kept.has(one)) : KINDS)
    all.set(kind, named(await nameablesOf(reader, kind, workspace), kept.get(kind) ?? []));
  return new Names(all);
}

/** An object that an apply has named keeps its name. Names go first to objects with a key, then to the oldest. */
function named(ones: readonly Nameable[], kept: readonly KeptFile[]): NamedRecord[] {
  const byRecord = new Map(kept.map((one) => [one.record, one]));
  const taken = new Set(ones.flatMap(({ id }) => byRecord.get(id)?.name ?? []));
  const inOrder = [...ones.filter(({ key }) => key !== null), ...ones.filter(({ key }) => key === null)];
  return inOrder.map(({ id, key, title, updatedAt, updatedBy }) => {
    const own = byRecord.get(id) ?? null;
    const name = own?.name ?? freeName(key ?? plainName(title), taken);
    taken.add(name);
    return { id, name, updatedAt, updatedBy, kept: own };
  });
}

const LONGEST_NAME = 80;

/** `After a sign-up` is `after-a-sign-up`; of a URL the host counts. */
export function plainName(title: string): string {
  const text = URL.parse(title)?.hostname || title;
  const words = text
    .normalize("NFC")
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}_]+/gu) ?? ["unnamed"];
  return words.join("-").slice(0, LONGEST_NAME);
}

/** The name, or the first of `name-2`, `name-3` … that is free. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let nr = 2; taken.has(free); nr++) free = `${name}-${nr}`;
  return free;
}

/** A condition with each segment's id, or name, as `other` answers it. */
export function inCondition(condition: unknown, other: (named: string) => string): unknown {
  if (typeof condition !== "object" || condition === null) return condition;
  return JSON.parse(JSON.stringify(condition), (key, value: unknown) =>
    key === "field" && typeof value === "string" && value.startsWith("segment.")
      ? `segment.${other(value.slice("segment.".length))}`
      : value,
  );
}

/** The segments that a condition names. */
export function segmentsIn(condition: unknown): string[] {
  const named: string[] = [];
  inCondition(condition, (name) => {
    named.push(name);
    return name;
  });
  return named;
}
