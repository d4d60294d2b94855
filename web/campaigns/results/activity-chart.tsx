// Activity over time, one kind of event at a time: bars by hour, or by day for long ranges, and a table for screen
// readers.
import { getRouteApi } from "@tanstack/react-router";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { accountTexts } from "../../texts/areas.ts";
import type { Campaign } from "../calls.ts";
import { useActivity } from "./calls.ts";

const route = getRouteApi("/frame/campaigns/$id");
const KINDS = ["sent", "opened", "clicked", "bounced", "leftTopic", "unsubscribed"] as const;
type ActivityKind = (typeof KINDS)[number];

const HEIGHT = 100;
/** The width of a bar with its gap, of the bar alone, and the fewest bars that fill the chart. */
const STEP = 12;
const BAR = 9;
const MIN_BARS = 24;

export function ActivityChart({ campaign }: { readonly campaign: Campaign }) {
  const t = useTexts(accountTexts);
  const { number } = useFormats();
  const { course, part, link } = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useActivity(campaign.id);
  const chosen = course ?? (link === undefined ? part : "clicked");
  const points = data?.points ?? [];
  const hasTopic = campaign.topic !== null || points.some(({ leftTopic }) => leftTopic > 0);
  const kinds = KINDS.filter((one) => one !== "leftTopic" || hasTopic);
  const kind: ActivityKind = kinds.find((one) => one === chosen) ?? "sent";
  const whenOf = useBarTime(data?.step ?? "hour");
  if (points.length === 0) return null;
  const most = Math.max(1, ...points.map((point) => point[kind]));
  const total = points.reduce((sum, point) => sum + point[kind], 0);
  const slots = Math.max(points.length, MIN_BARS);
  return (
    <section className="panel" aria-labelledby="course">
      <header>
        <h2 id="course">{t.course}</h2>
        <span className="dim small">{data?.isEstimate ? t.isEstimate : ""}</span>
        <span className="push course-kinds">
          <SegmentedControl
            small
            label={t.course}
            value={kind}
            onChange={(next) =>
              void navigate({ search: (before) => ({ ...before, course: next }), replace: true, resetScroll: false })
            }
            choices={kinds.map((value) => ({ value, content: t.parts[value] }))}
          />
        </span>
      </header>
      <div className="pad">
        <div className="stack tight">
          <svg
            className="course"
            viewBox={`0 0 ${slots * STEP} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={t.courseLabel(number(total), t.parts[kind], points.length)}
          >
            {points.map((point, at) => {
              const height = (point[kind] / most) * HEIGHT;
              return (
                <rect key={point.at} x={at * STEP} y={HEIGHT - height} width={BAR} height={height}>
                  <title>{`${whenOf(point.at)}: ${number(point[kind])}`}</title>
                </rect>
              );
            })}
          </svg>
          <div
            className="inline dim small"
            style={{ width: `${(points.length / slots) * 100}%`, minWidth: "max-content" }}
          >
            <span>{whenOf(points[0]?.at ?? "")}</span>
            <span className="push">{points.length > 1 ? whenOf(points.at(-1)?.at ?? "") : ""}</span>
          </div>
        </div>
      </div>
      <table className="hidden-text">
        <caption>{t.parts[kind]}</caption>
        <tbody>
          {points.map((point) => (
            <tr key={point.at}>
              <th scope="row">{whenOf(point.at)}</th>
              <td>{number(point[kind])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function useBarTime(step: "hour" | "day"): (at: string) => string {
  const { shortDay, clock } = useFormats();
  return (at) => {
    const date = new Date(at);
    return step === "day" ? shortDay(date) : `${shortDay(date)}, ${clock(date)}`;
  };
}
