/** A value on a day. The text is what readers see; the number is only a place on the chart. */
export interface ChartPoint {
  readonly date: string;
  readonly value: string;
}

export interface LineChartProps {
  readonly points: readonly ChartPoint[];
  /** One sentence with what the chart shows, for readers who cannot see it. */
  readonly label: string;
  readonly formatValue: (value: string) => string;
  readonly formatDate: (date: string) => string;
  /** Whether it is a picture of its own, which no style sheet reaches. */
  readonly standalone?: boolean;
  readonly size?: keyof typeof sizes;
}

/** The area of a chart in units of its picture: for windows of a desk, and for those of a phone, where text must stay readable. */
const sizes = {
  wide: { width: 960, height: 280, left: 8, right: 872, top: 12, bottom: 248 },
  narrow: { width: 400, height: 240, left: 4, right: 330, top: 12, bottom: 208 },
} as const;
type Size = (typeof sizes)[keyof typeof sizes];
const dayMs = 86_400_000;

/** Colours of a picture of its own, for a white page. */
const colours = { line: '#0b5394', axis: '#d5dbe1', text: '#51606e', page: '#ffffff' };

/** A line of values by day. Each point has its day and value as a tooltip. */
export function LineChart(props: LineChartProps) {
  const { points, label, formatValue, formatDate, standalone = false, size = 'wide' } = props;
  const plot = sizes[size];
  const { width, height } = plot;
  const places = placesOf(points, plot);
  const line = places.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  const first = places[0];
  const last = places.at(-1);
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      {...(standalone ? { xmlns: 'http://www.w3.org/2000/svg', width, height, fontFamily: 'sans-serif' } : {})}
    >
      {standalone ? <rect width={width} height={height} fill={colours.page} /> : null}
      <Axes points={points} formatValue={formatValue} formatDate={formatDate} plot={plot} />
      {first === undefined || last === undefined ? null : (
        <path
          className="area"
          fill={colours.line}
          fillOpacity={0.1}
          d={`${line}L${last.x} ${plot.bottom}L${first.x} ${plot.bottom}Z`}
        />
      )}
      <path className="line" fill="none" stroke={colours.line} strokeWidth={2} strokeLinejoin="round" d={line} />
      {last === undefined ? null : <circle className="end" cx={last.x} cy={last.y} r={4} fill={colours.line} />}
      {standalone || size === 'narrow'
        ? null
        : places.map((place, at) => (
            <rect
              key={place.point.date}
              className="hit"
              x={hitOf(places, at, plot).x}
              y={plot.top}
              width={hitOf(places, at, plot).width}
              height={plot.bottom - plot.top}
            >
              <title>{`${formatDate(place.point.date)}: ${formatValue(place.point.value)}`}</title>
            </rect>
          ))}
    </svg>
  );
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly point: ChartPoint;
}

function placesOf(points: readonly ChartPoint[], plot: Size): readonly Place[] {
  const { least, most } = boundsOf(points);
  const begin = Date.parse(points[0]?.date ?? '');
  const days = Math.max((Date.parse(points.at(-1)?.date ?? '') - begin) / dayMs, 1);
  return points.map((point) => ({
    point,
    x: tenth(plot.left + ((Date.parse(point.date) - begin) / dayMs / days) * (plot.right - plot.left)),
    y: tenth(plot.bottom - ((Number(point.value) - least) / (most - least)) * (plot.bottom - plot.top)),
  }));
}

/** Returns the strip of a chart that belongs to a point: half of the way to its neighbours. */
function hitOf(places: readonly Place[], at: number, plot: Size): { readonly x: number; readonly width: number } {
  const x = places[at]?.x ?? 0;
  const from = at === 0 ? plot.left : (x + (places[at - 1]?.x ?? x)) / 2;
  const to = at === places.length - 1 ? plot.right : (x + (places[at + 1]?.x ?? x)) / 2;
  return { x: tenth(from), width: tenth(Math.max(to - from, 0)) };
}

function boundsOf(points: readonly ChartPoint[]): {
  readonly least: number;
  readonly most: number;
  readonly step: number;
} {
  const values = points.map(({ value }) => Number(value));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = niceStep((high - low || Math.abs(high) / 10 || 1) / 4);
  const least = Math.floor(low / step) * step;
  return { least, most: Math.max(Math.ceil(high / step) * step, least + step), step };
}

/** Returns the next larger number of the form 1, 2 or 5 times a power of ten. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= least) ?? least;
}

const tenth = (value: number) => Math.round(value * 10) / 10;

function Axes(props: Pick<LineChartProps, 'points' | 'formatValue' | 'formatDate'> & { readonly plot: Size }) {
  const { points, formatValue, formatDate, plot } = props;
  const { least, most, step } = boundsOf(points);
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  const levels = Array.from({ length: Math.round((most - least) / step) + 1 }, (_none, at) => least + at * step);
  const places = placesOf(points, plot);
  const dated = (plot.width > 500 ? [0, 0.25, 0.5, 0.75, 1] : [0, 0.5, 1]).map(
    (share) => places[Math.round(share * (places.length - 1))],
  );
  const shown = dated.filter((place, at) => place !== undefined && dated.indexOf(place) === at);
  return (
    <g fontSize={12} fill={colours.text}>
      {levels.map((level) => {
        const y = tenth(plot.bottom - ((level - least) / (most - least)) * (plot.bottom - plot.top));
        return (
          <g key={level}>
            <line className="axis" x1={plot.left} x2={plot.right} y1={y} y2={y} stroke={colours.axis} />
            <text x={plot.right + 8} y={y + 4}>
              {formatValue(level.toFixed(Math.min(decimals, 8)))}
            </text>
          </g>
        );
      })}
      {shown.map((place, at) =>
        place === undefined ? null : (
          <text
            key={place.point.date}
            x={place.x}
            y={plot.height - 12}
            textAnchor={at === 0 ? 'start' : place.x > plot.right - 40 ? 'end' : 'middle'}
          >
            {formatDate(place.point.date)}
          </text>
        ),
      )}
    </g>
  );
}
