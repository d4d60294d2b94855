// Counters, gauges and histograms, and the text that Prometheus reads.
import { expect, test } from "bun:test";
import { counterBy, gauge, histogram } from "../../src/base/metrics/metric.ts";
import { Metrics } from "../../src/base/metrics/metrics.ts";

const SEEN = counterBy("test_seen_total", "Seen.", ["who", "how"]);
const LEVEL = gauge("test_level", "Level.", "where");
const TOOK = histogram("test_took_seconds", "Took.", [0.1, 1], "what");

/** The lines about these metrics alone: all that the program counts are there as well. */
function linesOf(metrics: Metrics, ...ids: Parameters<Metrics["text"]>): string[] {
  return metrics
    .text(...ids)
    .split("\n")
    .filter((line) => line.includes("test_"));
}

test("a counter adds up by its labels", () => {
  const metrics = new Metrics();
  metrics.count({ metric: SEEN, labels: ["ada", "near"] });
  metrics.count({ metric: SEEN, labels: ["ada", "far"], by: 3 });
  metrics.count({ metric: SEEN, labels: ["ada", "near"], by: 2 });
  expect(linesOf(metrics)).toEqual([
    "# HELP test_seen_total Seen.",
    "# TYPE test_seen_total counter",
    'test_seen_total{who="ada",how="near"} 3',
    'test_seen_total{who="ada",how="far"} 3',
  ]);
});

test("a gauge shows what it was set to last, and nothing once it is forgotten", () => {
  const metrics = new Metrics();
  metrics.set(LEVEL, 4, "here");
  metrics.set(LEVEL, 0.5, "here");
  expect(linesOf(metrics).at(-1)).toBe('test_level{where="here"} 0.5');
  metrics.forget(LEVEL);
  expect(linesOf(metrics)).toEqual([]);
});

test("the buckets of a histogram count what is at most as much, and the last one all", () => {
  const metrics = new Metrics();
  for (const seconds of [0.05, 0.1, 0.5, 7]) metrics.observe(TOOK, seconds, "work");
  expect(linesOf(metrics).slice(2)).toEqual([
    'test_took_seconds_bucket{what="work",le="0.1"} 2',
    'test_took_seconds_bucket{what="work",le="1"} 3',
    'test_took_seconds_bucket{what="work",le="+Inf"} 4',
    'test_took_seconds_sum{what="work"} 7.65',
    'test_took_seconds_count{what="work"} 4',
  ]);
});

test("a label may hold any text", () => {
  const metrics = new Metrics();
  metrics.set(LEVEL, 1, 'a "b"\\\nc');
  expect(linesOf(metrics).at(-1)).toBe('test_level{where="a \\"b\\"\\\\\\nc"} 1');
});

test("what belongs to a workspace is kept by workspace only where that is asked for", () => {
  const count = { metric: SEEN, labels: ["ada", "near"], workspace: 7 };
  const [together, apart] = [new Metrics(), new Metrics(true)];
  for (const metrics of [together, apart]) metrics.count(count);
  expect(linesOf(together).at(-1)).toBe('test_seen_total{who="ada",how="near"} 1');
  expect(linesOf(apart, (number) => `id of ${number}`).at(-1)).toBe(
    'test_seen_total{who="ada",how="near",workspace="id of 7"} 1',
  );
});
