import { Facts } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Dialog } from '../../design/controls/dialog.js';
import { accepted } from '../frame/failure.js';
import { decimal, percent } from '../frame/language.js';
import { FailureNotice } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction } from '../frame/use-graph.js';
import { graph, type Market } from './graph.js';
import type { Operations } from './graph/operations.js';
import { tradingTexts } from './texts.js';

type Preview = Operations['previewOrder']['data']['previewOrder'];
export type Wish = Operations['previewOrder']['variables'];

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
  readonly waits: boolean;
  readonly onClose: () => void;
  readonly onPlaced: (said: string) => void;
}) {
  const { asked, market, waits, onClose, onPlaced } = props;
  const { order: text, orders } = tradingTexts.get();
  const action = useAction();
  if (asked === undefined) return null;
  const { wish, preview, clientOrderId } = asked;
  return (
    <Dialog title={text.confirmTitle} isOpen onClose={onClose}>
      <FailureNotice failure={action.failure} />
      <Summary wish={wish} preview={preview} market={market} />
      {waits ? <p className="notice bad">{text.waits}</p> : null}
      <div className="acts">
        <Button onPress={onClose}>{frameTexts.get().cancel}</Button>
        <Button
          kind="main"
          isBusy={action.isBusy}
          isDisabled={waits || preview.refused !== null}
          onPress={() => {
            void action.run(async () => {
              const { createOrderResult } = await graph.mutate('createOrder', { ...wish, clientOrderId });
              const order = accepted(createOrderResult);
              onPlaced(text.placed(orders.states[order.status], order.reason ?? ''));
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
  const inQuote = (value: string | null) => (value === null ? '—' : `${decimal(value)} ${quote}`);
  const size = wish.amount == null ? `${decimal(wish.quoteAmount ?? '')} ${quote}` : `${decimal(wish.amount)} ${base}`;
  return (
    <>
      <p>
        <strong>
          {text.sides[wish.side]} {size}
        </strong>
        , {text.types[wish.type]}
        {wish.price == null ? '' : ` ${inQuote(wish.price)}`}, {wish.timeInForce}
      </p>
      {preview.refused === null ? (
        <Facts
          items={[
            [text.atOnce, `${decimal(preview.amount)} ${base}`],
            [text.average, inQuote(preview.averagePrice)],
            [text.worst, inQuote(preview.worstPrice)],
            [text.slippage, preview.slippagePercent === null ? '—' : percent(preview.slippagePercent, 4)],
            [text.value, inQuote(preview.notional)],
            [text.fee, `${decimal(preview.fee)} ${preview.feeCurrency}`],
            [text.hold, preview.hold === null ? '—' : `${decimal(preview.hold.amount)} ${preview.hold.currency}`],
          ]}
        />
      ) : (
        <div className="notice bad" role="alert">
          <p>{text.refused}</p>
          <p lang="en">{preview.refused}</p>
        </div>
      )}
    </>
  );
}
