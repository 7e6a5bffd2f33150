import { useEffect, useRef, useState, type RefObject } from 'react';
import { Facts } from '../../design/basics.js';
import { Button, Check, Segments, SelectInput } from '../../design/controls/controls.js';
import { accepted } from '../frame/failure.js';
import { decimal, percent, plural } from '../frame/language.js';
import { NumberInput } from '../frame/number-input.js';
import { FailureNotice, Form } from '../frame/parts.js';
import { useAction } from '../frame/use-graph.js';
import { Confirm, type Asked, type PlacedOrder } from './confirm-order.js';
import { graph, type Operations } from './graph/operations.js';
import type { Balances, Market } from './types.js';
import { useNow, type TickerData } from './live.js';
import {
  availableFor,
  canPostOnly,
  estimateOf,
  givenBy,
  priceOf,
  sizeOf,
  timeOf,
  times,
  warningsOf,
  wishOf,
  type Entry,
} from './order-entry.js';
import { decimalsOf, exact, portionOf } from './price.js';
import { tradingTexts } from '../texts.js';
import type { Wallet } from './wallet.js';

const fields = ['amount', 'quoteAmount', 'price', 'timeInForce', 'postOnly'];
const shares = ['25', '50', '75', '100'] as const;

type Made = NonNullable<Operations['createQuote']['data']['createQuoteResult']>;
/** A quote, and when it expires by the clock of the page: the server says how long it is valid. */
type Quote = Extract<Made, { readonly __typename: 'Quote' }> & { readonly endsAtMs: number };

/** Enters an order or asks for a quote. An order is previewed first, and placed once, however often the button is pressed. */
export function OrderForm(props: {
  readonly market: Market;
  readonly wallet: Wallet;
  readonly balances: Balances;
  readonly ticker: TickerData | undefined;
  readonly waits: boolean;
  readonly entry: Entry;
  readonly change: (more: Partial<Entry>) => void;
  readonly onPlaced: (order: PlacedOrder) => void;
}) {
  const { market, wallet, balances, ticker, waits, entry, change, onPlaced } = props;
  const { order: text, quote: quoteText, balances: names, words } = tradingTexts.get();
  const action = useAction();
  const [asked, setAsked] = useState<Asked>();
  const [made, setQuote] = useState<Quote>();
  const quote = entry.type === 'QUOTE' ? made : undefined;
  const area = useRef<HTMLDivElement>(null);
  const fill = (more: Partial<Entry>) => {
    change({ ...more, filled: entry.filled + 1 });
  };
  // An amount in the one currency is none in the other.
  const turnTo = (side: Entry['side']) => {
    fill({ side, ...(sizeOf({ ...entry, side }) === sizeOf(entry) ? {} : { size: null }) });
  };
  useKeys(area, asked === undefined, (side) => {
    if (side === undefined) fill({ price: null, size: null });
    else turnTo(side);
  });
  const estimate = estimateOf(entry, market, ticker, balances);
  const warnings = warningsOf(entry, ticker, estimate);
  const submit = () => {
    setQuote(undefined);
    void action.run(async () => {
      if (entry.type === 'QUOTE') {
        const { symbol } = market;
        const wish = { ...wallet, symbol, side: entry.side, [sizeOf(entry)]: entry.size };
        const offered = accepted((await graph.mutate('createQuote', wish)).createQuoteResult);
        setQuote({ ...offered, endsAtMs: performance.now() + offered.ttlSeconds * 1_000 });
        return;
      }
      const wish = wishOf(entry, entry.type, market, wallet);
      const { previewOrder: preview } = await graph.query('previewOrder', wish);
      setAsked({ wish, preview, clientOrderId: crypto.randomUUID() });
    });
  };
  return (
    <div className={`pane entry ${entry.side === 'BUY' ? 'buys' : 'sells'}`} ref={area}>
      <Form action={action} fields={fields} label={text.title} onSubmit={submit}>
        <Segments name="side" label={text.side} value={entry.side} onChange={turnTo} options={text.sides} />
        <Segments
          name="type"
          label={words.type}
          value={entry.type}
          onChange={(type) => change({ type })}
          options={text.types}
        />
        <Numbers entry={entry} market={market} price={priceOf(entry, ticker)} change={change} />
        <Shares entry={entry} market={market} balances={balances} fill={fill} />
        <Conditions entry={entry} change={change} />
        {quote === undefined ? (
          <Facts
            items={[
              [text.totalWithFee, estimate && `${exact(estimate.total)} ${market.quoteCurrency}`],
              [
                text.feeAtMost(percent(market.takerFeePercent)),
                estimate && `${exact(estimate.fee)} ${market.quoteCurrency}`,
              ],
              [names.available, `${exact(availableFor(entry, market, balances))} ${givenBy(entry, market)}`],
              [text.after, estimate && `${exact(estimate.after)} ${givenBy(entry, market)}`],
            ]}
          />
        ) : null}
        <div role="status">
          {[...(waits ? [text.waits] : []), ...warnings].map((one) => (
            <p key={one} className="notice small">
              {one}
            </p>
          ))}
        </div>
        <Button kind="main" type="submit" isBusy={action.isBusy} isDisabled={waits}>
          {entry.type === 'QUOTE' ? quoteText.ask : text.preview}
        </Button>
      </Form>
      {quote === undefined ? null : (
        <Offer
          key={quote.quoteId}
          quote={quote}
          market={market}
          wallet={wallet}
          onExecuted={(order) => {
            setQuote(undefined);
            fill({ size: null });
            onPlaced(order);
          }}
        />
      )}
      <Confirm
        asked={asked}
        market={market}
        warnings={warnings}
        waits={waits}
        onClose={() => setAsked(undefined)}
        onPlaced={(order) => {
          setAsked(undefined);
          fill({ size: null });
          onPlaced(order);
        }}
      />
    </div>
  );
}

/** `B` and `S` choose a side where nobody types, Escape empties the form, Control and Enter send it. */
function useKeys(
  area: RefObject<HTMLDivElement | null>,
  isOn: boolean,
  choose: (side: Entry['side'] | undefined) => void,
): void {
  const latest = useRef(choose);
  latest.current = choose;
  useEffect(() => {
    if (!isOn) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (document.querySelector('[role=dialog]') !== null) return;
      const form = area.current?.querySelector('form');
      if (key === 'Enter' && (ctrlKey || metaKey)) {
        event.preventDefault();
        event.stopPropagation();
        form?.requestSubmit();
      } else if (key === 'Escape') latest.current(undefined);
      else if (!ctrlKey && !metaKey && !altKey && !isTyping(target)) {
        const side = { b: 'BUY', s: 'SELL' } as const;
        const chosen = key === 'b' || key === 's' ? side[key] : undefined;
        if (chosen === undefined) return;
        event.preventDefault();
        latest.current(chosen);
        // The fields are new in the next frame.
        requestAnimationFrame(() => form?.querySelector<HTMLElement>('input[inputmode]')?.focus());
      }
    };
    // Before the controls, which keep keys from going further.
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [area, isOn]);
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('select, textarea, input:not([type=radio], [type=checkbox])');

interface PartProps {
  readonly entry: Entry;
  readonly change: (more: Partial<Entry>) => void;
}

function Numbers(props: PartProps & { readonly market: Market; readonly price: string | null }) {
  const { entry, market, price: at, change } = props;
  const { order: text, words } = tradingTexts.get();
  const { baseCurrency: base, quoteCurrency: quote, minOrderSize } = market;
  const size = sizeOf(entry);
  const unit = size === 'amount' ? base : quote;
  return (
    <>
      {entry.type === 'LIMIT' ? (
        <NumberInput
          key={`price ${entry.filled}`}
          name="price"
          label={`${words.price} (${quote})`}
          unit={quote}
          defaultValue={entry.price}
          onNumber={(price) => change({ price })}
          isRequired
        />
      ) : null}
      <NumberInput
        key={`${size} ${entry.filled}`}
        name={size}
        label={`${text.amount} (${unit})`}
        hint={
          size === 'quoteAmount' && at !== null
            ? text.minimum(`≈ ${decimal(portionOf(minOrderSize, at, '1', 2))}`, quote)
            : text.minimum(decimal(minOrderSize), base)
        }
        unit={unit}
        defaultValue={entry.size}
        onNumber={(number) => change({ size: number })}
        isRequired
      />
      {entry.side === 'SELL' ? null : (
        <Segments
          name="unit"
          label={text.unit}
          value={entry.unit}
          onChange={(chosen) => {
            // The same amount in the other currency.
            const [factor, whole, decimals] =
              chosen === 'quoteAmount' ? ([at, '1', 2] as const) : (['1', at, market.amountDecimals] as const);
            const isReadable =
              entry.size !== null && factor !== null && whole !== null && Number(whole) > 0 && chosen !== entry.unit;
            change({ unit: chosen, size: isReadable ? portionOf(entry.size, factor, whole, decimals) : null });
          }}
          options={{ amount: base, quoteAmount: quote }}
        />
      )}
    </>
  );
}

function Shares(props: {
  readonly entry: Entry;
  readonly market: Market;
  readonly balances: Balances;
  readonly fill: (more: Partial<Entry>) => void;
}) {
  const { entry, market, balances, fill } = props;
  const available = availableFor(entry, market, balances);
  return (
    <div className="shares" role="group" aria-label={tradingTexts.get().order.shares}>
      {shares.map((share) => (
        <Button
          key={share}
          onPress={() => {
            const decimals = entry.side === 'BUY' ? decimalsOf(available) : market.amountDecimals;
            const size = portionOf(available, share, '100', decimals);
            fill(entry.side === 'BUY' ? { unit: 'quoteAmount', size } : { size });
          }}
        >
          {share}%
        </Button>
      ))}
    </div>
  );
}

function Conditions({ entry, change }: PartProps) {
  const { order: text } = tradingTexts.get();
  if (entry.type === 'QUOTE') return null;
  return (
    <div className="stack tight">
      <SelectInput
        name="timeInForce"
        label={text.time}
        value={timeOf(entry)}
        onChange={(time) => change({ time })}
        options={times[entry.type].map((value) => ({ value, text: text.times[value] }))}
      />
      {canPostOnly(entry) ? (
        <Check isSelected={entry.isPostOnly} onChange={(isPostOnly) => change({ isPostOnly })}>
          {text.postOnly}
        </Check>
      ) : null}
    </div>
  );
}

function Offer(props: {
  readonly quote: Quote;
  readonly market: Market;
  readonly wallet: Wallet;
  readonly onExecuted: (order: PlacedOrder) => void;
}) {
  const { quote, market, wallet, onExecuted } = props;
  const { order, quote: text, words } = tradingTexts.get();
  const action = useAction();
  const now = useNow();
  const left = Math.max(0, Math.ceil((quote.endsAtMs - now) / 1_000));
  const isOver = left === 0;
  return (
    <div className={isOver ? 'offer stale' : 'offer'}>
      <Facts
        items={[
          [words.price, `${exact(quote.price)} ${market.quoteCurrency}`],
          [order.amount, `${decimal(quote.amount)} ${market.baseCurrency}`],
          [order.fee, `${exact(quote.fee)} ${quote.feeCurrency}`],
          [words.total, `${exact(quote.quoteAmount)} ${market.quoteCurrency}`],
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
