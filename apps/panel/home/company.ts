import { decimal, money } from '../frame/language.js';
import { exact, product, sumOf } from '../trading/price.js';
import { currentWallet } from '../trading/wallet.js';
import { graph, type Data } from './graph.js';
import { itemOf, type View } from './item.js';
import { homeTexts } from './texts.js';

/** What waits in the wallet that the pages show. */
export async function readCompany(): Promise<View> {
  const wallet = currentWallet();
  const data = await graph.query('company', wallet);
  const worth = worthOf(data);
  const { company: text } = homeTexts.get();
  const { orders, nextToken } = data.fetchOrders;
  const halted = data.markets.filter(({ status }) => status === 'HALTED').map(({ symbol }) => symbol);
  const [order] = orders;
  const brl = data.balances.find(({ currency }) => currency === 'BRL');
  const others = data.balances.filter(({ currency, total }) => currency !== 'BRL' && Number(total) > 0);
  const transfer = (
    { nodes, totalCount }: Data['company']['waiting'],
    forms: typeof text.orders,
    tone: 'bad' | 'warn' | 'plain',
  ) => {
    const note = nodes.map(({ amount, asset }) => `${exact(amount)} ${asset}`).join(', ');
    return itemOf(totalCount, forms, { tone, note, to: '/negociacao/transferencias' });
  };
  return {
    figures: [
      {
        label: wallet.synthetic ? text.synthetic : text.total,
        value: money(worth.value),
        note: worth.without.length === 0 ? text.totalNote : text.without(worth.without.join(', ')),
      },
      { label: text.available, value: money(brl?.available ?? null) },
      ...others.slice(0, 4).map(({ currency, total }) => ({ label: currency, value: exact(total) })),
    ],
    items: [
      ...transfer(data.blocked, text.blocked, 'bad'),
      ...itemOf(halted.length, text.halted, {
        tone: 'bad',
        note: halted.join(', '),
        to: '/negociacao/mercados',
        page: undefined,
      }),
      ...transfer(data.waiting, text.waiting, 'warn'),
      ...itemOf(orders.length, text.orders, {
        hasMore: nextToken !== null,
        tone: 'plain',
        note:
          order &&
          `${order.symbol}: ${text.sides[order.side]} ${decimal(order.amount)} ${order.price === null ? '' : `@ ${decimal(order.price)}`}`,
        to: '/negociacao/ordens',
        search: { status: 'OPEN' },
      }),
      ...transfer(data.sent, text.sent, 'plain'),
      ...transfer(data.deposits, text.deposits, 'plain'),
    ],
  };
}

/** Returns what the balances are worth in BRL at the best bids, and the currencies that nobody buys for BRL now. */
function worthOf({ balances, markets }: Data['company']) {
  const bids = new Map(markets.map(({ symbol, bid }) => [symbol, bid]));
  const values = balances
    .filter(({ total }) => Number(total) > 0)
    .map(({ currency, total }) => {
      const bid = currency === 'BRL' ? '1' : bids.get(`${currency}/BRL`);
      return { currency, value: bid == null ? undefined : product(total, bid) };
    });
  return {
    value: sumOf(values.flatMap(({ value }) => value ?? [])),
    without: values.flatMap(({ currency, value }) => (value === undefined ? [currency] : [])),
  };
}
