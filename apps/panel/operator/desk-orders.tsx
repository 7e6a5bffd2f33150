import { useState } from 'react';
import { Badge, Section } from '../../design/basics.js';
import { SelectInput, TextInput } from '../../design/controls/fields.js';
import { Table } from '../../design/table.js';
import { ActDialog, DialogButton, type Ending } from '../frame/ask.js';
import { decimal, moment } from '../frame/language.js';
import { textOf } from '../frame/parts.js';
import { NumberInput, numberOf } from '../frame/number-input.js';
import type { DeskParts, ExceptionData } from './desk-parts.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { operatorTexts } from './texts.js';

type QuarantinedOrder = ExceptionData['quarantinedOrders'][number];
type Hedge = ExceptionData['openHedges'][number];
type Execution = QuarantinedOrder['executions'][number];
type Resolution = Operations['resolveExecution']['variables'];

/** From so many look-ups on an operator may settle an order of a hedge. */
const enoughLooks = 12;

/** Orders whose outcome at a venue is unknown: their funds remain held until an operator says it. */
export function QuarantinedOrders(props: DeskParts & { readonly rows: ExceptionData['quarantinedOrders'] }) {
  const { rows } = props;
  const { desk, exceptions: text } = operatorTexts.get();
  return (
    <Section id="orders" title={text.orders}>
      <Table
        caption={text.orders}
        rows={rows}
        keyOf={({ orderId }) => orderId}
        empty={text.noOrders}
        columns={[
          {
            label: text.order,
            kind: 'nowrap',
            cell: ({ side, symbol, synthetic, orderId }) => (
              <>
                {text.sides[side]} {symbol} {synthetic ? <Badge>{text.synthetic}</Badge> : null}
                <span className="sub">{orderId}</span>
              </>
            ),
          },
          { label: text.waitsSince, kind: 'nowrap', cell: ({ quarantinedAt }) => moment(quarantinedAt) },
          { label: text.atVenues, kind: 'wide', cell: ({ executions }) => <Executions rows={executions} /> },
          {
            label: desk.acts,
            cell: ({ executions }) => (
              <Acts {...props} rows={executions} run={(wish) => graph.mutate('resolveExecution', wish)} />
            ),
          },
        ]}
      />
    </Section>
  );
}

/** Executed quotes that the platform has not completely traded: the rest is its own position. */
export function Hedges(props: DeskParts & { readonly rows: ExceptionData['openHedges'] }) {
  const { rows } = props;
  const { desk, exceptions: text } = operatorTexts.get();
  return (
    <Section id="hedges" title={text.hedges}>
      <Table
        caption={text.hedges}
        rows={rows}
        keyOf={({ quoteId }) => quoteId}
        empty={text.noHedges}
        columns={[
          {
            label: text.quote,
            kind: 'nowrap',
            cell: ({ side, symbol, synthetic, quoteId }) => (
              <>
                {text.sides[side]} {symbol} {synthetic ? <Badge>{text.synthetic}</Badge> : null}
                <span className="sub">{quoteId}</span>
              </>
            ),
          },
          {
            label: text.traded,
            kind: 'number',
            cell: ({ hedgedAmount, amount }) => `${decimal(hedgedAmount)} / ${decimal(amount)}`,
          },
          { label: text.executed, kind: 'nowrap', cell: (hedge) => <HedgeAge hedge={hedge} /> },
          {
            label: text.atVenues,
            kind: 'wide',
            cell: ({ orders, reason }) => (
              <>
                <Executions rows={orders} />
                {reason === null ? null : <span className="sub">{reason}</span>}
              </>
            ),
          },
          {
            label: desk.acts,
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
    </Section>
  );
}

function HedgeAge({ hedge: { since, overdueSince } }: { readonly hedge: Hedge }) {
  const { exceptions: text } = operatorTexts.get();
  return (
    <>
      {moment(since)}
      {overdueSince === null ? null : (
        <>
          {' '}
          <Badge tone="bad">{text.overdue}</Badge>
        </>
      )}
    </>
  );
}

function Executions({ rows }: { readonly rows: readonly Execution[] }) {
  const { exceptions: text } = operatorTexts.get();
  return rows.map(({ id, venue, amount, limitPrice, filledAmount, reason, looks }) => (
    <span key={id} className="sub">
      {text.execution(venue, decimal(amount), decimal(limitPrice), decimal(filledAmount), decimal(looks))}
      {reason === null ? '' : ` · ${reason}`}
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
    <DialogButton
      key={execution.id}
      label={`${text.resolve} ${execution.venue} ${execution.id}`}
      act={text.resolve}
      onDone={onDone}
    >
      {(ending) => <ResolveExecution execution={execution} run={run} {...ending} />}
    </DialogButton>
  ));
}

const outcomes = ['FILLED', 'CANCELLED', 'REJECTED'] as const;

/** Says what became of an order at a venue. */
function ResolveExecution(
  props: Ending & { readonly execution: Execution; readonly run: (wish: Resolution) => Promise<unknown> },
) {
  const { execution, run, ...ending } = props;
  const { common, exceptions: text } = operatorTexts.get();
  const [outcome, setOutcome] = useState<(typeof outcomes)[number]>('FILLED');
  return (
    <ActDialog
      title={text.resolveExecution(execution.venue)}
      act={text.resolve}
      kind="danger"
      fields={['outcome', 'amount', 'price', 'reason']}
      run={(values) => {
        const isFilled = outcome !== 'REJECTED';
        return run({
          id: execution.id,
          outcome,
          amount: isFilled ? numberOf(values, 'amount') : null,
          price: isFilled ? numberOf(values, 'price') : null,
          reason: textOf(values, 'reason').trim(),
        });
      }}
      {...ending}
    >
      <p>{text.resolveExecutionText}</p>
      <Executions rows={[execution]} />
      <SelectInput
        name="outcome"
        label={text.outcome}
        value={outcome}
        onChange={(value) => setOutcome(outcomes.find((one) => one === value) ?? 'FILLED')}
        options={outcomes.map((value) => ({ value, text: text.outcomes[value] }))}
      />
      {outcome === 'REJECTED' ? null : (
        <>
          <NumberInput name="amount" label={text.filledAmount} hint={text.filledHint} />
          <NumberInput name="price" label={text.averagePrice} />
        </>
      )}
      <TextInput name="reason" label={text.source} hint={common.reasonHint} maxLength={500} isRequired />
    </ActDialog>
  );
}
