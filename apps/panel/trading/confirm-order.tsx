import { Facts } from '../../design/basics.js';
import { Button, Dialog } from '../../design/controls/controls.js';
import { accepted } from '../frame/failure.js';
import { decimal, percent } from '../frame/language.js';
import { FailureNotice } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { tradingTexts } from '../texts.js';
import { useAction } from '../frame/use-graph.js';
import { graph, type Market, type Operations } from './graph.js';
import { orderText, type Estimate, type Wish } from './order-entry.js';
import { Reason } from './order-state.js';
import { exact, isZero } from './price.js';

type Preview = Operations['previewOrder']['data']['previewOrder'];
/** An order as it is placed. */
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
  readonly estimate: Estimate | undefined;
  readonly warnings: readonly string[];
  readonly waits: boolean;
  readonly onClose: () => void;
  readonly onPlaced: (order: PlacedOrder) => void;
}) {
  const { asked, market, estimate, warnings, waits, onClose, onPlaced } = props;
  const { order: text } = tradingTexts.get();
  const action = useAction();
  if (asked === undefined) return null;
  const { wish, preview, clientOrderId } = asked;
  return (
    <Dialog title={text.confirmTitle} isOpen onClose={onClose}>
      <FailureNotice failure={action.failure} />
      <Summary wish={wish} preview={preview} market={market} estimate={estimate} />
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

function Summary(props: {
  readonly wish: Wish;
  readonly preview: Preview;
  readonly market: Market;
  readonly estimate: Estimate | undefined;
}) {
  const { wish, preview, market, estimate } = props;
  const { order: text } = tradingTexts.get();
  const { baseCurrency: base, quoteCurrency: quote, takerFeePercent } = market;
  const inQuote = (value: string | null) => (value === null ? '—' : `${exact(value)} ${quote}`);
  const { hold, amount } = preview;
  return (
    <>
      <p>
        <strong>{orderText(wish, market)}</strong>, {text.types[wish.type]}, {wish.timeInForce}
      </p>
      {preview.refused === null ? (
        <Facts
          items={[
            [text.totalWithFee, inQuote(estimate?.total ?? null)],
            [text.feeAtMost(percent(takerFeePercent)), inQuote(estimate?.fee ?? null)],
            [text.hold, hold === null ? '—' : `${exact(hold.amount)} ${hold.currency}`],
            [text.atOnce, isZero(amount) ? text.nothing : `${decimal(amount)} ${base}`],
            ...(isZero(amount)
              ? []
              : ([
                  [text.average, inQuote(preview.averagePrice)],
                  [text.worst, inQuote(preview.worstPrice)],
                  [text.slippage, preview.slippagePercent === null ? '—' : percent(preview.slippagePercent, 4)],
                  [text.value, inQuote(preview.notional)],
                  [text.fee, inQuote(preview.fee)],
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
