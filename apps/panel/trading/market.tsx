import { Link } from '@tanstack/react-router';
import { memo, useCallback, useEffect, useState, type ReactNode } from 'react';
import { Badge, noted, Stats, Table } from '../../design/basics.js';
import { Button, Segments } from '../../design/controls/controls.js';
import { usePathPart } from '../frame/address.js';
import { clock, counted, decimal, moment, percent } from '../frame/language.js';
import { FailureNotice, Loaded, PageHead, Reason } from '../frame/parts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { Chart } from './chart.js';
import type { PlacedOrder } from './confirm-order.js';
import { graph, type Operations } from './graph/operations.js';
import type { Balances, Market } from './types.js';
import { isStale, useFeed, useWalletEvents, type Level, type Live, type TickerData } from './live.js';
import { Change } from './markets.js';
import { currenciesOf, orderText, sizeText, type Entry } from './order-entry.js';
import { OrderForm } from './order-form.js';
import { filterOf, toneOf } from './order-state.js';
import { exact, isZero, priceText, sumOf } from './price.js';
import { tradingTexts } from '../texts.js';
import { useWallet, type Wallet } from './wallet.js';
import { WalletBar } from './wallet-bar.js';

export function MarketPage() {
  const { market: text, markets } = tradingTexts.get();
  const symbol = `${usePathPart('base')}/${usePathPart('quote')}`;
  const wallet = useWallet();
  const query = useQuery(graph, 'markets', { synthetic: wallet.synthetic });
  return (
    <>
      <PageHead title={symbol} lead={<Link to="/negociacao/mercados">{text.back}</Link>} acts={<WalletBar />} />
      <Loaded query={query}>
        {(data) => {
          const market = data.markets.find((one) => one.symbol === symbol);
          return market === undefined ? (
            <p className="empty">{markets.missing}</p>
          ) : (
            <Terminal
              key={`${symbol} ${wallet.synthetic ? 's' : 'r'} ${wallet.profileId ?? ''}`}
              market={market}
              wallet={wallet}
            />
          );
        }}
      </Loaded>
    </>
  );
}

const emptyEntry: Entry = {
  side: 'BUY',
  type: 'LIMIT',
  unit: 'amount',
  time: 'GTC',
  isPostOnly: false,
  price: null,
  size: null,
  filled: 0,
};

const noOrders: Orders['latest']['orders'] = [];

/** Parts that do not depend on the entry render only when their own data change: prices change ten times a second while somebody types. */
function Terminal({ market, wallet }: { readonly market: Market; readonly wallet: Wallet }) {
  const { markets } = tradingTexts.get();
  const live = useFeed('tickerLive', wallet.synthetic, market.symbol);
  const isHalted = market.status === 'HALTED';
  const [entry, setEntry] = useState<Entry>(emptyEntry);
  const [placed, setPlaced] = useState<PlacedOrder>();
  const [toast, setToast] = useState<string>();
  useEffect(() => {
    if (toast === undefined) return undefined;
    const timer = setTimeout(() => {
      setToast(undefined);
    }, toastMs);
    return () => clearTimeout(timer);
  }, [toast]);
  const orders = useQuery(graph, 'marketOrders', { ...wallet, symbol: market.symbol });
  const balances = useQuery(graph, 'balances', { ...wallet });
  useWalletEvents('balancesLive', wallet, balances.reload);
  useWalletEvents('ordersLive', wallet, ({ orderUpdates: { order } }) => {
    orders.reload();
    if (order?.status === 'FILLED') setToast(filledText(order));
  });
  const latest = orders.data?.latest.orders ?? noOrders;
  const fillPrice = useCallback((price: string) => {
    setEntry((before) => ({ ...before, type: 'LIMIT', price, filled: before.filled + 1 }));
  }, []);
  const shown = placed && (latest.find(({ orderId }) => orderId === placed.orderId) ?? placed);
  return (
    <div className="market">
      {isHalted ? (
        <p className="notice" role="status">
          <Badge tone="bad">{markets.halted}</Badge> <span lang="en">{market.haltReason}</span>
        </p>
      ) : null}
      <Figures live={live} market={market}>
        <Placed order={shown} market={market} />
      </Figures>
      <div className="terminal">
        <div className="entries">
          <Loaded query={balances}>
            {({ balances: found }) => (
              <>
                <OrderForm
                  market={market}
                  wallet={wallet}
                  balances={found}
                  ticker={live.data}
                  waits={isHalted || isStale(live)}
                  entry={entry}
                  change={(more) => setEntry((before) => ({ ...before, ...more }))}
                  onPlaced={setPlaced}
                />
                <Funds balances={found} market={market} />
              </>
            )}
          </Loaded>
        </div>
        <OwnOrders query={orders} market={market} wallet={wallet} />
        <Chart market={market} synthetic={wallet.synthetic} ticker={live.data} orders={latest} />
        <div className="pane books">
          <Book market={market} synthetic={wallet.synthetic} onPrice={fillPrice} />
          <Trades market={market} ticker={live.data} />
        </div>
      </div>
      <p role="status" className="toast">
        {toast}
      </p>
    </div>
  );
}

function filledText(order: NonNullable<Operations['ordersLive']['data']['orderUpdates']['order']>): string {
  const { orders: text } = tradingTexts.get();
  return `${text.states.FILLED}: ${orderText({ ...order, price: order.averagePrice }, currenciesOf(order.symbol))}`;
}

const toastMs = 10_000;

function Placed({ order, market }: { readonly order: PlacedOrder | undefined; readonly market: Market }) {
  const { order: text, orders } = tradingTexts.get();
  if (order === undefined) return <p role="status" className="note" />;
  const { amount, filledAmount, averagePrice, status, reason } = order;
  return (
    <p role="status" className="note row" tabIndex={-1}>
      <Badge tone={toneOf[status]}>{orders.states[status]}</Badge> <strong>{orderText(order, market)}</strong>{' '}
      <span>
        {text.filledOf(`${decimal(filledAmount)} ${market.baseCurrency}`)}
        {averagePrice === null ? '' : ` ${text.at(`${exact(averagePrice)} ${market.quoteCurrency}`)}`}
        {amount === null || status === 'FILLED'
          ? ''
          : `, ${text.left(`${decimal(sumOf([amount, `-${filledAmount}`]))} ${market.baseCurrency}`)}`}
      </span>{' '}
      {reason === null ? null : <Reason text={reason} />}{' '}
      <Link to="/negociacao/ordens" search={{ status: filterOf(status) }}>
        {text.toOrders}
      </Link>
    </p>
  );
}

function Figures(props: { readonly live: Live<TickerData>; readonly market: Market; readonly children: ReactNode }) {
  const { live, market, children } = props;
  const { market: text, markets, order, words } = tradingTexts.get();
  const { data, silentSeconds } = live;
  const price = (value: string | null | undefined) => priceText(value, market.priceDecimals);
  const { bid, ask } = data ?? {};
  const spread = bid == null || ask == null ? null : sumOf([ask, `-${bid}`]);
  return (
    <div className={isStale(live) ? 'figures stale' : 'figures'}>
      <Stats
        items={[
          { label: `${words.last} (${market.quoteCurrency})`, value: price(data?.last) },
          { label: markets.change, value: <Change value={data?.change24h ?? null} /> },
          { label: markets.bid, value: price(bid) },
          { label: markets.ask, value: price(ask) },
          {
            label: text.spread,
            value:
              spread === null
                ? '—'
                : `${price(spread)} · ${percent(((Number(spread) / Number(ask)) * 100).toFixed(2))}`,
          },
          {
            label: `${text.high} / ${text.low.toLowerCase()} 24 h`,
            value: `${price(data?.high24h)} / ${price(data?.low24h)}`,
          },
          { label: `${markets.volume} (${market.baseCurrency})`, value: priceText(data?.volume24h, 2) },
        ]}
      />
      <div className="row">
        <p role="status" className={isStale(live) ? 'notice bad' : 'small muted'}>
          {isStale(live)
            ? silentSeconds === undefined
              ? text.waiting
              : text.stale(decimal(silentSeconds))
            : text.live}
        </p>
        <p className="small muted wide-only">{order.keys}</p>
        {children}
      </div>
    </div>
  );
}

/** The best levels of both sides; a click on one fills its price into the form. Bars show how much is offered up to each. */
const Book = memo(function Book(props: {
  readonly market: Market;
  readonly synthetic: boolean;
  readonly onPrice: (price: string) => void;
}) {
  const { market, synthetic, onPrice } = props;
  const { market: text, order, words } = tradingTexts.get();
  const live = useFeed('depthLive', synthetic, market.symbol);
  const { bids = [], asks = [] } = live.data ?? {};
  const [offered, wanted] = [cumulated(asks), cumulated(bids)];
  const most = Math.max(...[...offered, ...wanted].map(({ sum }) => Number(sum)), Number.MIN_VALUE);
  const side = (name: 'ask' | 'bid', title: string, levels: readonly Cumulated[]) => (
    <tbody className={name}>
      <tr className="visually-hidden">
        <th colSpan={3} scope="rowgroup">
          {title}
        </th>
      </tr>
      {levels.map(({ price, amount, sum }) => (
        <tr key={price} onClick={() => onPrice(price)}>
          <td>
            <button type="button">{priceText(price, market.priceDecimals)}</button>
          </td>
          <td className="number">{priceText(amount, market.amountDecimals)}</td>
          <td className="number">
            {priceText(sum, market.amountDecimals)}
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect x={100 - (Number(sum) / most) * 100} width="100" height="10" />
            </svg>
          </td>
        </tr>
      ))}
    </tbody>
  );
  return (
    <table className={isStale(live) ? 'depth stale' : 'depth'}>
      <caption>
        {text.depth} <span className="small muted">{text.clickFills}</span>
      </caption>
      <thead>
        <tr>
          <th scope="col">{words.price}</th>
          <th scope="col" className="number">
            {order.amount}
          </th>
          <th scope="col" className="number">
            {text.cumulated}
          </th>
        </tr>
      </thead>
      {side('ask', text.asks, [...offered].reverse())}
      {side('bid', text.bids, wanted)}
    </table>
  );
});

type Cumulated = Level & { readonly sum: string };

function cumulated(levels: readonly Level[]): readonly Cumulated[] {
  return levels.map((level, at) => ({ ...level, sum: sumOf(levels.slice(0, at + 1).map(({ amount }) => amount)) }));
}

/** The latest trades of anybody; the colour says whether the price rose. */
const Trades = memo(function Trades(props: { readonly market: Market; readonly ticker: TickerData | undefined }) {
  const { market, ticker } = props;
  const { market: text, order, words } = tradingTexts.get();
  const trades = ticker?.trades ?? [];
  return (
    <div className="scroll trades" role="group" aria-label={text.trades} tabIndex={0}>
      <table>
        <caption>{text.trades}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{words.time}</th>
            <th scope="col">{words.price}</th>
            <th scope="col">{order.amount}</th>
          </tr>
        </thead>
        <tbody>
          {trades.map(({ price, amount, tradedAt }, at) => (
            // Two trades can be the same in everything that is shown.
            <tr key={`${tradedAt} ${String(trades.length - at)}`}>
              <td className="muted">{clock(tradedAt)}</td>
              <td className={`number ${Number(price) < Number(trades[at + 1]?.price ?? price) ? 'down' : 'up'}`}>
                {priceText(price, market.priceDecimals)}
              </td>
              <td className="number">{priceText(amount, market.amountDecimals)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {trades.length === 0 ? <p className="small muted">{text.noTrades}</p> : null}
    </div>
  );
});

const Funds = memo(function Funds({ balances, market }: { readonly balances: Balances; readonly market: Market }) {
  const { balances: text, market: texts } = tradingTexts.get();
  const own = [market.quoteCurrency, market.baseCurrency];
  const rows = balances.filter(({ currency, total }) => own.includes(currency) || !isZero(total));
  return (
    <section className="pane funds" aria-label={texts.wallet}>
      <Table
        caption={texts.wallet}
        rows={[...rows].sort(
          (left, right) => Number(own.includes(right.currency)) - Number(own.includes(left.currency)),
        )}
        keyOf={({ currency }) => currency}
        empty={text.empty}
        columns={[
          { label: texts.wallet, cell: ({ currency }) => currency },
          {
            label: text.available,
            kind: 'number',
            cell: ({ available, locked }) =>
              noted(exact(available), isZero(locked) ? null : `${text.locked} ${exact(locked)}`),
          },
        ]}
      />
    </section>
  );
});

type Orders = Operations['marketOrders']['data'];
type OpenOrder = Orders['open']['orders'][number];

const OwnOrders = memo(function OwnOrders(props: {
  readonly query: ReturnType<typeof useQuery<Operations, 'marketOrders'>>;
  readonly market: Market;
  readonly wallet: Wallet;
}) {
  const { query, market, wallet } = props;
  const { order, orders: text, market: texts, words } = tradingTexts.get();
  const { priceDecimals } = market;
  const { open } = query.data ?? {};
  const [list, setList] = useState<'open' | 'filled'>('open');
  const action = useAction();
  const cancel = ({ orderId }: OpenOrder) => {
    void action.run(async () => {
      await graph.mutate('cancelOrder', { ...wallet, orderId });
      query.reload();
    });
  };
  const side = ({ side: one }: Pick<OpenOrder, 'side'>): ReactNode => (
    <span className={one === 'BUY' ? 'up' : 'down'}>{order.sides[one]}</span>
  );
  const filled = { label: texts.filled, kind: 'number', cell: (one: OpenOrder) => decimal(one.filledAmount) } as const;
  return (
    <section className="pane own" aria-label={texts.openOrders}>
      <div className="row spread">
        <Segments
          name="list"
          label={texts.openOrders}
          value={list}
          onChange={setList}
          options={{
            open: `${texts.openOrders} ${open === undefined ? '' : counted(open.orders.length, open.nextToken !== null)}`,
            filled: texts.fills,
          }}
        />
        <Link to="/negociacao/ordens">{texts.allOrders}</Link>
      </div>
      <FailureNotice failure={action.failure} />
      <Loaded query={query}>
        {({ open: now, latest }) =>
          list === 'open' ? (
            <Table
              caption={texts.openOrders}
              rows={now.orders}
              keyOf={({ orderId }) => orderId}
              empty={texts.noOpenOrders}
              columns={[
                { label: order.side, cell: side },
                { label: order.amount, kind: 'number', cell: (one) => sizeText(one, market) },
                filled,
                {
                  label: words.price,
                  kind: 'number',
                  cell: ({ price, type }) => (price === null ? order.types[type] : priceText(price, priceDecimals)),
                },
                {
                  label: words.acts,
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
          ) : (
            <Table
              caption={texts.fills}
              rows={latest.orders.filter(({ filledAmount }) => !isZero(filledAmount))}
              keyOf={({ orderId }) => orderId}
              empty={texts.noFills}
              columns={[
                { label: words.time, kind: 'nowrap', cell: ({ createdAt, filledAt }) => moment(filledAt ?? createdAt) },
                { label: order.side, cell: side },
                filled,
                {
                  label: words.price,
                  kind: 'number',
                  cell: ({ averagePrice }) => priceText(averagePrice, priceDecimals),
                },
                {
                  label: words.status,
                  cell: ({ status }) => <Badge tone={toneOf[status]}>{text.states[status]}</Badge>,
                },
              ]}
            />
          )
        }
      </Loaded>
    </section>
  );
});
