import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { SelectInput } from '../../design/controls/fields.js';
import type { Column } from '../../design/table.js';
import { useParameter } from '../frame/address.js';
import { decimal, moment, plural } from '../frame/language.js';
import { PagedTable } from '../frame/paged-table.js';
import { FailureNotice, Loaded, Note, PageHead } from '../frame/parts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph, type Market } from './graph.js';
import type { Operations } from './graph/operations.js';
import { useWalletEvents } from './live.js';
import { currenciesOf, sizeText } from './order-entry.js';
import { orderFilters, toneOf } from './order-state.js';
import { priceText } from './price.js';
import { tradingTexts } from './texts.js';
import { useWallet } from './wallet.js';
import { WalletBar } from './wallet-bar.js';

type Order = Operations['orders']['data']['fetchOrders']['orders'][number];

/** The orders of the wallet, those that are open at first; the list follows each change. */
export function Orders() {
  const { orders: text } = tradingTexts.get();
  const wallet = useWallet();
  const asked = useParameter('status');
  const status = orderFilters.find((one) => one === asked) ?? 'OPEN';
  const navigate = useNavigate();
  const query = useQuery(graph, 'orders', { ...wallet, status, nextToken: null });
  // Prices are written with the decimals of their market; until these are known, as they are.
  const { data: known } = useQuery(graph, 'markets', { synthetic: wallet.synthetic });
  useWalletEvents('ordersLive', wallet, query.reload);
  const action = useAction();
  const [note, setNote] = useState('');
  const cancel = (orderId: string) => {
    void action.run(async () => {
      await graph.mutate('cancelOrder', { ...wallet, orderId });
      query.reload();
    });
  };
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <WalletBar />
      <Note>{note}</Note>
      <div className="filter">
        <SelectInput
          name="status"
          label={text.status}
          value={status}
          onChange={(value) => {
            const chosen = orderFilters.find((one) => one === value);
            void navigate({
              to: '/negociacao/ordens',
              search: chosen === undefined ? {} : { status: chosen },
              resetScroll: false,
            });
          }}
          options={orderFilters.map((value) => ({ value, text: text.filters[value] }))}
        />
        {status === 'OPEN' ? (
          <Button
            isBusy={action.isBusy}
            onPress={() => {
              void action.run(async () => {
                const { cancelAllOrders: count } = await graph.mutate('cancelAllOrders', wallet);
                const cancelled = count ?? 0;
                setNote(plural(cancelled, text.cancelled));
                query.reload();
              });
            }}
          >
            {text.cancelAll}
          </Button>
        ) : null}
      </div>
      <FailureNotice failure={action.failure} />
      <Loaded query={query}>
        {({ fetchOrders }) => (
          <PagedTable
            key={`${JSON.stringify(wallet)} ${status} ${fetchOrders.orders[0]?.orderId ?? ''}`}
            caption={text.title}
            first={pageOf(fetchOrders)}
            next={async (nextToken) =>
              pageOf((await graph.query('orders', { ...wallet, status, nextToken })).fetchOrders)
            }
            keyOf={({ orderId }) => orderId}
            empty={text.empty}
            columns={columnsOf(known?.markets ?? [], cancel, action.isBusy)}
          />
        )}
      </Loaded>
    </>
  );
}

const pageOf = ({ orders, nextToken }: Operations['orders']['data']['fetchOrders']) => ({
  nodes: orders,
  pageInfo: { hasNextPage: nextToken !== null, endCursor: nextToken },
  totalCount: null,
});

function columnsOf(
  markets: readonly Market[],
  cancel: (orderId: string) => void,
  isBusy: boolean,
): readonly Column<Order>[] {
  const { markets: names, order, orders: text } = tradingTexts.get();
  const price = ({ symbol }: Order, value: string | null) =>
    priceText(value, markets.find((one) => one.symbol === symbol)?.priceDecimals ?? 0);
  return [
    { label: text.time, kind: 'nowrap', cell: ({ createdAt }) => moment(createdAt) },
    { label: names.market, kind: 'nowrap', cell: ({ symbol }) => <MarketLink symbol={symbol} /> },
    { label: order.side, kind: 'nowrap', cell: ({ side, type }) => `${order.sides[side]}, ${order.types[type]}` },
    {
      label: order.amount,
      kind: 'number',
      cell: (one) => sizeText(one, currenciesOf(one.symbol)),
    },
    { label: order.price, kind: 'number', cell: (one) => price(one, one.price) },
    {
      label: text.filled,
      kind: 'number',
      cell: (one) => (
        <>
          {decimal(one.filledAmount)}
          {one.averagePrice === null ? null : <span className="sub">{price(one, one.averagePrice)}</span>}
        </>
      ),
    },
    { label: order.fee, kind: 'number', cell: ({ fee, feeCurrency }) => `${decimal(fee)} ${feeCurrency}` },
    {
      label: text.status,
      cell: ({ status, reason }) => (
        <>
          <Badge tone={toneOf[status]}>{text.states[status]}</Badge>
          {reason === null ? null : (
            <span className="sub" lang="en">
              {reason}
            </span>
          )}
        </>
      ),
    },
    {
      label: text.acts,
      cell: ({ orderId, status, symbol }) =>
        status === 'PENDING' || status === 'PARTIALLY_FILLED' ? (
          <Button isBusy={isBusy} label={`${text.cancel} ${symbol}`} onPress={() => cancel(orderId)}>
            {text.cancel}
          </Button>
        ) : null,
    },
  ];
}

function MarketLink({ symbol }: { readonly symbol: string }) {
  const { baseCurrency: base, quoteCurrency: quote } = currenciesOf(symbol);
  return (
    <Link to="/negociacao/mercados/$base/$quote" params={{ base, quote }}>
      {symbol}
    </Link>
  );
}
