import { useState } from 'react';
import { Facts } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { SelectInput } from '../../design/controls/fields.js';
import { accepted } from '../frame/failure.js';
import { decimal, plural } from '../frame/language.js';
import { FailureNotice, Form } from '../frame/parts.js';
import { useAction } from '../frame/use-graph.js';
import { graph, type Market } from './graph.js';
import { useNow } from './live.js';
import { tradingTexts } from './texts.js';
import { orderText, PlacedNote } from './confirm-order.js';
import { NumberInput, numberOf } from '../frame/number-input.js';
import type { Wallet } from './wallet.js';

interface Quote {
  readonly quoteId: string;
  readonly side: 'BUY' | 'SELL';
  readonly price: string;
  readonly amount: string;
  readonly quoteAmount: string;
  readonly fee: string;
  readonly feeCurrency: string;
  /** When it expires, by the clock of the page: the server says how long it is valid. */
  readonly endsAtMs: number;
}

/** Asks for a firm price, which can be executed until it expires. */
export function QuoteForm(props: { readonly market: Market; readonly wallet: Wallet; readonly waits: boolean }) {
  const { market, wallet, waits } = props;
  const { order, quote: text, orders } = tradingTexts.get();
  const action = useAction();
  const [side, setSide] = useState<'BUY' | 'SELL'>('BUY');
  const [quote, setQuote] = useState<Quote>();
  const [note, setNote] = useState('');
  return (
    <>
      <p className="muted">{text.lead}</p>
      <PlacedNote said={note} />
      <Form
        action={action}
        fields={['amount']}
        label={text.title}
        onSubmit={(values) => {
          setNote('');
          setQuote(undefined);
          void action.run(async () => {
            const { createQuoteResult } = await graph.mutate('createQuote', {
              ...wallet,
              symbol: market.symbol,
              side,
              amount: numberOf(values, 'amount', market.baseCurrency) ?? '',
            });
            const made = accepted(createQuoteResult);
            setQuote({ ...made, endsAtMs: performance.now() + made.ttlSeconds * 1_000 });
          });
        }}
      >
        <div className="filter">
          <SelectInput
            name="side"
            label={order.side}
            value={side}
            onChange={(value) => setSide(value === 'SELL' ? 'SELL' : 'BUY')}
            options={(['BUY', 'SELL'] as const).map((value) => ({ value, text: order.sides[value] }))}
          />
          <NumberInput
            name="amount"
            label={`${order.amount} (${market.baseCurrency})`}
            unit={market.baseCurrency}
            isRequired
          />
          <Button type="submit" isBusy={action.isBusy} isDisabled={waits}>
            {text.ask}
          </Button>
        </div>
      </Form>
      {quote === undefined ? null : (
        <Offer
          key={quote.quoteId}
          quote={quote}
          market={market}
          wallet={wallet}
          onExecuted={(status) => {
            setQuote(undefined);
            setNote(order.placed(orderText(quote, market), orders.states[status], ''));
          }}
        />
      )}
    </>
  );
}

type Status = 'PENDING' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELLED' | 'REJECTED' | 'EXPIRED';

function Offer(props: {
  readonly quote: Quote;
  readonly market: Market;
  readonly wallet: Wallet;
  readonly onExecuted: (status: Status) => void;
}) {
  const { quote, market, wallet, onExecuted } = props;
  const { order, quote: text, balances } = tradingTexts.get();
  const action = useAction();
  const now = useNow();
  const left = Math.max(0, Math.ceil((quote.endsAtMs - now) / 1_000));
  const isOver = left === 0;
  return (
    <div className={isOver ? 'offer stale' : 'offer'}>
      <Facts
        items={[
          [text.price, `${decimal(quote.price)} ${market.quoteCurrency}`],
          [order.amount, `${decimal(quote.amount)} ${market.baseCurrency}`],
          [order.fee, `${decimal(quote.fee)} ${quote.feeCurrency}`],
          [balances.total, `${decimal(quote.quoteAmount)} ${market.quoteCurrency}`],
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
              if (executeQuote !== null) onExecuted(executeQuote.status);
            });
          }}
        >
          {text.execute(order.sides[quote.side])}
        </Button>
      </div>
    </div>
  );
}
