import { useState } from 'react';
import { Badge, noted, TableSection } from '../../design/basics.js';
import { SelectInput, valueIn } from '../../design/controls/controls.js';
import { decimal, moment } from '../frame/language.js';
import { Reason, textOf } from '../frame/parts.js';
import { NumberInput, numberOf } from '../frame/number-input.js';
import type { DeskParts, ExceptionData } from './desk-parts.js';
import { graph, type Operations } from './graph/operations.js';
import { ReasonButton } from './reason-button.js';
import { operatorTexts } from '../texts.js';
type Execution = ExceptionData['quarantinedOrders'][number]['executions'][number];
type Resolution = Operations['resolveExecution']['variables'];

/** From so many look-ups on an operator may settle an order of a hedge. */
const enoughLooks = 12;

/** Orders whose outcome at a venue is unknown: their funds remain held until an operator says it. */
export function QuarantinedOrders(props: DeskParts & { readonly rows: ExceptionData['quarantinedOrders'] }) {
  const { rows } = props;
  const { exceptions: text, words } = operatorTexts.get();
  return (
    <TableSection
      id="orders"
      title={text.orders}
      rows={rows}
      keyOf={({ orderId }) => orderId}
      empty={text.noOrders}
      columns={[
        {
          label: text.order,
          kind: 'nowrap',
          cell: ({ side, symbol, synthetic, orderId }) =>
            noted(
              <>
                {text.sides[side]} {symbol} {synthetic ? <Badge>{text.synthetic}</Badge> : null}
              </>,
              orderId,
            ),
        },
        { label: text.waitsSince, kind: 'nowrap', cell: ({ quarantinedAt }) => moment(quarantinedAt) },
        { label: text.atVenues, kind: 'wide', cell: ({ executions }) => <Executions rows={executions} /> },
        {
          label: words.acts,
          cell: ({ executions }) => (
            <Acts {...props} rows={executions} run={(wish) => graph.mutate('resolveExecution', wish)} />
          ),
        },
      ]}
    />
  );
}

/** Executed quotes that the platform has not completely traded: the rest is its own position. */
export function Hedges(props: DeskParts & { readonly rows: ExceptionData['openHedges'] }) {
  const { rows } = props;
  const { exceptions: text, words } = operatorTexts.get();
  return (
    <TableSection
      id="hedges"
      title={text.hedges}
      rows={rows}
      keyOf={({ quoteId }) => quoteId}
      empty={text.noHedges}
      columns={[
        {
          label: text.quote,
          kind: 'nowrap',
          cell: ({ side, symbol, synthetic, quoteId }) =>
            noted(
              <>
                {text.sides[side]} {symbol} {synthetic ? <Badge>{text.synthetic}</Badge> : null}
              </>,
              quoteId,
            ),
        },
        {
          label: text.traded,
          kind: 'number',
          cell: ({ hedgedAmount, amount }) => `${decimal(hedgedAmount)} / ${decimal(amount)}`,
        },
        {
          label: text.executed,
          kind: 'nowrap',
          cell: ({ since, overdueSince }) => (
            <>
              {moment(since)} {overdueSince === null ? null : <Badge tone="bad">{text.overdue}</Badge>}
            </>
          ),
        },
        {
          label: text.atVenues,
          kind: 'wide',
          cell: ({ orders, reason }) => noted(<Executions rows={orders} />, reason && <Reason text={reason} />),
        },
        {
          label: words.acts,
          cell: ({ orders }) => (
            <Acts
              {...props}
              rows={orders.filter(({ looks }) => looks >= enoughLooks)}
              run={(wish) => graph.mutate('resolveHedgeOrder', wish)}
            />
          ),
        },
      ]}
    />
  );
}

function Executions({ rows }: { readonly rows: readonly Execution[] }) {
  const { exceptions: text } = operatorTexts.get();
  return rows.map(({ id, venue, amount, limitPrice, filledAmount, reason, looks }) => (
    <span key={id} className="sub">
      {text.execution(venue, decimal(amount), decimal(limitPrice), decimal(filledAmount), decimal(looks))}
      {reason && ' · '}
      {reason && <Reason text={reason} />}{' '}
    </span>
  ));
}

function Acts(
  props: Pick<DeskParts, 'mayAct' | 'onDone'> & {
    readonly rows: readonly Execution[];
    readonly run: (wish: Resolution) => Promise<unknown>;
  },
) {
  const { mayAct, onDone, rows, run } = props;
  const { exceptions: text } = operatorTexts.get();
  if (!mayAct) return null;
  return rows.map((execution) => (
    <ReasonButton
      key={execution.id}
      label={`${text.resolve} ${execution.venue} ${execution.id}`}
      title={text.resolveExecution(execution.venue)}
      act={text.resolve}
      text={text.resolveExecutionText}
      fields={['outcome', 'amount', 'price']}
      reason={text.source}
      run={(reason, values) =>
        run({
          id: execution.id,
          outcome: valueIn(text.outcomes, textOf(values, 'outcome')) ?? 'FILLED',
          amount: numberOf(values, 'amount'),
          price: numberOf(values, 'price'),
          reason,
        })
      }
      onDone={onDone}
    >
      <Executions rows={[execution]} />
      <OutcomeFields />
    </ReasonButton>
  ));
}

/** The outcome of an order at a venue, and its fills unless it was rejected. */
function OutcomeFields() {
  const { exceptions: text, words } = operatorTexts.get();
  const [outcome, setOutcome] = useState<Resolution['outcome']>('FILLED');
  return (
    <>
      <SelectInput name="outcome" label={words.outcome} value={outcome} onChange={setOutcome} options={text.outcomes} />
      {outcome === 'REJECTED' ? null : (
        <>
          <NumberInput name="amount" label={text.filledAmount} hint={text.filledHint} />
          <NumberInput name="price" label={text.averagePrice} />
        </>
      )}
    </>
  );
}
