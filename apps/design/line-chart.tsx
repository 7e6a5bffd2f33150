import { daysBetween } from '../../shared/kernel/calendar/days.js';

/** A value on a day. The text is what readers see; the number is only a place on the chart. */
export interface ChartPoint {
  readonly date: string;
  readonly value: string;
  readonly beside?: string | null;
  /** Whether something happened, as a payment. */
  readonly isMarked?: boolean;
}

export interface LineChartProps {
  readonly points: readonly ChartPoint[];
  /** One sentence with what the chart shows, for readers who cannot see it. */
  readonly label: string;
  readonly formatValue: (value: string) => string;
  readonly formatDate: (date: string) => string;
  /** Whether it is a picture of its own, which no style sheet reaches. */
  readonly standalone?: boolean;
}

const plot = { width: 960, height: 280, left: 4, right: 872, top: 16, bottom: 248 };

/** Colours of a picture of its own, for a white page. */
const colours = { line: '#0b5394', beside: '#b45309', axis: '#d5dbe1', text: '#51606e', page: '#ffffff' };

/** A line of values by day, and one beside it. On public pages `chart.js` draws over it. */
export function LineChart(props: LineChartProps) {
  const { points, label, standalone = false } = props;
  const { width, height } = plot;
  const scale = scaleOf(points);
  const besides = points.flatMap(({ date, beside }) => (beside == null ? [] : { date, value: beside }));
  const pathOf = (values: readonly ChartPoint[]) =>
    values.map(({ date, value }, at) => `${at === 0 ? 'M' : 'L'}${scale.x(date)} ${scale.y(value)}`).join('');
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      {...(standalone ? { xmlns: 'http://www.w3.org/2000/svg', width, height, fontFamily: 'sans-serif' } : {})}
    >
      {standalone ? <rect width={width} height={height} fill={colours.page} /> : null}
      <Axes {...props} scale={scale} />
      {besides.length === 0 ? null : (
        <path className="beside" fill="none" stroke={colours.beside} strokeWidth={1.5} d={pathOf(besides)} />
      )}
      <path
        className="line"
        fill="none"
        stroke={colours.line}
        strokeWidth={2}
        strokeLinejoin="round"
        d={pathOf(points)}
      />
      {points.map(({ date, isMarked }) =>
        isMarked === true ? (
          <path key={date} className="mark" fill={colours.line} d={`M${scale.x(date)} ${plot.bottom}l-5 8h10Z`} />
        ) : null,
      )}
    </svg>
  );
}

type Scale = ReturnType<typeof scaleOf>;

function scaleOf(points: readonly ChartPoint[]) {
  const values = points.flatMap(({ value, beside }) => [value, ...(beside == null ? [] : [beside])].map(Number));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = niceStep((high - low || Math.abs(high) / 10 || 1) / 4);
  const least = Math.floor(low / step) * step;
  const most = Math.max(Math.ceil(high / step) * step, least + step);
  const begin = points[0]?.date ?? '';
  const days = Math.max(daysBetween(begin, points.at(-1)?.date ?? ''), 1);
  return {
    step,
    levels: Array.from({ length: Math.round((most - least) / step) + 1 }, (_none, at) => least + at * step),
    x: (date: string) => tenth(plot.left + (daysBetween(begin, date) / days) * (plot.right - plot.left)),
    y: (value: string | number) =>
      tenth(plot.bottom - ((Number(value) - least) / (most - least)) * (plot.bottom - plot.top)),
  };
}

/** Returns the next larger number of the form 1, 2 or 5 times a power of ten. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= least) ?? least;
}

const tenth = (value: number) => Math.round(value * 10) / 10;

function Axes({ points, formatValue, formatDate, scale }: LineChartProps & { readonly scale: Scale }) {
  const decimals = Math.min(Math.max(0, -Math.floor(Math.log10(scale.step))), 8);
  const dated = [0, 0.5, 1].map((share) => points[Math.round(share * (points.length - 1))]);
  return (
    <g fontSize={12} fill={colours.text}>
      {scale.levels.map((level) => (
        <g key={level}>
          <line
            className="axis"
            x1={plot.left}
            x2={plot.right}
            y1={scale.y(level)}
            y2={scale.y(level)}
            stroke={colours.axis}
          />
          <text x={plot.width} y={scale.y(level) + 4} textAnchor="end">
            {formatValue(level.toFixed(decimals))}
          </text>
        </g>
      ))}
      {dated.map((point, at) =>
        point === undefined || dated.indexOf(point) !== at ? null : (
          <text
            key={point.date}
            x={scale.x(point.date)}
            y={plot.height - 6}
            textAnchor={(['start', 'middle', 'end'] as const)[at]}
          >
            {formatDate(point.date)}
          </text>
        ),
      )}
    </g>
  );
}
