import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge, noted, type Column } from '../../design/basics.js';
import { Button, SelectInput } from '../../design/controls/controls.js';
import { decimal, moment, plural } from '../frame/language.js';
import { PagedTable, pageOf, usePages } from '../frame/paged-table.js';
import { FailureNotice, Note, PageHead, Reason } from '../frame/parts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import type { Market } from './types.js';
import { useWalletEvents } from './live.js';
import { currenciesOf, sizeText } from './order-entry.js';
import { orderParameters, toneOf } from './order-state.js';
import { exact, priceText } from './price.js';
import { tradingTexts } from '../texts.js';
import { useWallet } from './wallet.js';
import { WalletBar } from './wallet-bar.js';

type Order = Operations['orders']['data']['fetchOrders']['orders'][number];

/** The orders of the wallet, those that are open at first; the list follows each change. */
export function Orders() {
  const { orders: text, words } = tradingTexts.get();
  const wallet = useWallet();
  const { status = 'OPEN' } = orderParameters(useSearch({ strict: false }));
  const navigate = useNavigate();
  const pages = usePages(
    graph,
    'orders',
    { ...wallet, status },
    ({ fetchOrders: { orders, nextToken } }) => pageOf(orders, nextToken),
    'nextToken',
  );
  // Prices are written with the decimals of their market; until these are known, as they are.
  const { data: known } = useQuery(graph, 'markets', { synthetic: wallet.synthetic });
  useWalletEvents('ordersLive', wallet, pages.reload);
  const action = useAction();
  const [note, setNote] = useState('');
  const cancel = (orderId: string) => {
    void action.run(async () => {
      await graph.mutate('cancelOrder', { ...wallet, orderId });
      pages.reload();
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
          label={words.status}
          value={status}
          onChange={(value) =>
            void navigate({ to: '/negociacao/ordens', search: { status: value }, resetScroll: false })
          }
          options={text.filters}
        />
        {status === 'OPEN' ? (
          <Button
            isBusy={action.isBusy}
            onPress={() => {
              void action.run(async () => {
                const { cancelAllOrders: count } = await graph.mutate('cancelAllOrders', wallet);
                setNote(plural(count ?? 0, text.cancelled));
                pages.reload();
              });
            }}
          >
            {text.cancelAll}
          </Button>
        ) : null}
      </div>
      <FailureNotice failure={action.failure} />
      <PagedTable
        pages={pages}
        caption={text.title}
        keyOf={({ orderId }) => orderId}
        empty={text.empty}
        columns={columnsOf(known?.markets ?? [], cancel, action.isBusy)}
      />
    </>
  );
}

function columnsOf(
  markets: readonly Market[],
  cancel: (orderId: string) => void,
  isBusy: boolean,
): readonly Column<Order>[] {
  const { order, orders: text, words } = tradingTexts.get();
  const price = ({ symbol }: Order, value: string | null) =>
    priceText(value, markets.find((one) => one.symbol === symbol)?.priceDecimals ?? 0);
  return [
    { label: words.time, kind: 'nowrap', cell: ({ createdAt }) => moment(createdAt) },
    { label: words.market, kind: 'nowrap', cell: ({ symbol }) => <MarketLink symbol={symbol} /> },
    { label: order.side, kind: 'nowrap', cell: ({ side, type }) => `${order.sides[side]}, ${order.types[type]}` },
    { label: order.amount, kind: 'number', cell: (one) => sizeText(one, currenciesOf(one.symbol)) },
    { label: words.price, kind: 'number', cell: (one) => price(one, one.price) },
    {
      label: text.filled,
      kind: 'number',
      cell: (one) => noted(decimal(one.filledAmount), one.averagePrice === null ? null : price(one, one.averagePrice)),
    },
    { label: order.fee, kind: 'number', cell: ({ fee, feeCurrency }) => `${exact(fee)} ${feeCurrency}` },
    {
      label: words.status,
      cell: ({ status, reason }) =>
        noted(<Badge tone={toneOf[status]}>{text.states[status]}</Badge>, reason && <Reason text={reason} />),
    },
    {
      label: words.acts,
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
