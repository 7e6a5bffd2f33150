import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge, Section, Stats } from '../../design/basics.js';
import { SelectInput } from '../../design/controls/fields.js';
import { usePathPart } from '../frame/address.js';
import { decimal, moment } from '../frame/language.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { CandleChart } from './candle-chart.js';
import { Depth } from './depth.js';
import { graph, type Market } from './graph.js';
import { isStale, useFeed, type Live, type TickerData } from './live.js';
import { Change } from './markets.js';
import { OrderForm } from './order-form.js';
import { QuoteForm } from './quote-form.js';
import { tradingTexts } from './texts.js';
import { useWallet, type Wallet } from './wallet.js';
import { WalletBar } from './wallet-bar.js';

/** A market: its price, candles and depth, and the entry of orders and quotes. */
export function MarketPage() {
  const { market: text, markets } = tradingTexts.get();
  const symbol = `${usePathPart('base')}/${usePathPart('quote')}`;
  const wallet = useWallet();
  const query = useQuery(graph, 'markets', { synthetic: wallet.synthetic });
  return (
    <>
      <PageHead title={symbol} lead={<Link to="/negociacao/mercados">{text.back}</Link>} />
      <WalletBar />
      <Loaded query={query}>
        {(data) => {
          const market = data.markets.find((one) => one.symbol === symbol);
          return market === undefined ? (
            <p className="empty">{markets.missing}</p>
          ) : (
            <Content
              key={`${wallet.synthetic ? 's' : 'r'} ${wallet.profileId ?? ''}`}
              market={market}
              wallet={wallet}
            />
          );
        }}
      </Loaded>
    </>
  );
}

function Content({ market, wallet }: { readonly market: Market; readonly wallet: Wallet }) {
  const { market: text, markets } = tradingTexts.get();
  const live = useFeed('tickerLive', wallet.synthetic, market.symbol);
  const isHalted = market.status === 'HALTED';
  const waits = isHalted || isStale(live);
  return (
    <>
      <Price live={live} market={market} />
      {isHalted ? (
        <p className="notice" role="status">
          <Badge tone="bad">{markets.halted}</Badge> <span lang="en">{market.haltReason}</span>
        </p>
      ) : null}
      <div className="split">
        <Section id="order" title={text.order}>
          <OrderForm market={market} wallet={wallet} waits={waits} />
        </Section>
        <Section id="depth" title={text.depth}>
          <Depth symbol={market.symbol} synthetic={wallet.synthetic} />
        </Section>
      </div>
      <Section id="quote" title={text.quote}>
        <QuoteForm market={market} wallet={wallet} waits={waits} />
      </Section>
      <Candles symbol={market.symbol} synthetic={wallet.synthetic} />
    </>
  );
}

function Price({ live, market }: { readonly live: Live<TickerData>; readonly market: Market }) {
  const { market: text, markets } = tradingTexts.get();
  const { data, silentSeconds } = live;
  const shown = (value: string | null | undefined) => (value == null ? '—' : decimal(value));
  return (
    <div className={isStale(live) ? 'stale' : ''}>
      <Stats
        items={[
          { label: markets.last, value: shown(data?.last), note: market.quoteCurrency },
          { label: markets.change, value: <Change value={data?.change24h ?? null} /> },
          { label: markets.bid, value: shown(data?.bid) },
          { label: markets.ask, value: shown(data?.ask) },
          { label: markets.volume, value: shown(data?.volume24h), note: market.baseCurrency },
        ]}
      />
      <p role="status" className={isStale(live) ? 'notice bad' : 'small muted'}>
        {isStale(live) ? (silentSeconds === undefined ? text.waiting : text.stale(decimal(silentSeconds))) : text.live}
      </p>
    </div>
  );
}

const intervals = ['1h', '4h', '1d', '1w'] as const;

function Candles({ symbol, synthetic }: { readonly symbol: string; readonly synthetic: boolean }) {
  const { market: text } = tradingTexts.get();
  const [interval, setInterval] = useState<string>('1h');
  const query = useQuery(graph, 'candles', { synthetic, symbol, interval });
  return (
    <Section id="candles" title={text.candles}>
      <div className="filter">
        <SelectInput
          name="interval"
          label={text.interval}
          value={interval}
          onChange={setInterval}
          options={intervals.map((value) => ({ value, text: text.intervals[value] }))}
        />
      </div>
      <Loaded query={query}>
        {({ historicalPrices: { candles } }) =>
          candles.length === 0 ? (
            <p className="empty">{text.noCandles}</p>
          ) : (
            <CandleChart candles={candles} label={text.candlesLabel(symbol, decimal(candles.length))} format={moment} />
          )
        }
      </Loaded>
    </Section>
  );
}
