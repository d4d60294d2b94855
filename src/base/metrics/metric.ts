// A metric: its name, its meaning, the names of its labels. Each room declares its own, at the top of the file that
// counts.

export type Metric = {
  readonly kind: "counter" | "gauge" | "histogram";
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Values of the labels that are shown as 0 before anything is counted, so that the first count is seen as one. */
  readonly known: readonly (readonly string[])[];
  /** For a histogram: the upper ends of its buckets. */
  readonly bounds: readonly number[];
};

/** An event that happened, so many times; `workspace`: its owner, shown only if the operator has switched that on. */
export type MetricCount = {
  readonly metric: Metric;
  readonly by?: number;
  readonly labels?: readonly string[];
  readonly workspace?: number;
};

/** The counters that every page of figures shows with zeros. */
export const COUNTERS: Metric[] = [];

/** The name ends in `_total`. `known`: the values of its one label, where they are few. */
export function counter(name: string, help: string, label?: string, known: readonly string[] = []): Metric {
  const labels = label === undefined ? [] : [label];
  const zeros = label === undefined ? [[]] : known.map((value) => [value]);
  const metric: Metric = { kind: "counter", name, help, labels, known: zeros, bounds: [] };
  COUNTERS.push(metric);
  return metric;
}

/** A counter with several labels. */
export function counterBy(name: string, help: string, labels: readonly string[]): Metric {
  return { kind: "counter", name, help, labels, known: [], bounds: [] };
}

export function gauge(name: string, help: string, ...labels: readonly string[]): Metric {
  return { kind: "gauge", name, help, labels, known: [], bounds: [] };
}

export function histogram(name: string, help: string, bounds: readonly number[], ...labels: readonly string[]): Metric {
  return { kind: "histogram", name, help, labels, known: [], bounds };
}

/** Bounds for durations from half a millisecond to ten seconds. */
export const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
