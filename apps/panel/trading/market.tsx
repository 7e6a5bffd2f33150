import { Link } from '@tanstack/react-router';
import { Badge, Section, Stats, Facts } from '../../design/basics.js';
import { usePathPart } from '../frame/address.js';
import { decimal } from '../frame/language.js';
import { Loaded, PageHead, FailureNotice } from '../frame/parts.js';
import { useQuery, useAction } from '../frame/use-graph.js';
import { Candles } from './candles.js';
import { graph, type Market } from './graph.js';
import { isStale, useFeed, type Live, type TickerData, type Level, useWalletEvents } from './live.js';
import { Change } from './markets.js';
import { OrderForm } from './order-form.js';
import { priceText } from './price.js';
import { QuoteForm } from './quote-form.js';
import { tradingTexts } from './texts.js';
import { useWallet, type Wallet } from './wallet.js';
import { WalletBar } from './wallet-bar.js';
import { Button } from '../../design/controls/button.js';
import { Table } from '../../design/table.js';
import type { Operations } from './graph/operations.js';

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
    <div className="market">
      <Freshness live={live} market={market} />
      {isHalted ? (
        <p className="notice" role="status">
          <Badge tone="bad">{markets.halted}</Badge> <span lang="en">{market.haltReason}</span>
        </p>
      ) : null}
      <Figures live={live} market={market} />
      <div className="trade">
        <div>
          <Section id="order" title={text.order}>
            <OrderForm market={market} wallet={wallet} last={live.data?.last} waits={waits} />
          </Section>
          <Section id="quote" title={text.quote}>
            <QuoteForm market={market} wallet={wallet} waits={waits} />
          </Section>
        </div>
        <div>
          <Candles symbol={market.symbol} synthetic={wallet.synthetic} ticker={live.data} />
          <Section id="depth" title={text.depth}>
            <Depth market={market} synthetic={wallet.synthetic} />
          </Section>
          <MarketWallet market={market} wallet={wallet} />
        </div>
      </div>
    </div>
  );
}

interface PriceProps {
  readonly live: Live<TickerData>;
  readonly market: Market;
}

/** Whether prices come; on a phone also the last one, since the figures follow after the order. */
function Freshness({ live, market }: PriceProps) {
  const { market: text, markets } = tradingTexts.get();
  const { data, silentSeconds } = live;
  return (
    <div>
      <p className="phone">
        {markets.last}: <strong>{priceText(data?.last, market.priceDecimals)}</strong> {market.quoteCurrency}
      </p>
      <p role="status" className={isStale(live) ? 'notice bad' : 'small muted'}>
        {isStale(live) ? (silentSeconds === undefined ? text.waiting : text.stale(decimal(silentSeconds))) : text.live}
      </p>
    </div>
  );
}

function Figures({ live, market }: PriceProps) {
  const { markets } = tradingTexts.get();
  const { data } = live;
  const price = (value: string | null | undefined) => priceText(value, market.priceDecimals);
  return (
    <div className={isStale(live) ? 'figures stale' : 'figures'}>
      <Stats
        items={[
          { label: markets.last, value: price(data?.last), note: market.quoteCurrency },
          { label: markets.change, value: <Change value={data?.change24h ?? null} /> },
          { label: markets.bid, value: price(data?.bid) },
          { label: markets.ask, value: price(data?.ask) },
          { label: markets.volume, value: decimal(data?.volume24h ?? null), note: market.baseCurrency },
        ]}
      />
    </div>
  );
}

/** The best levels of both sides of a book; bars show how much is offered up to each. */
function Depth({ market, synthetic }: { readonly market: Market; readonly synthetic: boolean }) {
  const { market: text } = tradingTexts.get();
  const live = useFeed('depthLive', synthetic, market.symbol);
  const { bids = [], asks = [] } = live.data ?? {};
  const most = Math.max(sumOf(bids), sumOf(asks), Number.MIN_VALUE);
  return (
    <div className={isStale(live) ? 'depth stale' : 'depth'}>
      <Side title={text.bids} side="bid" market={market} levels={bids} most={most} />
      <Side title={text.asks} side="ask" market={market} levels={asks} most={most} />
    </div>
  );
}

/** The sum is only a width on the picture. */
function sumOf(levels: readonly Level[]): number {
  return levels.reduce((sum, { amount }) => sum + Number(amount), 0);
}

function Side(props: {
  readonly title: string;
  readonly side: 'bid' | 'ask';
  readonly market: Market;
  readonly levels: readonly Level[];
  readonly most: number;
}) {
  const { title, side, market, levels, most } = props;
  const { priceDecimals, amountDecimals } = market;
  const { market: text } = tradingTexts.get();
  return (
    <table className={side}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col" className="number">
            {text.price}
          </th>
          <th scope="col" className="number">
            {text.amount}
          </th>
          <th scope="col">
            <span className="visually-hidden">{text.cumulated}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {levels.map(({ price, amount }, at) => (
          <tr key={price}>
            <td className="number">{priceText(price, priceDecimals)}</td>
            <td className="number">{priceText(amount, amountDecimals)}</td>
            <td>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(sumOf(levels.slice(0, at + 1)) / most) * 100} height="10" />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type OpenOrder = Operations['openOrders']['data']['fetchOrders']['orders'][number];

interface PartProps {
  readonly market: Market;
  readonly wallet: Wallet;
}

/** What the wallet has to trade with in a market, and its open orders there; both follow each change. */
function MarketWallet({ market, wallet }: PartProps) {
  const { market: text } = tradingTexts.get();
  return (
    <Section id="wallet" title={text.wallet}>
      <Available market={market} wallet={wallet} />
      <OpenOrders market={market} wallet={wallet} />
    </Section>
  );
}

function Available({ market, wallet }: PartProps) {
  const { balances: text } = tradingTexts.get();
  const query = useQuery(graph, 'balances', { ...wallet });
  useWalletEvents('balancesLive', wallet, query.reload);
  return (
    <Loaded query={query}>
      {({ balances }) => (
        <Facts
          items={[market.quoteCurrency, market.baseCurrency].map((currency) => {
            const balance = balances.find((one) => one.currency === currency);
            return [`${text.available} (${currency})`, decimal(balance?.available ?? '0')];
          })}
        />
      )}
    </Loaded>
  );
}

function OpenOrders({ market, wallet }: PartProps) {
  const { order, orders: text, market: texts } = tradingTexts.get();
  const { symbol, baseCurrency: base, quoteCurrency: quote, priceDecimals } = market;
  const query = useQuery(graph, 'openOrders', { ...wallet, symbol });
  useWalletEvents('ordersLive', wallet, query.reload);
  const action = useAction();
  const cancel = ({ orderId }: OpenOrder) => {
    void action.run(async () => {
      await graph.mutate('cancelOrder', { ...wallet, orderId });
      query.reload();
    });
  };
  return (
    <>
      <FailureNotice failure={action.failure} />
      <Loaded query={query}>
        {({ fetchOrders: { orders, nextToken } }) => (
          <>
            <Table
              caption={texts.openOrders}
              rows={orders}
              keyOf={({ orderId }) => orderId}
              empty={texts.noOpenOrders}
              columns={[
                {
                  label: texts.openOrders,
                  cell: ({ side, amount, quoteAmount, filledAmount }) => (
                    <>
                      {order.sides[side]}{' '}
                      {amount === null ? `${decimal(quoteAmount)} ${quote}` : `${decimal(amount)} ${base}`}
                      {/^0(\.0*)?$/.test(filledAmount) ? null : (
                        <span className="sub">{texts.filledPart(`${decimal(filledAmount)} ${base}`)}</span>
                      )}
                    </>
                  ),
                },
                {
                  label: order.price,
                  kind: 'number',
                  cell: ({ price, type }) => (price === null ? order.types[type] : priceText(price, priceDecimals)),
                },
                {
                  label: text.acts,
                  cell: (one) => (
                    <Button
                      isBusy={action.isBusy}
                      label={`${text.cancel} ${order.sides[one.side]} ${decimal(one.price)}`}
                      onPress={() => cancel(one)}
                    >
                      {text.cancel}
                    </Button>
                  ),
                },
              ]}
            />
            {nextToken === null ? null : <Link to="/negociacao/ordens">{texts.allOrders}</Link>}
          </>
        )}
      </Loaded>
    </>
  );
}
