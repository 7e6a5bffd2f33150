import { Facts } from '../../design/basics.js';
import { Button, Dialog } from '../../design/controls/controls.js';
import { accepted } from '../frame/failure.js';
import { decimal, percent } from '../frame/language.js';
import { FailureNotice, Reason } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { tradingTexts } from '../texts.js';
import { useAction } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import type { Market } from './types.js';
import { orderText, type Wish } from './order-entry.js';
import { decimalsOf, exact, isZero, sumOf } from './price.js';

type Preview = Operations['previewOrder']['data']['previewOrder'];
export type PlacedOrder = NonNullable<Operations['executeQuote']['data']['executeQuote']>;

/** An order that is previewed, with the id under which it is placed. */
export interface Asked {
  readonly wish: Wish;
  readonly preview: Preview;
  readonly clientOrderId: string;
}

/** Shows what an order would do, and places it: once, however often the button is pressed. */
export function Confirm(props: {
  readonly asked: Asked | undefined;
  readonly market: Market;
  readonly warnings: readonly string[];
  readonly waits: boolean;
  readonly onClose: () => void;
  readonly onPlaced: (order: PlacedOrder) => void;
}) {
  const { asked, market, warnings, waits, onClose, onPlaced } = props;
  const { order: text } = tradingTexts.get();
  const action = useAction();
  if (asked === undefined) return null;
  const { wish, preview, clientOrderId } = asked;
  return (
    <Dialog title={text.confirmTitle} isOpen onClose={onClose}>
      <FailureNotice failure={action.failure} />
      <Summary wish={wish} preview={preview} market={market} />
      {warnings.map((one) => (
        <p key={one} className="notice">
          {one}
        </p>
      ))}
      {waits ? <p className="notice bad">{text.waits}</p> : null}
      <div className="acts">
        <Button onPress={onClose}>{frameTexts.get().cancel}</Button>
        <Button
          kind="main"
          autoFocus
          isBusy={action.isBusy}
          isDisabled={waits || preview.refused !== null}
          onPress={() => {
            void action.run(async () => {
              const { createOrderResult } = await graph.mutate('createOrder', { ...wish, clientOrderId });
              onPlaced(accepted(createOrderResult));
            });
          }}
        >
          {text.sides[wish.side]}
        </Button>
      </div>
    </Dialog>
  );
}

function Summary(props: { readonly wish: Wish; readonly preview: Preview; readonly market: Market }) {
  const { wish, preview, market } = props;
  const { order: text } = tradingTexts.get();
  const { baseCurrency: base, quoteCurrency: quote } = market;
  const inQuote = (value: string | null) => (value === null ? '—' : `${exact(value)} ${quote}`);
  const { hold, amount, notional, fee } = preview;
  const total = sumOf([notional, wish.side === 'BUY' ? fee : `-${fee}`]);
  return (
    <>
      <p>
        <strong>{orderText(wish, { ...market, quoteDecimals: decimalsOf(fee) })}</strong>, {text.types[wish.type]},{' '}
        {wish.timeInForce}
      </p>
      {preview.refused === null ? (
        <Facts
          items={[
            [text.hold, hold === null ? '—' : `${exact(hold.amount)} ${hold.currency}`],
            [text.atOnce, isZero(amount) ? text.nothing : `${decimal(amount)} ${base}`],
            ...(isZero(amount)
              ? []
              : ([
                  [text.average, inQuote(preview.averagePrice)],
                  [text.worst, inQuote(preview.worstPrice)],
                  [text.slippage, preview.slippagePercent === null ? '—' : percent(preview.slippagePercent, 4)],
                  [text.value, inQuote(notional)],
                  [text.fee, inQuote(fee)],
                  [text.totalWithFee, inQuote(total)],
                ] as const)),
          ]}
        />
      ) : (
        <div className="notice bad" role="alert">
          <p>{text.refused}</p>
          <p>
            <Reason text={preview.refused} />
          </p>
        </div>
      )}
    </>
  );
}
