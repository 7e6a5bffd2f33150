import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Badge } from '../../design/basics.js';
import { percent } from '../frame/language.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph/operations.js';
import type { Market } from './types.js';
import { isStale, useFeed } from './live.js';
import { priceText } from './price.js';
import { tradingTexts } from '../texts.js';
import { useWallet } from './wallet.js';
import { WalletBar } from './wallet-bar.js';

export function Markets() {
  const { markets: text, words } = tradingTexts.get();
  const { synthetic } = useWallet();
  const query = useQuery(graph, 'markets', { synthetic });
  return (
    <>
      <PageHead title={words.markets} lead={text.lead} />
      <WalletBar />
      <Loaded query={query}>
        {({ markets }) => (
          <div className="scroll cards" role="group" aria-label={words.markets} tabIndex={0}>
            <table>
              <caption className="visually-hidden">{words.markets}</caption>
              <thead>
                <tr>
                  <th scope="col">{words.market}</th>
                  {[words.last, text.change, text.bid, text.ask, text.volume].map((label) => (
                    <th key={label} scope="col" className="number">
                      {label}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {markets.map((market) => (
                  <Row key={`${market.symbol} ${synthetic ? 's' : 'r'}`} market={market} synthetic={synthetic} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
    </>
  );
}

function Row({ market, synthetic }: { readonly market: Market; readonly synthetic: boolean }) {
  const { markets: text, words } = tradingTexts.get();
  const { symbol, baseCurrency: base, quoteCurrency: quote, status, haltReason } = market;
  const live = useFeed('tickerLive', synthetic, symbol);
  const { data } = live;
  const price = (value: string | null | undefined) => priceText(value, market.priceDecimals);
  const number = (label: string, value: ReactNode) => (
    <td className="number" data-label={label}>
      {value}
    </td>
  );
  return (
    <tr className={isStale(live) ? 'stale' : ''}>
      <th scope="row" data-label={words.market}>
        <span>
          <Link to="/negociacao/mercados/$base/$quote" params={{ base, quote }}>
            {symbol}
          </Link>{' '}
          {status === 'HALTED' ? (
            <span title={haltReason ?? ''}>
              <Badge tone="bad">{text.halted}</Badge>
            </span>
          ) : null}
        </span>
      </th>
      {number(words.last, price(data?.last))}
      {number(text.change, <Change value={data?.change24h ?? null} />)}
      {number(text.bid, price(data?.bid))}
      {number(text.ask, price(data?.ask))}
      {number(text.volume, priceText(data?.volume24h, market.amountDecimals))}
    </tr>
  );
}

export function Change({ value }: { readonly value: string | null }) {
  if (value === null) return '—';
  const isUp = !value.startsWith('-');
  return (
    <span className={isUp ? 'up' : 'down'}>
      {isUp ? '+' : ''}
      {percent(value)}
    </span>
  );
}
