import { useState } from 'react';
import { Badge, Section } from '../../design/basics.js';
import { SelectInput, TextInput } from '../../design/controls/fields.js';
import { Table } from '../../design/table.js';
import { ActDialog, DialogButton, type Ending } from '../frame/ask.js';
import { decimal, moment } from '../frame/language.js';
import { textOf } from '../frame/parts.js';
import type { DeskParts, ExceptionData } from './desk-parts.js';
import { graph } from './graph.js';
import { operatorTexts } from './texts.js';

type Stuck = ExceptionData['quarantined']['nodes'][number];
type Reversed = ExceptionData['quarantinedDeposits'][number];

/** Withdrawals whose outcome custody does not report. */
export function StuckWithdrawals(props: DeskParts & { readonly rows: readonly Stuck[] }) {
  const { rows, mayAct, onDone } = props;
  const { desk, exceptions: text } = operatorTexts.get();
  return (
    <Section id="stuck" title={text.stuck}>
      <Table
        caption={text.stuck}
        rows={rows}
        keyOf={({ id }) => id}
        empty={text.noStuck}
        columns={[
          { label: desk.time, kind: 'nowrap', cell: ({ withdrawal }) => moment(withdrawal.createdAt) },
          {
            label: desk.amount,
            kind: 'number',
            cell: ({ withdrawal: { amount, asset } }) => `${decimal(amount)} ${asset}`,
          },
          {
            label: desk.to,
            kind: 'wide',
            cell: ({ withdrawal: { address, network, transaction } }) => (
              <>
                <code>{address}</code>
                <span className="sub">
                  {network} {transaction}
                </span>
              </>
            ),
          },
          {
            label: desk.status,
            kind: 'nowrap',
            cell: ({ state, synthetic }) => (
              <>
                <Badge tone="bad">{state === 'QUARANTINED' ? text.unknown : text.unconfirmed}</Badge>{' '}
                {synthetic ? <Badge>{text.synthetic}</Badge> : null}
              </>
            ),
          },
          {
            label: desk.acts,
            cell: (row) =>
              mayAct ? (
                <DialogButton label={`${text.resolve} ${row.id}`} act={text.resolve} onDone={onDone}>
                  {(ending) => <ResolveWithdrawal row={row} {...ending} />}
                </DialogButton>
              ) : null,
          },
        ]}
      />
    </Section>
  );
}

interface ResolveProps<Row> extends Ending {
  readonly row: Row;
}

const withdrawalOutcomes = ['SENT', 'CONFIRMED', 'RETURNED', 'FAILED'] as const;

function ResolveWithdrawal({ row, ...ending }: ResolveProps<Stuck>) {
  const { common, exceptions: text } = operatorTexts.get();
  const [outcome, setOutcome] = useState<(typeof withdrawalOutcomes)[number]>('SENT');
  return (
    <ActDialog
      title={text.resolveWithdrawal}
      act={text.resolve}
      kind="danger"
      fields={['outcome', 'transaction', 'reason']}
      run={(values) =>
        graph.mutate('resolveWithdrawal', {
          id: row.id,
          outcome,
          transaction: textOf(values, 'transaction').trim() || null,
          reason: textOf(values, 'reason').trim(),
        })
      }
      {...ending}
    >
      <p>{text.resolveWithdrawalText}</p>
      <SelectInput
        name="outcome"
        label={text.outcome}
        value={outcome}
        onChange={(value) => setOutcome(withdrawalOutcomes.find((one) => one === value) ?? 'SENT')}
        options={withdrawalOutcomes.map((value) => ({ value, text: text.withdrawalOutcomes[value] }))}
      />
      <TextInput
        name="transaction"
        label={text.transaction}
        hint={text.transactionHint}
        autoComplete="off"
        maxLength={200}
      />
      <TextInput name="reason" label={common.reason} hint={text.seenByCompany} maxLength={500} isRequired />
    </ActDialog>
  );
}

/** Deposits that their network reversed after the client had used them. */
export function Deposits(props: DeskParts & { readonly rows: ExceptionData['quarantinedDeposits'] }) {
  const { rows, mayAct, onDone } = props;
  const { desk, exceptions: text } = operatorTexts.get();
  return (
    <Section id="deposits" title={text.deposits}>
      <Table
        caption={text.deposits}
        rows={rows}
        keyOf={({ id }) => id}
        empty={text.noDeposits}
        columns={[
          { label: text.seen, kind: 'nowrap', cell: ({ deposit }) => moment(deposit.seenAt) },
          {
            label: desk.amount,
            kind: 'number',
            cell: ({ deposit: { amount, asset } }) => `${decimal(amount)} ${asset}`,
          },
          {
            label: text.missing,
            kind: 'number',
            cell: ({ missing, deposit: { asset } }) => (missing === null ? '' : `${decimal(missing)} ${asset}`),
          },
          {
            label: text.transaction,
            kind: 'wide',
            cell: ({ deposit: { network, transaction }, walletId, synthetic }) => (
              <>
                <code>{transaction}</code> {synthetic ? <Badge>{text.synthetic}</Badge> : null}
                <span className="sub">
                  {network} · {text.wallet} {walletId}
                </span>
              </>
            ),
          },
          {
            label: desk.acts,
            cell: (row) =>
              mayAct ? (
                <DialogButton label={`${text.resolve} ${row.id}`} act={text.resolve} onDone={onDone}>
                  {(ending) => <ResolveDeposit row={row} {...ending} />}
                </DialogButton>
              ) : null,
          },
        ]}
      />
    </Section>
  );
}

const depositOutcomes = ['REVERSED', 'WRITTEN_OFF'] as const;

function ResolveDeposit({ row, ...ending }: ResolveProps<Reversed>) {
  const { common, exceptions: text } = operatorTexts.get();
  const [outcome, setOutcome] = useState<(typeof depositOutcomes)[number]>('REVERSED');
  return (
    <ActDialog
      title={text.resolveDeposit}
      act={text.resolve}
      kind="danger"
      fields={['outcome', 'reason']}
      run={(values) => graph.mutate('resolveDeposit', { id: row.id, outcome, reason: textOf(values, 'reason').trim() })}
      {...ending}
    >
      <p>{text.resolveDepositText}</p>
      <SelectInput
        name="outcome"
        label={text.outcome}
        value={outcome}
        onChange={(value) => setOutcome(depositOutcomes.find((one) => one === value) ?? 'REVERSED')}
        options={depositOutcomes.map((value) => ({ value, text: text.depositOutcomes[value] }))}
      />
      <TextInput name="reason" label={common.reason} hint={common.reasonHint} maxLength={500} isRequired />
    </ActDialog>
  );
}
