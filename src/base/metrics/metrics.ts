// The figures of this process: counters, gauges and histograms of our own, as the text that Prometheus reads.
// `prom-client` does more (a global registry, summaries, push gateways) and costs a hash of an object for each count;
// what Posthorn needs of it fits on this page.
import { COUNTERS, type MetricCount, type Metric } from "./metric.ts";

/** One figure. Code that counts all the time keeps its own, to save the search by labels. */
export class Sample {
  value = 0;
  /** For a histogram: the counts of each bucket, and beyond the last. `value` is its sum then. */
  readonly counts: number[];
  readonly #bounds: readonly number[];

  constructor(
    { kind, bounds }: Metric,
    readonly labels: readonly string[],
  ) {
    this.#bounds = bounds;
    this.counts = kind === "histogram" ? Array<number>(bounds.length + 1).fill(0) : [];
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] as number)) bucket++;
    this.counts[bucket] = (this.counts[bucket] as number) + 1;
    this.value += value;
  }
}

export class Metrics {
  readonly #samples = new Map<Metric, Map<string, Sample>>();

  /** `withWorkspaces`: counts that belong to a workspace are kept by workspace. */
  constructor(readonly withWorkspaces = false) {
    if (withWorkspaces) return;
    for (const metric of COUNTERS) for (const labels of metric.known) this.#sample(metric, labels);
  }

  count({ metric, by = 1, labels = [], workspace = 0 }: MetricCount): void {
    const named = this.withWorkspaces && workspace !== 0 ? [...labels, String(workspace)] : labels;
    this.#sample(metric, named).value += by;
  }

  set(metric: Metric, value: number, ...labels: readonly string[]): void {
    this.#sample(metric, labels).value = value;
  }

  observe(metric: Metric, value: number, ...labels: readonly string[]): void {
    this.#sample(metric, labels).observe(value);
  }

  /** For callers that count often; of a metric that is never forgotten. */
  sample(metric: Metric, ...labels: readonly string[]): Sample {
    return this.#sample(metric, labels);
  }

  /** Called before a gauge is measured anew, so that series that no longer exist are not shown. */
  forget(...metrics: readonly Metric[]): void {
    for (const metric of metrics) this.#samples.delete(metric);
  }

  /** `workspaceId`: the public id for the number of a workspace. */
  text(workspaceId: (workspace: string) => string = String): string {
    const all = [...this.#samples].sort(([one], [other]) => (one.name < other.name ? -1 : 1));
    return all.map(([metric, samples]) => written(metric, [...samples.values()], workspaceId)).join("");
  }

  #sample(metric: Metric, labels: readonly string[]): Sample {
    let samples = this.#samples.get(metric);
    if (!samples) this.#samples.set(metric, (samples = new Map()));
    const key = labels.length === 1 ? (labels[0] as string) : labels.join("\n");
    let sample = samples.get(key);
    if (!sample) samples.set(key, (sample = new Sample(metric, labels)));
    return sample;
  }
}

function written(metric: Metric, samples: readonly Sample[], workspaceId: (workspace: string) => string): string {
  const { name, help, kind } = metric;
  const lines = samples.flatMap((sample) => {
    const labels = pairs(metric, sample.labels, workspaceId);
    return kind === "histogram" ? buckets(metric, sample, labels) : [`${name}${braced(labels)} ${sample.value}`];
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...lines, ""].join("\n");
}

/** A value beyond the metric's labels is the number of a workspace. */
function pairs({ labels }: Metric, values: readonly string[], workspaceId: (workspace: string) => string): string[] {
  return values.map((value, index) => {
    const label = labels[index];
    return label === undefined ? pair("workspace", workspaceId(value)) : pair(label, value);
  });
}

function pair(label: string, value: string): string {
  return `${label}="${value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"')}"`;
}

function buckets({ name, bounds }: Metric, { counts, value }: Sample, labels: readonly string[]): string[] {
  let upTo = 0;
  const lines = counts.map((count, index) => {
    const bound = bounds[index];
    upTo += count;
    return `${name}_bucket${braced([...labels, pair("le", bound === undefined ? "+Inf" : String(bound))])} ${upTo}`;
  });
  return [...lines, `${name}_sum${braced(labels)} ${value}`, `${name}_count${braced(labels)} ${upTo}`];
}

function braced(labels: readonly string[]): string {
  return labels.length === 0 ? "" : `{${labels.join(",")}}`;
}
