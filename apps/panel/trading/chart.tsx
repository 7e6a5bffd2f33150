import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  LineStyle,
  type IChartApi,
  type UTCTimestamp,
} from 'lightweight-charts';
import { memo, useEffect, useRef, useState } from 'react';
import { Segments } from '../../design/controls/controls.js';
import { Table } from '../../design/basics.js';
import { decimal, language, moment } from '../frame/language.js';
import { Loaded } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph/operations.js';
import type { Market, MarketOrder } from './types.js';
import { intervals, withPrice, type CandleData, type Interval } from './live-candle.js';
import type { TickerData } from './live.js';
import { priceText } from './price.js';
import { tradingTexts } from '../texts.js';

interface ChartProps {
  readonly market: Market;
  readonly synthetic: boolean;
  readonly ticker: TickerData | undefined;
  /** The wallet's own: those that are open are lines, what they have filled are marks. */
  readonly orders: readonly MarketOrder[];
}

/** The candles of a market, whose last one follows the live price, with the own orders. */
export const Chart = memo(function Chart(props: ChartProps) {
  const { market: text } = tradingTexts.get();
  const { market, synthetic } = props;
  const [interval, setInterval] = useState<Interval>('1h');
  const query = useQuery(graph, 'candles', { synthetic, symbol: market.symbol, interval });
  return (
    <section className="pane chart" aria-label={text.candles}>
      <div className="row spread">
        <Segments
          name="interval"
          label={text.interval}
          value={interval}
          onChange={setInterval}
          options={text.intervals}
        />
        {/* Its licence asks for a visible link; its own mark would need a style and HTML that the policy refuses. */}
        <a className="small muted" href="https://www.tradingview.com/" rel="noreferrer">
          TradingView Lightweight Charts
        </a>
      </div>
      <Loaded query={query}>
        {({ historicalPrices: { candles, interval: read } }) =>
          candles.length === 0 ? (
            <p className="empty">{text.noCandles}</p>
          ) : (
            <LiveChart
              key={read}
              {...props}
              candles={candles}
              interval={intervals.find((one) => one === read) ?? '1h'}
              readAgain={query.reload}
            />
          )
        }
      </Loaded>
    </section>
  );
});

type LiveProps = ChartProps & {
  readonly candles: readonly CandleData[];
  readonly interval: Interval;
  readonly readAgain: () => void;
};

function LiveChart(props: LiveProps) {
  const { candles, interval, market, ticker, readAgain } = props;
  const { market: text, order, words } = tradingTexts.get();
  const [shown, setShown] = useState(candles);
  useEffect(() => setShown(candles), [candles]);
  useEffect(() => {
    if (ticker?.last == null) return;
    const { last, timestamp } = ticker;
    setShown((before) => withPrice(before, interval, last, timestamp));
  }, [ticker, candles, interval]);
  useOncePerInterval(candles, shown, readAgain);
  const [at, setAt] = useState<string>();
  const [isTable, setTable] = useState(false);
  const picture = usePicture(props, shown, setAt);
  const named = shown.find(({ timestamp }) => timestamp === at) ?? shown.at(-1);
  const price = (value: string) => priceText(value, market.priceDecimals);
  return (
    <>
      <p className="small muted">
        {named === undefined
          ? null
          : `${moment(named.timestamp)} · ${[named.open, named.high, named.low, named.close].map(price).join(' / ')} · ${decimal(named.volume)} ${market.baseCurrency}`}
      </p>
      <div
        className="candles"
        ref={picture}
        role="img"
        aria-label={text.candlesLabel(market.symbol, decimal(shown.length))}
      />
      <details onToggle={({ currentTarget }) => setTable(currentTarget.open)}>
        <summary>{text.asTable}</summary>
        {isTable ? (
          <Table
            caption={text.candles}
            rows={[...shown].reverse()}
            keyOf={({ timestamp }) => timestamp}
            empty={text.noCandles}
            columns={[
              { label: words.time, kind: 'nowrap', cell: ({ timestamp }) => moment(timestamp) },
              { label: text.open, kind: 'number', cell: (one) => price(one.open) },
              { label: text.high, kind: 'number', cell: (one) => price(one.high) },
              { label: text.low, kind: 'number', cell: (one) => price(one.low) },
              { label: text.close, kind: 'number', cell: (one) => price(one.close) },
              { label: order.amount, kind: 'number', cell: ({ volume }) => decimal(volume) },
            ]}
          />
        ) : null}
      </details>
    </>
  );
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

/** The library writes times in UTC, and São Paulo is three hours behind; candles of days begin in UTC. */
const shiftOf = (interval: Interval) => (interval === '1h' || interval === '4h' ? -3 * 3_600 : 0);

/** Draws the candles into an element; the numbers are only places on the picture. */
function usePicture(
  { candles, interval, market, orders }: LiveProps,
  shown: readonly CandleData[],
  onPoint: (timestamp: string | undefined) => void,
) {
  const element = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<ReturnType<typeof draw>>();
  const shift = shiftOf(interval);
  useEffect(() => {
    if (element.current === null) return undefined;
    const made = draw(element.current, market.priceDecimals);
    made.chart.subscribeCrosshairMove(({ time }) =>
      onPoint(typeof time === 'number' ? new Date((time - shift) * 1_000).toISOString() : undefined),
    );
    setDrawn(made);
    return () => made.chart.remove();
  }, [market.priceDecimals, shift, onPoint]);
  const last = shown.at(-1);
  useEffect(() => drawn?.set(candles, shift), [drawn, candles, shift]);
  useEffect(() => {
    if (last !== undefined) drawn?.update(last, shift);
  }, [drawn, last, shift]);
  useEffect(() => drawn?.mark(orders, candles, shift), [drawn, orders, candles, shift]);
  return element;
}

function draw(element: HTMLElement, priceDecimals: number) {
  // Tokens are `light-dark()`, which only an element resolves.
  const colour = (name: string, opacity = '') => {
    element.style.color = `var(--${name})`;
    return getComputedStyle(element).color.replace(')', opacity === '' ? ')' : `, ${opacity})`);
  };
  const [good, bad, line, accent] = [colour('good'), colour('bad'), colour('line'), colour('accent')];
  const [goodSoft, badSoft] = [colour('good', '0.35'), colour('bad', '0.35')];
  const chart: IChartApi = createChart(element, {
    autoSize: true,
    layout: {
      background: { color: 'transparent' },
      textColor: colour('muted'),
      fontFamily: getComputedStyle(element).fontFamily,
      fontSize: 11,
      attributionLogo: false,
    },
    grid: { vertLines: { color: line }, horzLines: { color: line } },
    timeScale: { borderColor: line, timeVisible: true, rightOffset: 4 },
    rightPriceScale: { borderColor: line },
    localization: {
      locale: language.code,
      priceFormatter: (price: number) => decimal(price.toFixed(priceDecimals), priceDecimals),
    },
  });
  const series = chart.addSeries(CandlestickSeries, {
    upColor: good,
    wickUpColor: good,
    downColor: bad,
    wickDownColor: bad,
    borderVisible: false,
  });
  const volume = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    lastValueVisible: false,
    priceLineVisible: false,
  });
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
  const marks = createSeriesMarkers(series, []);
  const timeOf = (timestamp: string, shift: number) => (Date.parse(timestamp) / 1_000 + shift) as UTCTimestamp;
  const bars = ({ timestamp, open, high, low, close, volume: traded }: CandleData, shift: number) => {
    const time = timeOf(timestamp, shift);
    const isUp = Number(close) >= Number(open);
    return [
      { time, open: Number(open), high: Number(high), low: Number(low), close: Number(close) },
      { time, value: Number(traded), color: isUp ? goodSoft : badSoft },
    ] as const;
  };
  const lines: ReturnType<typeof series.createPriceLine>[] = [];
  return {
    chart,
    set: (candles: readonly CandleData[], shift: number) => {
      const both = candles.map((one) => bars(one, shift));
      series.setData(both.map(([bar]) => bar));
      volume.setData(both.map(([, bar]) => bar));
    },
    update: (candle: CandleData, shift: number) => {
      const [bar, traded] = bars(candle, shift);
      series.update(bar);
      volume.update(traded);
    },
    mark: (orders: readonly MarketOrder[], candles: readonly CandleData[], shift: number) => {
      const { order: text } = tradingTexts.get();
      for (const old of lines.splice(0)) series.removePriceLine(old);
      const named = ({ side, amount }: MarketOrder) => `${text.sides[side]} ${decimal(amount)}`;
      for (const one of orders)
        if (one.price !== null && (one.status === 'PENDING' || one.status === 'PARTIALLY_FILLED'))
          lines.push(
            series.createPriceLine({
              price: Number(one.price),
              color: accent,
              lineStyle: LineStyle.Dashed,
              title: named(one),
            }),
          );
      const found = orders.flatMap((one) => {
        const candle = candles.findLast(({ timestamp }) => timestamp <= (one.filledAt ?? one.createdAt));
        if (one.averagePrice === null || candle === undefined) return [];
        const isBuy = one.side === 'BUY';
        return {
          time: timeOf(candle.timestamp, shift),
          position: isBuy ? ('belowBar' as const) : ('aboveBar' as const),
          shape: isBuy ? ('arrowUp' as const) : ('arrowDown' as const),
          color: isBuy ? accent : bad,
          text: decimal(one.filledAmount),
        };
      });
      marks.setMarkers(found.sort((left, right) => left.time - right.time));
    },
  };
}
