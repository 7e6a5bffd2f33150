import { Button } from '../../design/controls/button.js';
import { decimal, plural } from '../frame/language.js';
import { FailureNotice } from '../frame/parts.js';
import { useAction } from '../frame/use-graph.js';
import type { PlacedOrder } from './confirm-order.js';
import { graph, type Market } from './graph.js';
import type { Operations } from './graph/operations.js';
import { useNow } from './live.js';
import { exact } from './price.js';
import { tradingTexts } from './texts.js';
import type { Wallet } from './wallet.js';

type Made = NonNullable<Operations['createQuote']['data']['createQuoteResult']>;
/** A quote, and when it expires by the clock of the page: the server says how long it is valid. */
export type Quote = Extract<Made, { readonly __typename: 'Quote' }> & { readonly endsAtMs: number };

/** A firm price, which can be executed until it expires. */
export function Offer(props: {
  readonly quote: Quote;
  readonly market: Market;
  readonly wallet: Wallet;
  readonly onExecuted: (order: PlacedOrder) => void;
}) {
  const { quote, market, wallet, onExecuted } = props;
  const { order, quote: text, balances } = tradingTexts.get();
  const action = useAction();
  const now = useNow();
  const left = Math.max(0, Math.ceil((quote.endsAtMs - now) / 1_000));
  const isOver = left === 0;
  return (
    <div className={isOver ? 'offer stale' : 'offer'}>
      <Sums
        rows={[
          [order.price, `${exact(quote.price)} ${market.quoteCurrency}`],
          [order.amount, `${decimal(quote.amount)} ${market.baseCurrency}`],
          [order.fee, `${exact(quote.fee)} ${quote.feeCurrency}`],
          [balances.total, `${exact(quote.quoteAmount)} ${market.quoteCurrency}`],
        ]}
      />
      <p role="timer">{isOver ? text.expired : plural(left, text.left)}</p>
      <FailureNotice failure={action.failure} />
      <div className="row">
        <Button
          kind="main"
          isBusy={action.isBusy}
          isDisabled={isOver}
          onPress={() => {
            void action.run(async () => {
              const { executeQuote } = await graph.mutate('executeQuote', { ...wallet, quoteId: quote.quoteId });
              if (executeQuote !== null) onExecuted(executeQuote);
            });
          }}
        >
          {text.execute(order.sides[quote.side])}
        </Button>
      </div>
    </div>
  );
}

/** Names and amounts below each other. */
export function Sums({ rows }: { readonly rows: readonly (readonly [string, string | undefined])[] }) {
  return (
    <dl className="sums">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? '—'}</dd>
        </div>
      ))}
    </dl>
  );
}
