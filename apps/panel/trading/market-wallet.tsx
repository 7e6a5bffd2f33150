import { Link } from '@tanstack/react-router';
import { Section, Facts } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Table } from '../../design/table.js';
import { decimal } from '../frame/language.js';
import { FailureNotice, Loaded } from '../frame/parts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph, type Market } from './graph.js';
import type { Operations } from './graph/operations.js';
import { useWalletEvents } from './live.js';
import { priceText } from './price.js';
import { tradingTexts } from './texts.js';
import type { Wallet } from './wallet.js';

type OpenOrder = Operations['openOrders']['data']['fetchOrders']['orders'][number];

interface PartProps {
  readonly market: Market;
  readonly wallet: Wallet;
}

/** What the wallet has to trade with in a market, and its open orders there; both follow each change. */
export function MarketWallet({ market, wallet }: PartProps) {
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
                      onPress={() => {
                        cancel(one);
                      }}
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
