import { decimal, money } from '../frame/language.js';
import { product, sumOf } from '../trading/price.js';
import { currentWallet } from '../trading/wallet.js';
import { graph, type Data } from './graph.js';
import { itemOf, type View } from './item.js';
import { homeTexts } from './texts.js';

const transfers = '/negociacao/transferencias';

/** What waits in the wallet that the pages show. */
export async function readCompany(): Promise<View> {
  const wallet = currentWallet();
  const data = await graph.query('company', wallet);
  const worth = await worthOf(data, wallet.synthetic);
  const { company: text } = homeTexts.get();
  const { orders } = data.fetchOrders;
  const [order] = orders;
  const brl = data.balances.find(({ currency }) => currency === 'BRL');
  const others = data.balances.filter(({ currency, total }) => currency !== 'BRL' && Number(total) > 0);
  const withdrawals = (status: string) => data.withdrawals.nodes.filter((one) => one.status === status);
  const deposits = (status: string) => data.deposits.nodes.filter((one) => one.status === status);
  const amounts = (rows: readonly { readonly amount: string; readonly asset: string }[]) =>
    rows
      .map(({ amount, asset }) => `${decimal(amount)} ${asset}`)
      .slice(0, 3)
      .join(', ');
  const transfer = (
    rows: readonly { readonly amount: string; readonly asset: string }[],
    forms: typeof text.orders,
    tone: 'bad' | 'warn' | 'plain',
  ) => itemOf(rows.length, forms, { tone, note: amounts(rows), to: transfers, page: transfers });
  return {
    figures: [
      {
        label: wallet.synthetic ? text.synthetic : text.total,
        value: money(worth.value),
        note: worth.without.length === 0 ? text.totalNote : text.without(worth.without.join(', ')),
      },
      { label: text.available, value: money(brl?.available ?? null) },
      ...others.slice(0, 4).map(({ currency, total }) => ({ label: currency, value: decimal(total) })),
    ],
    items: [
      ...transfer(deposits('QUARANTINED'), text.blocked, 'bad'),
      ...itemOf(data.markets.filter(({ status }) => status === 'HALTED').length, text.halted, {
        tone: 'bad',
        note: data.markets
          .filter(({ status }) => status === 'HALTED')
          .map(({ symbol }) => symbol)
          .join(', '),
        to: '/negociacao/mercados',
      }),
      ...transfer(withdrawals('PENDING'), text.waiting, 'warn'),
      ...itemOf(orders.length, text.orders, {
        tone: 'plain',
        note:
          order === undefined
            ? undefined
            : `${order.symbol}: ${text.sides[order.side]} ${decimal(order.amount)} ${order.price === null ? '' : `@ ${decimal(order.price)}`}`,
        to: '/negociacao/ordens',
        search: { status: 'OPEN' },
        page: '/negociacao/ordens',
      }),
      ...transfer(withdrawals('PROCESSING'), text.sent, 'plain'),
      ...transfer(deposits('PENDING'), text.deposits, 'plain'),
    ],
  };
}

/** Returns what the balances are worth in BRL at the best bids, and the currencies that nobody buys for BRL now. */
async function worthOf({ balances, markets }: Data['company'], synthetic: boolean) {
  const known = new Set(markets.map(({ symbol }) => symbol));
  const values = await Promise.all(
    balances
      .filter(({ total }) => Number(total) > 0)
      .map(async ({ currency, total }) => {
        if (currency === 'BRL') return { currency, value: total };
        const symbol = `${currency}/BRL`;
        // A market whose venues do not respond costs only its own value.
        const bid = known.has(symbol)
          ? await graph.query('price', { synthetic, symbol }).then(
              ({ ticker }) => ticker.bid,
              () => null,
            )
          : null;
        return { currency, value: bid === null ? undefined : product(total, bid) };
      }),
  );
  return {
    value: sumOf(values.flatMap(({ value }) => value ?? [])),
    without: values.flatMap(({ currency, value }) => (value === undefined ? [currency] : [])),
  };
}
