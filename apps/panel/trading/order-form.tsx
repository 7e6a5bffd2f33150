import { useState } from 'react';
import { Button } from '../../design/controls/button.js';
import { Check, SelectInput } from '../../design/controls/fields.js';
import { decimal } from '../frame/language.js';
import { Form } from '../frame/parts.js';
import { useAction } from '../frame/use-graph.js';
import { Confirm, PlacedNote, type Asked, type Wish } from './confirm-order.js';
import { graph, type Market } from './graph.js';
import { tradingTexts } from './texts.js';
import { NumberInput, numberOf } from '../frame/number-input.js';
import type { Wallet } from './wallet.js';

const sides = ['BUY', 'SELL'] as const;
const types = ['LIMIT', 'MARKET'] as const;
const times = { LIMIT: ['GTC', 'IOC', 'FOK'], MARKET: ['IOC', 'FOK'] } as const;
const fields = ['amount', 'quoteAmount', 'price', 'timeInForce', 'postOnly'];

/** What is chosen of an order; the numbers are in the fields. */
interface Entry {
  readonly side: (typeof sides)[number];
  readonly type: (typeof types)[number];
  readonly unit: 'amount' | 'quoteAmount';
  readonly time: string;
  readonly isPostOnly: boolean;
}

/** The time in force of an entry: the default of its type where the chosen one does not go with it. */
function timeOf({ type, time }: Entry) {
  const choices: readonly string[] = times[type];
  return times.LIMIT.find((one) => one === time && choices.includes(one)) ?? times[type][0];
}

/** The field that holds the amount: only a BUY can be given in the quote currency. */
const sizeOf = ({ side, unit }: Entry) => (side === 'SELL' ? 'amount' : unit);

const canPostOnly = (entry: Entry) => entry.type === 'LIMIT' && timeOf(entry) === 'GTC';

function wishOf(entry: Entry, values: FormData, market: Market, wallet: Wallet): Wish {
  const size = sizeOf(entry);
  return {
    ...wallet,
    symbol: market.symbol,
    side: entry.side,
    type: entry.type,
    [size]: numberOf(values, size, size === 'amount' ? market.baseCurrency : market.quoteCurrency),
    ...(entry.type === 'LIMIT' ? { price: numberOf(values, 'price', market.quoteCurrency) } : {}),
    timeInForce: timeOf(entry),
    postOnly: canPostOnly(entry) && entry.isPostOnly,
  };
}

/** Enters an order: it is previewed first, and placed once, however often the button is pressed. */
export function OrderForm(props: {
  readonly market: Market;
  readonly wallet: Wallet;
  readonly last: string | null | undefined;
  readonly waits: boolean;
}) {
  const { market, wallet, last, waits } = props;
  const { order: text } = tradingTexts.get();
  const action = useAction();
  const [entry, setEntry] = useState<Entry>({
    side: 'BUY',
    type: 'LIMIT',
    unit: 'amount',
    time: 'GTC',
    isPostOnly: false,
  });
  const [asked, setAsked] = useState<Asked>();
  const [note, setNote] = useState('');
  return (
    <>
      <PlacedNote said={note} />
      <Form
        action={action}
        fields={fields}
        label={text.title}
        onSubmit={(values) => {
          const wish = wishOf(entry, values, market, wallet);
          setNote('');
          void action.run(async () => {
            const { previewOrder: preview } = await graph.query('previewOrder', wish);
            setAsked({ wish, preview, clientOrderId: crypto.randomUUID() });
          });
        }}
      >
        <Choices entry={entry} market={market} change={(more) => setEntry((before) => ({ ...before, ...more }))} />
        <Numbers entry={entry} market={market} />
        {waits ? <p className="notice bad">{text.waits}</p> : null}
        <div className="row">
          <Button kind="main" type="submit" isBusy={action.isBusy} isDisabled={waits}>
            {text.preview}
          </Button>
        </div>
      </Form>
      <Confirm
        asked={asked}
        market={market}
        last={last}
        waits={waits}
        onClose={() => setAsked(undefined)}
        onPlaced={(said) => {
          setAsked(undefined);
          setNote(said);
        }}
      />
    </>
  );
}

function Choices(props: {
  readonly entry: Entry;
  readonly market: Market;
  readonly change: (more: Partial<Entry>) => void;
}) {
  const { entry, market, change } = props;
  const { order: text } = tradingTexts.get();
  return (
    <>
      <SelectInput
        name="side"
        label={text.side}
        value={entry.side}
        onChange={(value) => change({ side: sides.find((one) => one === value) ?? 'BUY' })}
        options={sides.map((value) => ({ value, text: text.sides[value] }))}
      />
      <SelectInput
        name="type"
        label={text.type}
        value={entry.type}
        onChange={(value) => change({ type: types.find((one) => one === value) ?? 'LIMIT' })}
        options={types.map((value) => ({ value, text: text.types[value] }))}
      />
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
      {entry.side === 'SELL' ? null : (
        <SelectInput
          name="unit"
          label={text.unit}
          value={entry.unit}
          onChange={(value) => change({ unit: value === 'quoteAmount' ? 'quoteAmount' : 'amount' })}
          options={[
            { value: 'amount', text: market.baseCurrency },
            { value: 'quoteAmount', text: market.quoteCurrency },
          ]}
        />
      )}
    </>
  );
}

function Numbers({ entry, market }: { readonly entry: Entry; readonly market: Market }) {
  const { order: text } = tradingTexts.get();
  const { baseCurrency: base, quoteCurrency: quote, minOrderSize } = market;
  const size = sizeOf(entry);
  const unit = size === 'amount' ? base : quote;
  return (
    <>
      <NumberInput
        key={size}
        name={size}
        label={`${text.amount} (${unit})`}
        hint={text.minimum(decimal(minOrderSize), base)}
        unit={unit}
        isRequired
      />
      {entry.type === 'LIMIT' ? (
        <NumberInput name="price" label={`${text.price} (${quote})`} unit={quote} isRequired />
      ) : null}
    </>
  );
}
