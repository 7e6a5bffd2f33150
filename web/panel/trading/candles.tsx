import { useEffect, useRef, useState } from 'react';
import { Section } from '../../design/basics.js';
import { SelectInput } from '../../design/controls/fields.js';
import { decimal, moment } from '../frame/language.js';
import { Loaded } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { CandleChart } from './candle-chart.js';
import { graph } from './graph.js';
import type { TickerData } from './live.js';
import { intervals, withPrice, type CandleData, type Interval } from './live-candle.js';
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
          onChange={(value) => {
            setInterval(intervals.find((one) => one === value) ?? '1h');
          }}
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
  useEffect(() => {
    setShown(candles);
  }, [candles]);
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
