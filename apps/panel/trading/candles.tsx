import { useEffect, useRef, useState } from 'react';
import { Section } from '../../design/basics.js';
import { SelectInput } from '../../design/controls/fields.js';
import { decimal, moment } from '../frame/language.js';
import { Loaded } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { TickerData } from './live.js';
import { intervals, withPrice, type CandleData, type Interval, axisPrice } from './live-candle.js';
import { tradingTexts } from './texts.js';

/** The candles of a market; the last one follows the live price. */
export function Candles(props: {
  readonly symbol: string;
  readonly synthetic: boolean;
  readonly ticker: TickerData | undefined;
}) {
  const { symbol, synthetic, ticker } = props;
  const { market: text } = tradingTexts.get();
  const [interval, setInterval] = useState<Interval>('1h');
  const query = useQuery(graph, 'candles', { synthetic, symbol, interval });
  return (
    <Section id="candles" title={text.candles}>
      <div className="filter">
        <SelectInput
          name="interval"
          label={text.interval}
          value={interval}
          onChange={(value) => setInterval(intervals.find((one) => one === value) ?? '1h')}
          options={intervals.map((value) => ({ value, text: text.intervals[value] }))}
        />
      </div>
      <Loaded query={query}>
        {({ historicalPrices: { candles, interval: read } }) =>
          candles.length === 0 ? (
            <p className="empty">{text.noCandles}</p>
          ) : (
            <LiveChart
              key={read}
              candles={candles}
              interval={intervals.find((one) => one === read) ?? '1h'}
              symbol={symbol}
              ticker={ticker}
              readAgain={query.reload}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

function LiveChart(props: {
  readonly candles: readonly CandleData[];
  readonly interval: Interval;
  readonly symbol: string;
  readonly ticker: TickerData | undefined;
  readonly readAgain: () => void;
}) {
  const { candles, interval, symbol, ticker, readAgain } = props;
  const { market: text } = tradingTexts.get();
  const [shown, setShown] = useState(candles);
  useEffect(() => setShown(candles), [candles]);
  useEffect(() => {
    if (ticker === undefined || ticker.last === null) return;
    const { last, timestamp } = ticker;
    setShown((before) => withPrice(before, interval, last, timestamp));
  }, [ticker, candles, interval]);
  useOncePerInterval(candles, shown, readAgain);
  return <CandleChart candles={shown} label={text.candlesLabel(symbol, decimal(shown.length))} format={moment} />;
}

/** Reads the candles again when a live price has begun a new interval: the server knows the whole of the one that has ended. */
function useOncePerInterval(read: readonly CandleData[], shown: readonly CandleData[], readAgain: () => void): void {
  const asked = useRef(0);
  const known = beginOf(read);
  const begun = beginOf(shown);
  useEffect(() => {
    if (begun <= known || begun <= asked.current) return;
    asked.current = begun;
    readAgain();
  }, [known, begun, readAgain]);
}

const beginOf = (candles: readonly CandleData[]) => Date.parse(candles.at(-1)?.timestamp ?? '1970-01-01');

/** The sizes of the picture, on a desk and on a phone: its texts become smaller with it. */
const plots = {
  desk: { width: 800, height: 300, left: 8, right: 710, top: 12, bottom: 268, firstDay: 292, lastDay: 292 },
  phone: { width: 380, height: 252, left: 4, right: 300, top: 12, bottom: 200, firstDay: 222, lastDay: 242 },
} as const;

interface ChartProps {
  readonly candles: readonly CandleData[];
  readonly label: string;
  readonly format: (timestamp: string) => string;
}

/** Candles as a picture: a body from the opening to the closing price, a line from the lowest to the highest. The numbers are only places on the picture. */
function CandleChart(props: ChartProps) {
  return (
    <>
      <div className="desk">
        <Picture {...props} plot={plots.desk} />
      </div>
      <div className="phone">
        <Picture {...props} plot={plots.phone} />
      </div>
    </>
  );
}

function Picture(props: ChartProps & { readonly plot: (typeof plots)[keyof typeof plots] }) {
  const { candles, label, format, plot } = props;
  const high = Math.max(...candles.map((one) => Number(one.high)));
  const low = Math.min(...candles.map((one) => Number(one.low)));
  const span = high - low || 1;
  const step = (plot.right - plot.left) / Math.max(1, candles.length);
  const y = (price: number) => plot.top + ((high - price) / span) * (plot.bottom - plot.top);
  const marks = [high, (high + low) / 2, low];
  const [first, last] = [candles[0], candles.at(-1)];
  return (
    <svg className="candles" viewBox={`0 0 ${plot.width} ${plot.height}`} role="img" aria-label={label}>
      {marks.map((price) => (
        <g key={price}>
          <line className="axis" x1={plot.left} x2={plot.right} y1={y(price)} y2={y(price)} />
          <text x={plot.right + 8} y={y(price) + 4}>
            {decimal(axisPrice(price))}
          </text>
        </g>
      ))}
      {candles.map((candle, at) => (
        <Candle key={candle.timestamp} candle={candle} x={plot.left + at * step} width={step} y={y} format={format} />
      ))}
      {first === undefined || last === undefined ? null : (
        <>
          <text x={plot.left} y={plot.firstDay}>
            {format(first.timestamp)}
          </text>
          <text x={plot.right} y={plot.lastDay} textAnchor="end">
            {format(last.timestamp)}
          </text>
        </>
      )}
    </svg>
  );
}

function Candle(props: {
  readonly candle: CandleData;
  readonly x: number;
  readonly width: number;
  readonly y: (price: number) => number;
  readonly format: (timestamp: string) => string;
}) {
  const { candle, x, width, y, format } = props;
  const [open, close] = [Number(candle.open), Number(candle.close)];
  const [top, bottom] = [y(Math.max(open, close)), y(Math.min(open, close))];
  const middle = x + width / 2;
  return (
    <g className={close >= open ? 'rising' : 'falling'}>
      <title>
        {`${format(candle.timestamp)}: ${[candle.open, candle.high, candle.low, candle.close].map((one) => decimal(one)).join(' / ')}`}
      </title>
      <line x1={middle} x2={middle} y1={y(Number(candle.high))} y2={y(Number(candle.low))} />
      <rect x={x + width * 0.15} width={width * 0.7} y={top} height={Math.max(1, bottom - top)} />
    </g>
  );
}
